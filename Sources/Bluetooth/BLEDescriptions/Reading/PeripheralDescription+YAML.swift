public import YAMLReading
import SourceText

extension PeripheralDescription {
    /// Reads a description from YAML text; `file` is its name in messages. `README.md` of this target documents the format.
    ///
    /// - Throws: every fault with its line and column.
    public init(yaml: String, file: String) throws(DocumentError) {
        let diagnostics = DiagnosticCollector(file: file)
        var description: PeripheralDescription?
        switch diagnostics.document(yaml) {
        case .root(let root): description = DescriptionReader(diagnostics, yaml).peripheral(root)
        case .empty:
            diagnostics.report(
                "expected a description with the keys 'name' and 'services', the file is empty",
                at: SourcePosition(line: 1, column: 1))
        case .faulty: break
        }
        try diagnostics.finish()
        guard let description else { preconditionFailure("expected a report of what is wrong with \(file)") }
        self = description
    }
}
