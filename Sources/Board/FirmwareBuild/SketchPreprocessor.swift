/// Builds the translation unit of a sketch from its `.ino` files, as arduino-cli does: `Arduino.h` in front, a
/// prototype for every function, and `#line` directives so that messages show the sketch's lines.
public enum SketchPreprocessor {
    /// One `.ino` file.
    public struct Source: Sendable {
        /// The path that messages show.
        public var path: String
        /// Its text.
        public var text: String

        /// A source with its path and text.
        public init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// The translation unit for `sources`, in their order.
    public static func translationUnit(_ sources: [Source]) -> String {
        let functions = sources.map { FunctionScanner.definitions(in: $0.text) }
        var prototypes = ""
        for (source, definitions) in zip(sources, functions) {
            for definition in definitions where definition.needsPrototype {
                prototypes += line(definition.line, source.path) + definition.signature + ";\n"
            }
        }
        var unit = "#include <Arduino.h>\n"
        for (source, definitions) in zip(sources, functions) {
            unit += line(1, source.path)
            // Before the first function: types that the sketch declares before it are known there.
            if !prototypes.isEmpty, let first = definitions.first {
                let bytes = Array(source.text.utf8)
                unit += String(decoding: bytes[..<first.offset], as: UTF8.self) + "\n"
                unit += prototypes + line(first.line, source.path)
                unit += String(decoding: bytes[first.offset...], as: UTF8.self) + "\n"
                prototypes = ""
            } else {
                unit += source.text + "\n"
            }
        }
        return unit
    }

    private static func line(_ number: Int, _ path: String) -> String {
        let escaped = path.reduce(into: "") { text, character in
            if character == "\\" || character == "\"" { text.append("\\") }
            text.append(character)
        }
        return "#line \(number) \"\(escaped)\"\n"
    }
}
