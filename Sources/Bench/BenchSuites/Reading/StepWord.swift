import BenchModel
import YAMLReading
import Yams

/// A step as written in the file: its kind and its arguments.
struct StepWord {
    /// The whole step.
    let node: Node
    let kind: StepKind
    /// The word's argument; `nil`: the word has none.
    let value: Node?

    init?(_ node: Node, _ diagnostics: DiagnosticCollector) {
        let expected = "expected one of: \(StepKind.all.map(\.word).list)"
        switch node {
        case .scalar(let scalar):
            guard let kind = StepKind.byWord[scalar.string] else { break }
            guard kind.argument != .required else {
                let example = kind.examples.first.map { ", such as '\($0)'" } ?? ""
                diagnostics.report(
                    "'\(scalar.string)' needs a value, expected '\(scalar.string): …'\(example)", at: node)
                return nil
            }
            self.init(node: node, kind: kind, value: nil)
            return
        case .mapping(let mapping):
            guard mapping.count == 1, let (key, value) = mapping.first else {
                diagnostics.report("expected one step with one word, got \(mapping.count) keys", at: node)
                return nil
            }
            guard let kind = key.scalar.flatMap({ StepKind.byWord[$0.string] }) else {
                diagnostics.report("unknown step \(key.summary)\(Self.meant(key)), \(expected)", at: key)
                return nil
            }
            self.init(node: node, kind: kind, value: value)
            return
        case .sequence, .alias: break
        }
        diagnostics.report("unknown step \(node.summary)\(Self.meant(node)), \(expected)", at: node)
        return nil
    }

    /// A suggestion to correct an unknown word.
    private static func meant(_ node: Node) -> String {
        let text = node.scalar?.string ?? ""
        if text.contains(" - ") { return " (the next item of a list begins in the same column)" }
        if let colon = text.firstIndex(of: ":"), StepKind.byWord[String(text[..<colon])] != nil {
            return " (a space belongs after ':')"
        }
        return Suggestion.text(for: text, in: StepKind.all.map(\.word))
    }

    private init(node: Node, kind: StepKind, value: Node?) {
        self.node = node
        self.kind = kind
        self.value = value
    }

    /// The time limit of the whole step, if the step sets one.
    var limit: Node? { kind.isLimited ? value?.mapping?["within"] : nil }

    /// True if steps of this kind introduce a central to the steps after them.
    var introducesCentral: Bool { [ConnectStep.kind.word, ScanStep.kind.word].contains(kind.word) }

    /// True if this is `expect: {error: …}`, which belongs to the operation before it.
    var isExpectedError: Bool {
        kind.word == ExpectStep.kind.word && (value?.mapping?.keys.contains { $0.scalar?.string == "error" } ?? false)
    }
}

/// The text of a step, from which its kind reads the step.
struct StepText {
    /// The whole step.
    let node: Node
    /// The word's argument; `nil`: the word has none, which is valid only for kinds with an optional argument.
    let argument: Node?
    /// The reader of the suite's file.
    let reader: SuiteReader

    /// The word's argument, for kinds that require one.
    var value: Node { argument ?? node }
    var diagnostics: DiagnosticCollector { reader.diagnostics }
    var scalars: ScalarReader { reader.scalars }
    var parameters: [String] { reader.parameters }

    /// The keys of the argument, which must be a mapping.
    func fields(of what: String, _ known: [String]) -> Fields? { Fields(value, of: what, known: known, diagnostics) }

    /// The central of a step without other arguments: its name alone or under `on`; without a name, the default
    /// central.
    func central(_ what: String) -> CentralReference? {
        guard let argument, case .mapping = argument else { return reader.central(argument, for: node) }
        return fields(of: what, ["on", "within"]).flatMap { reader.central($0["on"], for: node) }
    }

    /// Reports an error and returns `nil`.
    func refuse<Value>(_ message: String, at node: Node) -> Value? {
        diagnostics.report(message, at: node)
        return nil
    }
}
