import YAMLReading
import Yams

/// The parts in a file: in a suite, or in one with only the mapping that stands under a suite's `parts`.
public struct PartsFile: Sendable {
    /// The parts of all boards.
    public let parts: [SuitePart]
    /// The boards that a suite names; empty: one.
    public let boards: [SuiteBoard]
    /// The sketch that a suite of one board names; `nil`: the one beside it.
    public let sketch: SketchReference?
    /// Notes on things without effect, such as parts of a diagram that cannot be simulated.
    public let notes: [DocumentError.Diagnostic]

    /// Reads a file from its text; `file` is its name in messages.
    ///
    /// - Parameter source: reads the files that it names, such as `parts/sensor.yaml`, relative to it.
    /// - Throws: ``SuiteError`` with every fault.
    public init(yaml: String, file: String, source: DescriptionSource?) throws(SuiteError) {
        let reader = SuiteReader(file: file, lines: yaml.lines, source)
        guard let root = reader.compose(yaml) else {
            try reader.diagnostics.finish()
            throw SuiteError(diagnostics: [])
        }
        if Self.isSuite(root) {
            let suite = try Suite(yaml: yaml, file: file, descriptions: source)
            (parts, boards, sketch, notes) = (suite.parts, suite.boards, suite.sketchReference, suite.notes)
        } else {
            reader.readParts(Self.isDiagram(root) ? Node(Self.name(of: file)) : root, of: nil)
            try reader.diagnostics.finish()
            (parts, boards, sketch, notes) = (reader.parts, [], nil, reader.notes)
        }
    }

    /// True for a mapping with the keys of a suite; parts have mappings under all of theirs.
    private static func isSuite(_ root: Node) -> Bool {
        root.mapping.map { $0["suite"]?.scalar != nil || $0["cases"]?.sequence != nil } ?? false
    }

    /// True for a diagram of parts and connections: it is read as a suite's `parts: diagram.json`.
    private static func isDiagram(_ root: Node) -> Bool { root.mapping?["parts"]?.sequence != nil }

    private static func name(of file: String) -> String { file.split(separator: "/").last.map(String.init) ?? file }
}
