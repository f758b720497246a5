import Bench
import BenchModel
import BLECentral
import BLECore
public import BLEDescriptions
public import BoardParts
import YAMLReading
import Yams

extension Suite {
    /// Reads a suite from YAML text; `file` is its name in messages.
    ///
    /// - Parameter descriptions: reads the files of descriptions and parts that the suite names; `nil`: only those of the
    ///   catalogues can be named.
    /// - Throws: ``SuiteError`` with every unknown key, wrong type, unknown name, bad unit and bad expression.
    public init(
        yaml: String, file: String, descriptions: DescriptionSource? = nil
    ) throws(SuiteError) {
        let reader = SuiteReader(file: file, lines: yaml.lines, descriptions)
        guard let root = reader.compose(yaml), let suite = reader.suite(root) else {
            try reader.diagnostics.finish()
            throw SuiteError(diagnostics: [])
        }
        try reader.diagnostics.finish()
        self = suite
    }
}

/// Reads one suite's file: its head, and the tables to which its steps refer.
final class SuiteReader {
    static let defaultCentral = "first"
    /// The maximum number of steps of a suite; steps of YAML aliases count at each use, because a file of a few lines
    /// can expand to more steps than fit into memory.
    private static let maximumSteps = 50_000

    let diagnostics: DiagnosticCollector
    let scalars: ScalarReader
    private let file: String
    private let lines: [Substring]
    let descriptionSource: DescriptionSource?
    /// The suite's parts.
    var parts: [SuitePart] = []
    /// The entries `parts` of boards.
    var boardParts: [(node: Node, board: BoardReference)] = []
    /// Parts of diagrams that are not simulated, with the reasons; by their names, alone and after their boards'.
    var absentParts: [String: String] = [:]
    /// Remarks on diagrams.
    var notes: [DocumentError.Diagnostic] = []
    /// The names of parts that could not be read: steps that use them cause no further errors.
    var faultyParts: Set<String> = []
    /// True if `parts` could not be read; then any name may be a part's.
    var hasUnknownParts = false
    /// Descriptions that the suite names, which explain its values.
    var descriptions: [PeripheralDescription] = []
    var uuids: [NamedUUID] = []
    var centrals: [CentralDescription] = []
    var boards: [SuiteBoard] = []
    /// True if `boards` could not be read; then any name may be a board's.
    var hasUnknownBoards = false
    /// The board of steps that name no board.
    private(set) var defaultBoard: BoardReference?
    /// True if `uuids` could not be read; then any name may be a UUID's.
    var hasUnknownUUIDs = false
    /// Centrals that an earlier step has connected.
    var introducedCentrals: Set<Int> = []
    /// True if an earlier step could not be read, and may have connected any central.
    var mayHaveIntroduced = false {
        didSet { if mayHaveIntroduced { hasFaultySteps = true } }
    }
    /// True if ``mayHaveIntroduced`` has ever been true.
    private(set) var hasFaultySteps = false
    /// Centrals that the step being read mentions.
    var usedCentrals: Set<Int> = []
    /// The UUIDs that the step being read mentions, by their index in ``uuids``.
    var usedUUIDs: Set<Int> = []
    /// The entries of `centrals`, each with its central, to be checked after all steps have been read.
    var describedCentrals: [DescribedCentral] = []
    /// Centrals that any step of the suite connects.
    var connectedCentrals: Set<Int> = []
    private(set) var defaults = StepDefaults()
    /// The parameters of the case being read.
    private(set) var parameters: [String] = []
    private var stepCount = 0
    /// How often the step being read is run, by the repetitions of the blocks around it, as far as they are constant.
    var repetitions = 1

    init(file: String, lines: [Substring], _ descriptionSource: DescriptionSource?) {
        self.descriptionSource = descriptionSource
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
        let known = [
            "suite", "sketch", "boards", "parts", "tags", "description", "uuids", "centrals", "defaults", "before",
            "after",
            "cases",
        ]
        guard let fields = Fields(root, of: "a suite", known: known, diagnostics) else { return nil }
        let name = fields.required("suite", of: "the suite", diagnostics).flatMap { scalars.text($0, "a name") }
        if let node = fields["suite"] { checkCharacters(node) }
        if let node = fields["boards"] {
            readBoards(node)
            if fields["sketch"] != nil {
                diagnostics.report("a suite has a 'sketch' or 'boards' with a sketch each, got both", at: node)
            }
        }
        var sketch = fields["sketch"].flatMap { node in
            scalars.text(node, "a sketch").map { SketchReference(name: $0, position: node.position) }
        }
        sketch = sketch ?? boards.first?.reference
        let tags = fields["tags"].map(TagReader(scalars: scalars).tags) ?? []
        if let node = fields["description"] { readDescriptions(node, descriptionSource) }
        if let node = fields["uuids"] { readUUIDs(node) }
        if let node = fields["centrals"] { readCentrals(node) }
        if let node = fields["defaults"] { defaults = StepDefaults(node, scalars) }
        defaultBoard = namedBoard(defaults.board)
        if let node = fields["parts"] { readParts(node, of: nil) }
        for (node, board) in boardParts { readParts(node, of: board) }
        let before = fields["before"].map { steps($0) } ?? []
        let cases = fields.required("cases", of: "the suite", diagnostics).map { self.cases($0) } ?? []
        parameters = []
        introducedCentrals = Set(centrals.indices)
        let after = fields["after"].map { steps($0) } ?? []
        checkCentrals()
        guard let name else { return nil }
        let sketches = boards.isEmpty ? sketch?.name ?? "" : boards.map(\.sketch).joined(separator: ", ")
        var suite = Suite(
            file: file, name: name, sketchReference: sketch, sketch: sketches, boards: boards, uuids: uuids,
            centrals: centrals, before: before, after: after, cases: cases, tags: tags)
        suite.descriptions = descriptions
        suite.parts = parts
        suite.notes = notes
        return suite
    }

    // MARK: Cases

    private func cases(_ node: Node) -> [SuiteCase] {
        guard case .sequence(let sequence) = node, !sequence.isEmpty else {
            diagnostics.report("expected 'cases' to be a list of cases, got \(node.summary)", at: node)
            return []
        }
        let introducedBySuite = (introducedCentrals, mayHaveIntroduced)
        var namePositions: [String: SourcePosition] = [:]
        return sequence.compactMap { node in
            (introducedCentrals, mayHaveIntroduced) = introducedBySuite
            if let name = node.mapping?["name"] { checkName(name, &namePositions) }
            return suiteCase(node)
        }
    }

    /// Refuses two cases with the same name, since `--case` and reports could not distinguish them.
    private func checkName(_ node: Node, _ positions: inout [String: SourcePosition]) {
        guard let name = node.scalar?.string else { return }
        if name.isEmpty { return diagnostics.report("expected a name for the case, got an empty one", at: node) }
        checkCharacters(node)
        guard let first = positions[name] else {
            positions[name] = node.position
            return
        }
        diagnostics.report("two cases are named '\(name)', expected another name than in line \(first.line)", at: node)
    }

    /// Refuses characters in a name that would affect the terminal, or break a line in a report.
    private func checkCharacters(_ node: Node) {
        guard let name = node.scalar?.string,
            let control = name.unicodeScalars.first(where: { $0.properties.generalCategory == .control })
        else { return }
        diagnostics.report(
            "expected a name of printable characters, got one with control character 0x\(String(control.value, radix: 16))",
            at: node)
    }

    private func suiteCase(_ node: Node) -> SuiteCase? {
        let known = ["name", "tags", "each", "before", "steps"]
        guard let fields = Fields(node, of: "a case", known: known, diagnostics) else { return nil }
        let matrixReader = MatrixReader(scalars: scalars)
        let matrix = fields["each"].map { matrixReader.matrix($0) } ?? ParameterMatrix()
        let names = fields["each"].map { matrixReader.names($0) } ?? []
        parameters = names ?? []
        diagnostics.hasUnknownParameters = names == nil
        defer { diagnostics.hasUnknownParameters = false }
        let name = fields.required("name", of: "the case", diagnostics).flatMap {
            scalars.template($0, "a name", parameters)
        }
        if fields["before"] != nil { (introducedCentrals, mayHaveIntroduced) = ([], false) }
        let before = fields["before"].map { self.steps($0) }
        let tags = fields["tags"].map(TagReader(scalars: scalars).tags) ?? []
        let steps = fields.required("steps", of: "the case", diagnostics).map { provingSteps($0, of: "a case") }
        guard let matrix, let name, let steps else { return nil }
        return SuiteCase(name: name, matrix: matrix, before: before, steps: steps, position: node.position, tags: tags)
    }

    /// Steps of a list that must not be empty: a case without steps would always pass.
    func provingSteps(_ node: Node, of what: String) -> [Step] {
        if case .sequence(let sequence) = node, sequence.isEmpty {
            diagnostics.report("\(what) without steps proves nothing, expected at least one step", at: node)
        }
        return steps(node)
    }

    func steps(_ node: Node) -> [Step] {
        guard case .sequence(let sequence) = node else {
            let isUnspaced = node.scalar?.string.hasPrefix("-") == true
            let remedy = isUnspaced ? " (a space belongs after '-')" : ""
            diagnostics.report("expected a list of steps, got \(node.summary)\(remedy)", at: node)
            return []
        }
        var steps: [Step] = []
        var isFormerFaulty = false
        for node in sequence {
            stepCount += 1
            guard stepCount <= Self.maximumSteps else {
                if stepCount == Self.maximumSteps + 1 {
                    diagnostics.report("expected at most \(Self.maximumSteps) steps in a suite, got more", at: node)
                }
                break
            }
            guard let word = StepWord(node, diagnostics) else {
                (isFormerFaulty, mayHaveIntroduced) = (true, true)
                continue
            }
            if word.isExpectedError {
                // After a faulty step, `expect: {error: …}` is not checked, since the step's possible errors are not
                // known.
                if !isFormerFaulty { attachExpectedError(word, to: &steps) }
                continue
            }
            let step = read(word)
            isFormerFaulty = step == nil
            guard let (action, used) = step else {
                if word.introducesCentral { mayHaveIntroduced = true }
                continue
            }
            let limit = word.limit.flatMap { scalars.provingDuration($0, "'within'") }
            steps.append(
                Step(
                    action: action, position: node.position, source: source(at: node.position),
                    centralNeeds: needs(ofCentrals: used, uuids: usedUUIDs), centrals: used, limit: limit))
        }
        return steps
    }

    /// Reads a step and the centrals that it mentions.
    private func read(_ word: StepWord) -> (any SuiteStep, Set<Int>)? {
        let outer = usedCentrals
        usedCentrals = []
        usedUUIDs = []
        defer { usedCentrals.formUnion(outer) }
        guard let action = word.kind.read(StepText(node: word.node, argument: word.value, reader: self)) else {
            return nil
        }
        return (action, usedCentrals)
    }

    /// The abilities a bench needs for a step that uses these centrals and UUIDs.
    private func needs(ofCentrals used: Set<Int>, uuids usedUUIDs: Set<Int>) -> Set<BenchAbility> {
        var needs = used.reduce(into: Set<BenchAbility>()) { $0.formUnion(centrals[$1].needs) }
        if usedUUIDs.contains(where: { Self.systemCharacteristics.contains(uuids[$0].uuid) }) {
            needs.insert(.central(.systemServices))
        }
        return needs
    }

    /// The characteristics of GAP, the Battery Service and the Device Information Service (Assigned Numbers, 3.8).
    private static let systemCharacteristics: Set<BLEUUID> = Set(
        [0x2A00, 0x2A01, 0x2A04, 0x2AA6, 0x2AC9, 0x2A19, 0x2A50].map { BLEUUID($0) }
            + (0x2A23...0x2A2A as ClosedRange<UInt16>).map { BLEUUID($0) })

    /// The step's line as the user wrote it, without the list's hyphen.
    private func source(at position: SourcePosition) -> String {
        guard lines.indices.contains(position.line - 1) else { return "" }
        return String(lines[position.line - 1].drop { $0 == " " || $0 == "-" })
    }
}

/// Default values for steps: a suite's `defaults`.
struct StepDefaults {
    /// The time limit of an expectation.
    var within = Duration.seconds(1)
    /// The time limit of a scan or a connection attempt.
    var connect = Duration.seconds(5)
    /// True if writes ask for a response.
    var response = true
    /// The board of steps that name no board.
    var board: Node?

    init() {}

    init(_ node: Node, _ scalars: ScalarReader) {
        self.init()
        let known = ["within", "connect", "response", "board"]
        guard let fields = Fields(node, of: "'defaults'", known: known, scalars.diagnostics) else { return }
        within = fields["within"].flatMap { scalars.provingDuration($0, "'within'") } ?? within
        connect = fields["connect"].flatMap { scalars.provingDuration($0, "'connect'") } ?? connect
        board = fields["board"]
        response = fields["response"].flatMap { scalars.bool($0, "'response'") } ?? response
    }
}

/// Reads `tags` of suites and cases: words by which a run selects them.
struct TagReader {
    let scalars: ScalarReader

    /// The tags in order; a faulty tag is reported and omitted.
    func tags(_ node: Node) -> [String] {
        guard case .sequence(let sequence) = node else {
            scalars.diagnostics.report(
                "expected 'tags' to be a list such as [slow, security], got \(node.summary)", at: node)
            return []
        }
        var tags: [String] = []
        for node in sequence {
            guard let tag = node.scalar?.string, Self.isTag(tag) else {
                scalars.diagnostics.report(
                    "expected a tag of letters, digits, '_', '-' and '.', got \(node.summary)", at: node)
                continue
            }
            guard !tags.contains(tag) else {
                scalars.diagnostics.report("tag given twice: \(tag)", at: node)
                continue
            }
            tags.append(tag)
        }
        return tags
    }

    static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) } && !text.hasPrefix("-")
    }
}
