import BenchModel
import BenchProject
import BenchSuites
import CommandSupport
import FirmwareBuild
import Foundation

/// The contents of a run: the project, its selected suites, the seed.
package struct SuiteChoice {
    let project: Project
    /// The project's folder, by its real name.
    let root: String
    let selected: SelectedSuites
    let selection: CaseSelection
    let seed: UInt64
}

extension TestRun {
    /// Reads the suites, and selects among them.
    package func choose() throws -> SuiteChoice {
        let project = try openProject()
        let root = try self.root(of: project)
        var selection = selection.selection
        var seed = bench.seed
        var files: [String] = []
        var failures: [FailedCases.Entry] = []
        if self.selection.lastFailed {
            let given = suites.isEmpty ? [] : try project.suiteFiles(suites)
            failures = try formerFailures(root, among: given)
            let known = Set(failures.map(\.file))
            files = suites.isEmpty ? known.map(display).sorted() : given.filter { known.contains(identity($0)) }
            selection.instances = Set(
                failures.flatMap { failure in
                    files.filter { identity($0) == failure.file }.map {
                        CaseSelection.Instance(file: $0, caseName: failure.caseName, name: failure.name)
                    }
                })
            seed = bench.givenSeed ?? failures.last?.seed ?? seed
        } else {
            files = try project.suiteFiles(suites)
        }
        let read = try SuiteSession.read(files, Project.suiteText)
        let selected = try SelectedSuites(read, selection, seed: seed, isPart: isPart || self.selection.lastFailed)
        if self.selection.lastFailed { noteFailures(failures, selected, seed) }
        return SuiteChoice(project: project, root: root, selected: selected, selection: selection, seed: seed)
    }

    // MARK: Failures of former runs

    private func root(of project: Project) throws(CommandFailure) -> String {
        do throws(ProjectError) {
            return identity(try project.finder.current().root)
        } catch {
            throw CommandFailure(error, .nothingRan)
        }
    }

    private func failuresFile(_ root: String) throws(CommandFailure) -> FailedCasesFile {
        do throws(FirmwareBuildError) {
            return FailedCasesFile(project: root, stateFolder: try environment.stateFolder)
        } catch {
            throw CommandFailure(error, .nothingRan)
        }
    }

    /// The cases that failed in the last run; if `files` are given, only cases of these suites.
    private func formerFailures(
        _ root: String, among files: [String]
    ) throws(CommandFailure) -> [FailedCases.Entry] {
        guard let known = try failuresFile(root).load() else {
            throw CommandFailure(.nothingRan, "no run of this project is known yet", code: "suite.noFailures")
        }
        let wanted = Set(files.map(identity))
        let entries = known.entries.filter { wanted.isEmpty || wanted.contains($0.file) }
        guard !entries.isEmpty else {
            let place = files.isEmpty ? "" : " of \(files.joined(separator: ", "))"
            throw CommandFailure(
                .nothingRan, "no case\(place) failed when it last ran: nothing is left to run", code: "suite.noFailures"
            )
        }
        let present = entries.filter { FileManager.default.fileExists(atPath: $0.file) }
        guard !present.isEmpty else {
            let files = Set(entries.map { display($0.file) }).sorted().joined(separator: ", ")
            throw CommandFailure(
                .nothingRan, "the suites whose cases failed are no longer there: \(files)", code: "suite.noFailures")
        }
        return present
    }

    private func noteFailures(_ failures: [FailedCases.Entry], _ selected: SelectedSuites, _ seed: UInt64) {
        let found = selected.plans.reduce(0) { $0 + $1.instanceCount }
        if selection.selection == .everything, found < failures.count {
            output.note("\(failures.count - found) of \(failures.count) failed cases are no longer in their suites")
        }
        if bench.givenSeed == nil, Set(failures.map(\.seed)).count > 1 {
            output.note("the cases failed with different seeds; they run with --seed \(seed)")
        }
    }

    /// Stores the failed instances. An error while storing them does not fail the run.
    func saveFailures(_ results: [SuiteResult], _ choice: SuiteChoice) {
        guard !results.isEmpty, let file = try? failuresFile(choice.root) else { return }
        var cases = file.load() ?? FailedCases(project: choice.root)
        cases.entries.removeAll { !FileManager.default.fileExists(atPath: $0.file) }
        let chosen = Dictionary(
            zip(choice.selected.suites, choice.selected.plans).map { ($0.file, ($0, $1)) },
            uniquingKeysWith: { first, _ in first })
        for result in results {
            guard let (suite, plan) = chosen[result.file] else { continue }
            cases.update(result, of: suite, file: identity(suite.file), plan: plan)
        }
        do {
            try file.save(cases)
        } catch {
            output.note("warning: what failed could not be saved for --last-failed: \(error.localizedDescription)")
        }
    }

    // MARK: Paths

    /// The absolute path of a file as the user named it.
    func absolute(_ path: String) -> String {
        let folder = URL(filePath: environment.workingFolder ?? "/", directoryHint: .isDirectory)
        let absolute = URL(filePath: path, relativeTo: folder).standardizedFileURL.path
        return absolute.count > 1 && absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
    }

    /// The absolute path with symbolic links resolved: equal for all names of a file.
    private func identity(_ path: String) -> String {
        URL(filePath: absolute(path)).resolvingSymlinksInPath().path
    }

    /// The path relative to the working folder, if it is in that folder.
    package func display(_ path: String) -> String {
        let folder = (environment.workingFolder ?? "") + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }
}

/// The suites of a run that have selected cases.
package struct SelectedSuites {
    /// The suites, in the given order; never empty.
    package let suites: [Suite]
    /// The selected cases of the suites, in the same order.
    package let plans: [SuitePlan]
    /// Remarks for the user that are not errors.
    package let notes: [String]

    /// Selects among `suites`. `seed` determines the samples; `isPart` is true if there are other suites, in which a
    /// pattern may match.
    ///
    /// - Throws: ``CommandFailure`` when any pattern or tag matches no case, since a case that the user wanted would
    ///   silently not run; also when no case is left.
    package init(_ suites: [Suite], _ selection: CaseSelection, seed: UInt64, isPart: Bool = false)
        throws(CommandFailure)
    {
        if !isPart { try Self.checkNames(suites, selection) }
        notes = isPart ? [] : try Self.checkTags(suites, selection)
        let plans = suites.map { selection.plan($0, seed: seed) }
        let selected = suites.indices.filter { !plans[$0].cases.isEmpty }
        guard !selected.isEmpty else { throw Self.nothing(plans, selection) }
        self.suites = selected.map { suites[$0] }
        self.plans = selected.map { plans[$0] }
    }

    private static func checkNames(_ suites: [Suite], _ selection: CaseSelection) throws(CommandFailure) {
        let unmatched = selection.unmatchedNames(in: suites)
        guard !unmatched.isEmpty else { return }
        let place = suites.count == 1 ? suites[0].file : "\(suites.count) suites"
        let lines = unmatched.map { pattern in
            let nearest = pattern.nearestNames(in: suites).map { "'\($0)'" }
            let suggestion =
                switch nearest.count {
                case 0: ""
                case 1: " (did you mean \(nearest[0])?)"
                default:
                    " (did you mean \(nearest.dropLast().joined(separator: ", ")) or \(nearest[nearest.count - 1])?)"
                }
            return "no case in \(place) matches '\(pattern)'\(suggestion)"
        }
        throw CommandFailure(.nothingRan, lines.joined(separator: "\n"), code: "suite.noCase")
    }

    /// Returns notes on tags to skip that no case has: this is not an error, but the tag may be mistyped.
    private static func checkTags(
        _ suites: [Suite], _ selection: CaseSelection
    ) throws(CommandFailure) -> [String] {
        let known = Set(suites.flatMap { suite in suite.tags + suite.cases.flatMap(\.tags) }).sorted()
        func unknown(_ tag: String) -> String? {
            guard !known.contains(tag) else { return nil }
            let tags = known.isEmpty ? "; there are no tags" : ", only: \(known.joined(separator: ", "))"
            return "no case has the tag '\(tag)'\(Suggestion.text(for: tag, in: known))\(tags)"
        }
        let lines = selection.tags.compactMap(unknown)
        guard lines.isEmpty else {
            throw CommandFailure(.nothingRan, lines.joined(separator: "\n"), code: "suite.noTag")
        }
        return selection.skippedTags.compactMap(unknown).map { "--skip-tag: \($0)" }
    }

    private static func nothing(_ plans: [SuitePlan], _ selection: CaseSelection) -> CommandFailure {
        let named = plans.reduce(0) { $0 + $1.namedCases }
        let tagged = plans.reduce(0) { $0 + $1.taggedCases }
        var parts: [String] = []
        if !selection.names.isEmpty { parts.append("\(named) match --case") }
        if !selection.tags.isEmpty || !selection.skippedTags.isEmpty { parts.append("\(tagged) have the wanted tags") }
        if let instances = selection.instances { parts.append("none is one of the \(instances.count) that failed") }
        let reason = parts.isEmpty ? "" : ": of all cases, " + parts.joined(separator: ", of these ")
        return CommandFailure(.nothingRan, "no case is left to run\(reason)", code: "suite.noCase")
    }
}
