import BLECore
import Bench
import BenchModel
import Yams

extension Suite {
    /// Reads a suite from YAML text; `file` is its name in messages.
    ///
    /// - Throws: ``SuiteError`` with every unknown key, wrong type, unknown name, bad unit and bad expression.
    public init(yaml: String, file: String) throws(SuiteError) {
        let reader = SuiteReader(file: file, lines: yaml.split(separator: "\n", omittingEmptySubsequences: false))
        guard let root = reader.compose(yaml), let suite = reader.suite(root) else {
            try reader.diagnostics.finish()
            throw SuiteError(diagnostics: [])
        }
        try reader.diagnostics.finish()
        self = suite
    }
}

/// Reads one suite's file: its head and the tables its steps point into.
final class SuiteReader {
    static let defaultCentral = "first"

    let diagnostics: DiagnosticCollector
    let scalars: ScalarReader
    private let file: String
    private let lines: [Substring]
    var uuids: [NamedUUID] = []
    var centrals: [CentralDescription] = []
    /// Clients that a step before the current one has connected.
    var introducedCentrals: Set<Int> = []
    /// Clients that the step being read speaks of.
    var usedCentrals: Set<Int> = []
    private(set) var defaults = StepDefaults()
    /// The parameters of the case being read.
    private(set) var parameters: [String] = []

    init(file: String, lines: [Substring]) {
        self.file = file
        self.lines = lines
        diagnostics = DiagnosticCollector(file: file)
        scalars = ScalarReader(diagnostics: diagnostics)
    }

    func compose(_ yaml: String) -> Node? {
        switch diagnostics.document(yaml) {
        case .root(let root): return root
        case .empty:
            diagnostics.report("expected a suite, got an empty file", at: SourcePosition(line: 1, column: 1))
        case .faulty: break
        }
        return nil
    }

    func suite(_ root: Node) -> Suite? {
        let known = ["suite", "sketch", "tags", "uuids", "centrals", "defaults", "before", "after", "cases"]
        guard let fields = Fields(root, of: "a suite", known: known, diagnostics) else { return nil }
        let name = fields.required("suite", of: "the suite", diagnostics).flatMap { scalars.text($0, "a name") }
        let sketch = fields["sketch"].flatMap { node in
            scalars.text(node, "a sketch").map { SketchReference(name: $0, position: node.position) }
        }
        let tags = fields["tags"].map(TagReader(scalars: scalars).tags) ?? []
        if let node = fields["uuids"] { readUUIDs(node) }
        if let node = fields["centrals"] { readCentrals(node) }
        if let node = fields["defaults"] { defaults = StepDefaults(node, scalars) }
        let before = fields["before"].map { steps($0) } ?? []
        let cases = fields.required("cases", of: "the suite", diagnostics).map { self.cases($0) } ?? []
        parameters = []
        introducedCentrals = Set(centrals.indices)
        let after = fields["after"].map { steps($0) } ?? []
        guard let name else { return nil }
        return Suite(
            file: file, name: name, sketchReference: sketch, sketch: sketch?.name ?? "", uuids: uuids,
            centrals: centrals, before: before, after: after, cases: cases, tags: tags)
    }

    // MARK: Cases

    private func cases(_ node: Node) -> [SuiteCase] {
        guard case .sequence(let sequence) = node, !sequence.isEmpty else {
            diagnostics.report("expected 'cases' to be a list of cases, got \(node.summary)", at: node)
            return []
        }
        let introducedBySuite = introducedCentrals
        return sequence.compactMap { node in
            introducedCentrals = introducedBySuite
            return suiteCase(node)
        }
    }

    private func suiteCase(_ node: Node) -> SuiteCase? {
        let known = ["name", "tags", "each", "before", "steps"]
        guard let fields = Fields(node, of: "a case", known: known, diagnostics) else { return nil }
        let matrixReader = MatrixReader(scalars: scalars)
        let matrix = fields["each"].map { matrixReader.matrix($0) } ?? ParameterMatrix()
        parameters = fields["each"].map { matrixReader.names($0) } ?? []
        let name = fields.required("name", of: "the case", diagnostics).flatMap {
            scalars.template($0, "a name", parameters)
        }
        if fields["before"] != nil { introducedCentrals = [] }
        let before = fields["before"].map { self.steps($0) }
        let tags = fields["tags"].map(TagReader(scalars: scalars).tags) ?? []
        let steps = fields.required("steps", of: "the case", diagnostics).map { self.steps($0) }
        guard let matrix, let name, let steps else { return nil }
        return SuiteCase(name: name, matrix: matrix, before: before, steps: steps, position: node.position, tags: tags)
    }

    func steps(_ node: Node) -> [Step] {
        guard case .sequence(let sequence) = node else {
            diagnostics.report("expected a list of steps, got \(node.summary)", at: node)
            return []
        }
        var steps: [Step] = []
        for node in sequence {
            guard let word = StepWord(node, diagnostics) else { continue }
            if word.isExpectedError {
                attachExpectedError(word, to: &steps)
            } else if let (action, centralNeeds) = read(word) {
                steps.append(
                    Step(
                        action: action, position: node.position, source: source(at: node.position),
                        centralNeeds: centralNeeds))
            }
        }
        return steps
    }

    /// Reads a step, and what the centrals that it speaks of need of a bench.
    private func read(_ word: StepWord) -> (any SuiteStep, Set<BenchAbility>)? {
        let outer = usedCentrals
        usedCentrals = []
        defer { usedCentrals.formUnion(outer) }
        guard let action = word.kind.read(StepText(node: word.node, argument: word.value, reader: self)) else {
            return nil
        }
        return (action, usedCentrals.reduce(into: []) { $0.formUnion(centrals[$1].needs) })
    }

    /// The step's line as the user wrote it, without the list's hyphen.
    private func source(at position: SourcePosition) -> String {
        guard lines.indices.contains(position.line - 1) else { return "" }
        return String(lines[position.line - 1].drop { $0 == " " || $0 == "-" })
    }
}
