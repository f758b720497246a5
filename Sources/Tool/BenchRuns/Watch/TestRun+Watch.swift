import ArgumentParser
import BenchProject
import BenchSuites
import CommandSupport
import FirmwareBuild
import Foundation

extension TestRun {
    /// Runs the suites, then, after each change, the affected suites, until the user ends the command.
    ///
    /// - Throws: the exit code, if it is not zero.
    package func watch() throws {
        let root = try? Project(project, environment).finder.current()
        var run = self
        run.watchedRoot = root?.file == nil ? nil : root?.root
        try run.watchProject()
    }

    /// The project of `espbench.yaml`; while it is watched, another project is an error.
    func openProject() throws -> Project {
        let project = try Project(project, isSanitized: sanitizing.sanitize, environment)
        guard let watchedRoot, try project.finder.current().root != watchedRoot else { return project }
        throw CommandFailure(.nothingRan, "the project in \(watchedRoot) is gone", code: "project.noFolder")
    }

    private func watchProject() throws {
        try CommandRunner.finish(output) {
            let clock = ContinuousClock()
            let origin = clock.now
            let keyboard = RawTerminal.isInForeground ? STDIN_FILENO : nil
            let actions = WatchSession.Actions(
                scope: watchScope, firstScope: firstScope, run: runAgain, display: display, now: { clock.now - origin },
                enterKeys: { keyboard == nil ? {} : enterKeys() })
            return try WatchSession(try FolderWatchers.make(), keyboard: keyboard, interruption, output, actions)
                .watch()
        }
    }

    /// Runs the suites in these files, given by their absolute paths; `nil`: all.
    ///
    /// - Returns: the exit code; `nil` when no case of these suites is selected.
    private func runAgain(_ files: [String]?) -> ExitReason? {
        var run = self
        run.readBenches()
        if let files {
            run.suites = files.map(display)
            run.isPart = true
        }
        let choice = Result { try run.choose() }
        if run.isPart, case .failure(let failure as CommandFailure) = choice, failure.isNothingSelected { return nil }
        do {
            try run.runAndReport(choice)
            return .passed
        } catch let code as ExitCode {
            return ExitReason(rawValue: code.rawValue) ?? .benchFault
        } catch {
            return .benchFault
        }
    }

    /// Reads keys one by one while the command waits. During a run the terminal has its normal mode, so that a crash
    /// leaves it usable.
    private func enterKeys() -> () -> Void {
        let terminal = RawTerminal()
        // The raw terminal has its own handlers for these signals.
        EndingSignals.watch(interruption)
        return {
            terminal.leave()
            EndingSignals.watch(interruption)
        }
    }

    /// The scope while the project cannot be read: the places where its file can be corrected.
    private var firstScope: WatchScope {
        let files = ProjectFinder.folders(above: environment.workingFolder ?? "/").flatMap { folder in
            ProjectFile.names.map { "\(folder == "/" ? "" : folder)/\($0)" }
        }
        return WatchScope(
            files: Set(files + (project.path.map { [absolute($0)] } ?? [])), suiteFolders: Set(suites.map(absolute)))
    }

    /// The current scope; `nil` when the project cannot be read. Faulty suites and sketches are watched as far as they
    /// are known, so that their correction is noticed.
    private func watchScope() -> WatchScope? {
        guard let project = try? openProject(), let current = try? project.finder.current() else {
            return nil
        }
        var scope = WatchScope(
            files: Set(ProjectFile.names.map { "\(current.root)/\($0)" }),
            suiteFolders: Set(suites.map(absolute) + [current.root]))
        scope.suites = ((try? project.suiteFiles(suites)) ?? suites).map(absolute).sorted()
        var concerned: [String: Set<String>] = [:]
        for file in scope.suites {
            guard let text = try? Project.suiteText(file),
                let suite = try? Suite(
                    yaml: text, file: file, descriptions: DescriptionFile.source(beside: file)),
                let sketches = try? project.sketches(of: suite)
            else { continue }
            for sketch in sketches {
                let libraries = sketch.sketch.libraryFolders + sketch.libraries.project + sketch.libraries.user
                for folder in [sketch.folder] + libraries {
                    concerned[folder, default: []].insert(file)
                }
            }
        }
        // Sketches that have no suite yet.
        for sketch in (try? project.finder.sketches(of: current)) ?? [] {
            concerned[sketch.folder, default: []].formUnion([])
        }
        scope.sources = concerned.map { WatchScope.Sources($0.key, suites: $0.value) }
        if let hostCore = try? environment.hostCore() {
            scope.sources.append(WatchScope.Sources(hostCore, suites: nil))
        }
        scope.sources.sort { $0.folder < $1.folder }
        return scope
    }
}
