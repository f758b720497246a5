/// Builds the translation unit of a sketch from its `.ino` files as arduino-cli does: `Arduino.h` in front, a prototype
/// for each function before the first of them, and `#line` directives so that messages show the sketch's lines.
package struct SketchPreprocessor {
    /// One `.ino` file.
    package struct Tab {
        /// The path that messages show.
        package var path: String
        /// Its text, without byte order mark and carriage returns. The encoding is kept.
        package var text: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            self.path = path
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            let carriageReturn = UInt8(ascii: "\r")
            text = []
            text.reserveCapacity(bytes.count)
            for (index, byte) in bytes.enumerated().dropFirst(start) {
                guard byte == carriageReturn else {
                    text.append(byte)
                    continue
                }
                if index + 1 == bytes.count || bytes[index + 1] != .newline { text.append(.newline) }
            }
        }
    }

    private let tabs: [Tab]
    /// The text before the first tab.
    private let opening: String

    /// The unit of `tabs`, main file first.
    ///
    /// - Parameter header: included in front, `Arduino.h` or a precompiled header that contains it.
    package init(_ tabs: [Tab], header: String = "Arduino.h") {
        self.tabs = tabs
        opening = "#include <\(header)>\n"
    }

    /// The tabs, one after the other, without prototypes: the input of the preprocessor when functions are searched.
    package var merged: [UInt8] {
        tabs.reduce(into: Array(opening.utf8)) { unit, tab in
            unit += Array(Self.line(1, tab.path).utf8) + tab.text + [.newline]
        }
    }

    /// The unit with prototypes for the functions in `preprocessed`, the preprocessor's output for ``merged``.
    package func translationUnit(preprocessed: [UInt8]) -> [UInt8] {
        guard let main = tabs.first else { return merged }
        let scan = FunctionScanner(preprocessed, files: Set(tabs.map(\.path)))
        let prototypes = Self.prototypes(scan)
        guard !prototypes.isEmpty else { return merged }
        guard let line = Self.insertionLine(scan, main.path) else {
            return Array((opening + prototypes).utf8) + merged.dropFirst(opening.utf8.count)
        }
        let offset = Self.offset(ofLine: line, in: main.text)
        var unit = Array((opening + Self.line(1, main.path)).utf8) + main.text[..<offset] + [.newline]
        let lineThere = 1 + main.text[..<offset].count { $0 == .newline }
        unit += Array((prototypes + Self.line(lineThere, main.path)).utf8) + main.text[offset...] + [.newline]
        for tab in tabs.dropFirst() { unit += Array(Self.line(1, tab.path).utf8) + tab.text + [.newline] }
        return unit
    }

    /// A prototype for each function. Excluded are functions with default arguments, which must not be given twice, and
    /// functions that the sketch declares itself.
    private static func prototypes(_ scan: FunctionScanner) -> String {
        var known = scan.declared
        return scan.definitions.reduce(into: "") { text, definition in
            guard !definition.hasDefaults, known.insert(definition.signature).inserted else { return }
            text += line(definition.line, definition.file) + definition.prototype + ";\n"
        }
    }

    /// The line of the main file before which prototypes are inserted: that of its first function, or of the first
    /// declaration that passes a function on, if that is earlier. `nil` when it has neither.
    private static func insertionLine(_ scan: FunctionScanner, _ main: String) -> Int? {
        let names = Set(scan.definitions.map(\.name))
        let function = scan.definitions.first { $0.file == main }?.line
        let use = scan.uses.first { $0.file == main && !$0.names.isDisjoint(with: names) }?.line
        return [function, use].compactMap { $0 }.min()
    }

    /// The offset of the start of line `number`; if a comment covers it, of the next token, behind the comment.
    private static func offset(ofLine number: Int, in text: [UInt8]) -> Int {
        var offset = 0
        for _ in 1..<max(1, number) {
            guard let end = text[offset...].firstIndex(of: .newline) else { break }
            offset = end + 1
        }
        // The first token at or behind the line's start: between it and the token before are only comments and
        // directives.
        let tokens = SourceTokens(text).tokens
        let next = tokens.first { $0.range.lowerBound >= offset }?.range.lowerBound ?? offset
        let before = tokens.last { $0.range.upperBound <= offset }?.range.upperBound ?? 0
        return SourceTokens.isInComment(offset, of: text, from: before) ? next : offset
    }

    private static func line(_ number: Int, _ path: String) -> String {
        let escaped = path.reduce(into: "") { text, character in
            if character == "\\" || character == "\"" { text.append("\\") }
            text.append(character)
        }
        return "#line \(number) \"\(escaped)\"\n"
    }
}

extension SourceTokens {
    /// True if `offset` is inside a block comment that begins at or behind `start`; this range has only comments and
    /// directives.
    static func isInComment(_ offset: Int, of text: [UInt8], from start: Int) -> Bool {
        var index = start
        var isInComment = false
        var isInLineComment = false
        while index < offset {
            let pair = text[index..<min(index + 2, text.count)]
            if isInComment {
                if pair.elementsEqual("*/".utf8) {
                    isInComment = false
                    index += 1
                }
            } else if text[index] == .newline {
                isInLineComment = false
            } else if !isInLineComment, pair.elementsEqual("/*".utf8) {
                isInComment = true
                index += 1
            } else if pair.elementsEqual("//".utf8) {
                isInLineComment = true
            } else if !isInLineComment, text[index] == .quote {
                index = endOfLiteral(from: index, in: text)
            }
            index += 1
        }
        return isInComment
    }

    /// The quotation mark that ends the literal at `start`, or the end of its line.
    private static func endOfLiteral(from start: Int, in text: [UInt8]) -> Int {
        var index = start + 1
        while index < text.count, text[index] != .newline, text[index] != .quote {
            index += text[index] == .backslash ? 2 : 1
        }
        return index
    }
}
