public import YAMLReading

/// Files that describe parts with registers or commands in YAML; their format: `Sources/Board/BoardParts/README.md`.
public enum RegisterPartFile {
    /// The kind of part that a file describes.
    ///
    /// - Parameters:
    ///   - text: the contents of the file.
    ///   - file: its name, for the messages of faults.
    /// - Throws: all faults of the file, each with its line and column.
    public static func kind(_ text: String, file: String) throws(DocumentError) -> PartKind {
        try RegisterPartReader.kind(text, file: file)
    }

    /// A part of the program itself, whose file the tests have read.
    static func builtIn(_ name: String, _ bytes: [UInt8]) -> PartKind {
        do throws(DocumentError) {
            return try kind(String(decoding: bytes, as: UTF8.self), file: name + ".yaml")
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
