internal import ByteCodec
import BenchModel
import BenchSuites
import Foundation
import MonotonicTime

/// The instances of cases that failed when they last ran, for `--last-failed`.
package struct FailedCases: Equatable, Codable, Sendable {
    /// A failed instance.
    package struct Entry: Hashable, Codable, Sendable {
        /// The suite's file, an absolute path.
        package var file: String
        /// The case's name, with its places for values.
        package var caseName: String
        /// The instance's name.
        package var name: String
        /// The seed of the run.
        package var seed: UInt64

        package init(file: String, caseName: String, name: String, seed: UInt64) {
            self.file = file
            self.caseName = caseName
            self.name = name
            self.seed = seed
        }
    }

    /// The version of the stored format; other versions are not read.
    package var version = 1
    /// The project's folder, an absolute path.
    package var project: String
    /// The failed instances, in the order of the runs.
    package var entries: [Entry] = []

    /// An empty list for the project in this folder.
    package init(project: String) {
        self.project = project
    }

    /// Updates the list with the result of a run of `suite`; instances that were not run keep their former verdict.
    ///
    /// - Parameters:
    ///   - file: the suite's file, an absolute path.
    ///   - plan: the selected part of the suite.
    package mutating func update(_ result: SuiteResult, of suite: Suite, file: String, plan: SuitePlan) {
        let caseNames = Set(suite.cases.map(\.name.source))
        entries.removeAll { $0.file == file && !caseNames.contains($0.caseName) }
        let plans = Dictionary(
            plan.cases.map { (suite.cases[$0.index].name.source, $0) }, uniquingKeysWith: { first, _ in first })
        for caseResult in result.cases {
            guard let plan = plans[caseResult.name] else { continue }
            // Instances run in order; after the last one that ran, all others were skipped.
            let ran = caseResult.counts.passed + caseResult.counts.failed
            let old = Set(entries.filter { $0.file == file && $0.caseName == caseResult.name }.map(\.name))
            if !old.isEmpty, ran > 0 {
                let names = Set(suite.cases[plan.index].names(of: plan.instances.prefix(ran), among: old))
                let isWhole = ran == suite.cases[plan.index].matrix.count
                entries.removeAll {
                    $0.file == file && $0.caseName == caseResult.name && (isWhole || names.contains($0.name))
                }
            }
            entries += caseResult.failures.map {
                Entry(file: file, caseName: caseResult.name, name: $0.name, seed: result.run.seed)
            }
        }
    }
}

/// The file of a project's ``FailedCases``. It is in the user's state folder; the project's folder is not changed.
package struct FailedCasesFile: Sendable {
    private let path: String
    private let project: String

    /// The file for the project in a folder, given by its absolute path; `stateFolder`: ``Environment/stateFolder``.
    package init(project: String, stateFolder: String) {
        self.project = project
        let name = project.split(separator: "/").last.map(String.init) ?? "root"
        // The hash distinguishes projects with the same name.
        let hash = Hexadecimal.digits(stableHash(project.utf8), count: 16)
        path = "\(stateFolder)/last-failed/\(name)-\(hash).json"
    }

    /// The stored cases; `nil` if no file exists or it cannot be read.
    package func load() -> FailedCases? {
        guard let data = FileManager.default.contents(atPath: path),
            let cases = try? JSONDecoder().decode(FailedCases.self, from: data), cases.version == 1,
            cases.project == project
        else { return nil }
        return cases
    }

    /// Replaces the stored cases atomically.
    ///
    /// - Throws: when the file cannot be written; the old file is kept then.
    package func save(_ cases: FailedCases) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(cases).write(to: URL(filePath: path), options: .atomic)
    }
}
