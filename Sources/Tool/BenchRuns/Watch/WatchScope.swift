/// The files and folders that `--watch` observes, and the suites affected by a change of each.
package struct WatchScope: Equatable, Sendable {
    /// A folder whose source files are observed, at any depth.
    package struct Sources: Hashable, Sendable {
        /// The absolute path.
        package var folder: String
        /// The suites affected by a change; `nil`: all.
        package var suites: Set<String>?

        package init(_ folder: String, suites: Set<String>?) {
            self.folder = folder
            self.suites = suites
        }
    }

    /// The suites' files, absolute paths in order.
    package var suites: [String]
    /// Sketches, libraries, the host core.
    package var sources: [Sources]
    /// Other files that affect all suites; absolute paths, which need not exist.
    package var files: Set<String>
    /// Folders, in addition to those of ``suites``, in which a new suite would be found; absolute paths.
    package var suiteFolders: Set<String>

    package init(
        suites: [String] = [], sources: [Sources] = [], files: Set<String> = [], suiteFolders: Set<String> = []
    ) {
        self.suites = suites
        self.sources = sources
        self.files = files
        self.suiteFolders = suiteFolders
    }

    /// The suites affected by `changes`, in order, including new ones; `former`: the scope before the changes, which
    /// has the suites affected by removed files.
    package func suites(concernedBy changes: [FileChange], former: WatchScope) -> [String] {
        // A new or removed suite in a sketch's folder is not a source of the sketch.
        let known = changes.filter { !former.suites.contains($0.path) || suites.contains($0.path) }
        let before = changes.filter { !suites.contains($0.path) || former.suites.contains($0.path) }
        let concerned = Set(suites(concernedBy: known) + former.suites(concernedBy: before))
        return suites.filter { concerned.contains($0) || !former.suites.contains($0) }
    }

    /// The suites affected by `changes`, in order.
    private func suites(concernedBy changes: [FileChange]) -> [String] {
        var concerned: Set<String> = []
        for change in changes {
            if suites.contains(change.path) {
                concerned.insert(change.path)
                // A suite in its sketch's folder is not a source of the sketch.
                continue
            }
            if files.contains(change.path) { return suites }
            for sources in sources where change.path.hasPrefix(sources.folder + "/") {
                guard let those = sources.suites else { return suites }
                concerned.formUnion(those)
            }
        }
        return suites.filter(concerned.contains)
    }

    /// True if a file in one of ``sources`` is a source file, by its name: not an editor's backup and not output of a
    /// run.
    package static func isSource(_ name: String) -> Bool {
        guard !name.hasPrefix("."), !name.hasPrefix("#"), let dot = name.lastIndex(of: ".") else { return false }
        return sourceExtensions.contains(String(name[name.index(after: dot)...]))
    }

    private static let sourceExtensions: Set = [
        "ino", "pde", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tpp", "S", "yaml",
        "properties", "ini", "csv",
    ]
}

/// Detects the end of a burst of changes: to save one file, an editor writes, renames and deletes several.
package struct Quiet: Sendable {
    /// The time without changes after which a burst is over.
    private static let time = Duration.milliseconds(50)
    /// The same if files are missing: some editors delete a file before they write it again.
    private static let timeIfRemoved = Duration.milliseconds(300)
    /// The maximum duration of a burst, even if changes continue.
    private static let longest = Duration.seconds(2)

    private let began: Duration
    private var last: Duration

    /// A burst whose first change is at this time.
    package init(at time: Duration) {
        began = time
        last = time
    }

    /// Records another change at this time.
    package mutating func change(at time: Duration) {
        last = time
    }

    /// The end of the burst if no other change follows; `isMissing`: files were removed and not written again.
    package func end(isMissing: Bool) -> Duration {
        min(last + (isMissing ? Self.timeIfRemoved : Self.time), began + Self.longest)
    }
}
