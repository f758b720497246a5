import ArgumentParser
import BenchProject
import BenchSuites
import CommandSupport

/// Completions for words that name cases, tags and benches.
enum SuiteCompletions {
    /// The kinds of bench, and the benches of the project.
    static let benches = CompletionKind.custom { words, _, _ in
        let file = Completions.project(of: words).flatMap { try? $0.finder.current().file }
        return Completions.unique(["virtual"] + (file?.benches.keys.map { $0 } ?? []))
    }

    /// The cases of the suites on the command line, or of the project.
    static let cases = CompletionKind.custom { words, _, _ in
        Completions.unique(suites(words).flatMap { $0.cases.map(\.name.source) })
    }

    /// The tags of these suites and their cases.
    static let tags = CompletionKind.custom { words, _, _ in
        Completions.unique(suites(words).flatMap { suite in suite.tags + suite.cases.flatMap(\.tags) })
    }

    /// The suites on the command line, or of the project; without those that cannot be read. Other options have files in
    /// YAML, too.
    private static func suites(_ words: [String]) -> [Suite] {
        guard let project = Completions.project(of: words) else { return [] }
        func read(_ given: [String]) -> [Suite] {
            ((try? project.suiteFiles(given)) ?? []).flatMap { (try? SuiteSession.read([$0], Project.suiteText)) ?? [] }
        }
        let given = words.filter { word in [".yaml", ".yml"].contains(where: word.hasSuffix) }.flatMap { read([$0]) }
        return given.isEmpty ? read([]) : given
    }
}
