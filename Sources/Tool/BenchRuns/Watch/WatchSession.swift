internal import BenchReports
import CommandSupport

/// Runs suites, then, after each change, the affected suites, until the user ends the session.
package struct WatchSession {
    /// The functions of the command that the session needs.
    package struct Actions {
        /// The files and folders to observe now; suites that cannot be read, and sketches that are not found, are
        /// included as far as they are known. `nil`: the project cannot be read; its files have not moved.
        package var scope: () -> WatchScope?
        /// The files and folders to observe until the project can be read for the first time.
        package var firstScope: WatchScope
        /// Runs these suites, or, for `nil`, all; reports the results. Returns `nil` if no case of the suites is
        /// selected.
        package var run: ([String]?) -> ExitReason?
        /// A path as the user would write it.
        package var display: (String) -> String
        /// The time since any fixed moment.
        package var now: () -> Duration
        /// Prepares the terminal for keys; the returned function restores it.
        package var enterKeys: () -> (() -> Void)

        package init(
            scope: @escaping () -> WatchScope?, firstScope: WatchScope = WatchScope(),
            run: @escaping ([String]?) -> ExitReason?,
            display: @escaping (String) -> String, now: @escaping () -> Duration,
            enterKeys: @escaping () -> (() -> Void) = { {} }
        ) {
            self.scope = scope
            self.firstScope = firstScope
            self.run = run
            self.display = display
            self.now = now
            self.enterKeys = enterKeys
        }
    }

    /// Ctrl-D, which some users press to end a program.
    private static let endOfText: UInt8 = 4

    private let watcher: any FolderWatcher
    private let input: WatchInput
    private let hasKeys: Bool
    private let interruption: Interruption
    private let output: Output
    private let actions: Actions

    /// A session that reports changes to `output`; `keyboard`: the source of keys, if there is one.
    package init(
        _ watcher: any FolderWatcher, keyboard: Int32?, _ interruption: Interruption, _ output: Output,
        _ actions: Actions
    ) {
        self.watcher = watcher
        input = WatchInput(watcher, keyboard: keyboard, interruption)
        hasKeys = keyboard != nil
        self.interruption = interruption
        self.output = output
        self.actions = actions
    }

    /// Runs all suites, then, after each change, the affected suites.
    ///
    /// - Returns: the exit code of the last run if the user ends the session with a key; else `interrupted`.
    /// - Throws: ``CommandFailure`` when files cannot be watched.
    package func watch() throws(CommandFailure) -> ExitReason {
        var (scope, seen) = try read(actions.firstScope)
        var status = actions.run(nil) ?? .passed
        while true {
            // The session ends, since the report of another run could not be written either.
            if output.isDataLost { return status }
            if interruption.reason != nil { return .interrupted }
            let keys = hasKeys ? "; Enter runs all again, q ends" : ""
            output.note("watching \(count(scope.suites.count, "suite")) for changes\(keys)")
            let wish = try waitForWish(&scope, &seen)
            switch wish {
            case .end: return status
            case .interrupted: return .interrupted
            case .runAll: status = actions.run(nil) ?? status
            case .run(let suites):
                if let ended = actions.run(suites) {
                    status = ended
                } else {
                    output.note("no selected case is concerned")
                }
            }
        }
    }

    private enum Wish {
        case runAll
        case run([String])
        case end
        case interrupted
    }

    private func waitForWish(_ scope: inout WatchScope, _ seen: inout FileSnapshot) throws(CommandFailure) -> Wish {
        let leaveKeys = actions.enterKeys()
        defer { leaveKeys() }
        while true {
            switch input.next() {
            case .interrupted: return .interrupted
            case .timeout: continue
            case .key(UInt8(ascii: "q")), .key(Self.endOfText): return .end
            case .key(UInt8(ascii: "\n")), .key(UInt8(ascii: "\r")):
                (scope, seen) = try read(scope)
                return .runAll
            case .key: continue
            case .change:
                let former = scope
                guard let changes = try settledChanges(since: seen, &scope, &seen) else { return .interrupted }
                guard !changes.isEmpty else { continue }
                if let suites = concerned(by: changes, former, scope) { return .run(suites) }
                output.note("watching on: no suite is concerned")
            }
        }
    }

    /// Waits for the end of a burst of changes; `nil`: interrupted.
    private func settledChanges(
        since former: FileSnapshot, _ scope: inout WatchScope, _ seen: inout FileSnapshot
    ) throws(CommandFailure) -> [FileChange]? {
        var quiet = Quiet(at: actions.now())
        while true {
            let (newScope, snapshot) = try read(scope)
            let changes = snapshot.changes(since: former)
            let end = quiet.end(isMissing: changes.contains { $0.kind == .removed })
            let rest = end - actions.now()
            switch rest > .zero ? input.next(within: rest) : .timeout {
            case .interrupted: return nil
            case .change, .key: quiet.change(at: actions.now())
            case .timeout:
                (scope, seen) = (newScope, snapshot)
                return changes
            }
        }
    }

    /// Shows the changes; returns the affected suites, `nil` if there are none.
    private func concerned(by changes: [FileChange], _ former: WatchScope, _ scope: WatchScope) -> [String]? {
        for change in changes { output.note("\(change.kind.rawValue): \(actions.display(change.path))") }
        let suites = scope.suites(concernedBy: changes, former: former)
        return suites.isEmpty ? nil : suites
    }

    /// Starts watching before reading, so that no change in between is lost.
    private func read(_ former: WatchScope) throws(CommandFailure) -> (WatchScope, FileSnapshot) {
        var scope = actions.scope() ?? former
        var tree = FileTreeReader(scope)
        // The files found may lead to further folders.
        for _ in 0..<8 {
            try watcher.watch(tree.folders)
            let watched = tree.folders
            scope = actions.scope() ?? scope
            tree = FileTreeReader(scope)
            if tree.folders.isSubset(of: watched) { break }
        }
        return (scope, tree.snapshot)
    }

    private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
