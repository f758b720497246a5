public import SourceText

/// Everything that is wrong with a file in YAML: found before anything in it is used.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One fault.
    public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
        /// The file, as it was named.
        public var file: String
        /// Where the fault is.
        public var position: SourcePosition
        /// What is wrong, what was expected, what came; one line.
        public var message: String

        /// `file:line:column: message`, as compilers write it.
        public var description: String { "\(file):\(position.line):\(position.column): \(message)" }
    }

    /// The faults in the order of the file; never empty.
    public let diagnostics: [Diagnostic]

    package init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// One line per fault.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
