/// Finds values in payloads whose size differs between a 64-bit build and the chip.
///
/// The compiler cannot distinguish them: in a 64-bit build `uint64_t`, which has 8 bytes on the chip, too, is `unsigned
/// long`. So this checks the type names in the source: of members of packed structures, and of arguments of `setValue`,
/// `notify` and `indicate`. Values of a type or function from another file are not found.
package struct LongPayloads {
    /// Types of 8 bytes in a 64-bit build and of 4 on the chip, besides `long`.
    private static let types: Set<String> = [
        "size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "ulong", "uint_fast16_t", "uint_fast32_t",
        "int_fast16_t", "int_fast32_t",
    ]
    /// Functions of Arduino that return such a value.
    private static let functions: Set<String> = ["millis", "micros", "pulseIn"]
    private static let payloads: Set<String> = ["setValue", "notify", "indicate"]

    private let source: SourceTokens
    private let words: [String]
    /// The lines between `#pragma pack(1)` and its end.
    private let packedLines: [Range<Int>]
    private let path: String

    /// Reads the text of the file at `path`.
    package init(_ text: [UInt8], path: String) {
        source = SourceTokens(text)
        words = source.tokens.map(source.string)
        packedLines = Self.packedLines(String(decoding: text, as: UTF8.self))
        self.path = path
    }

    /// A line for each, in order: `Lamp.ino:12: warning: …`.
    package var warnings: [String] {
        var found: [(line: Int, text: String)] = []
        for index in words.indices {
            if ["struct", "class", "union"].contains(words[index]) { found += members(at: index) }
            if Self.payloads.contains(words[index]), let argument = argument(of: index) {
                found.append(
                    (
                        source.tokens[index].line,
                        "'\(argument)' is sent with \(words[index])() and has 8 bytes here, 4 on the chip: use a type like uint32_t"
                    ))
            }
        }
        return found.map { "\(path):\($0.line): warning: \($0.text)" }
    }

    // MARK: Types

    /// True if a type of another size begins at `index`: `long` that is not `long long` or `long double`.
    private func isLong(at index: Int) -> Bool {
        if Self.types.contains(words[index]) { return true }
        guard words[index] == "long" else { return false }
        let near = [index - 1, index + 1].filter(words.indices.contains).map { words[$0] }
        return !near.contains("long") && !near.contains("double")
    }

    /// The name that is declared with the type at `index`, as in `unsigned long int count;`.
    private func name(declaredAt index: Int) -> String? {
        var next = index + 1
        while next < words.count, ["int", "unsigned", "signed", "const", "volatile"].contains(words[next]) { next += 1 }
        guard next + 1 < words.count, source.tokens[next].kind == .word else { return nil }
        return ["=", ";", ",", ")", "[", "{", ":"].contains(words[next + 1]) ? words[next] : nil
    }

    // MARK: Packed structures

    private func members(at start: Int) -> [(line: Int, text: String)] {
        guard let open = words[start...].firstIndex(where: { ["{", ";", "(", ")", "="].contains($0) }),
            words[open] == "{", let close = end(of: open)
        else {
            // `__attribute__((packed))` has parentheses before the brace.
            guard let attribute = attributeEnd(start), words.indices.contains(attribute),
                let open = words[attribute...].firstIndex(where: { $0 == "{" || $0 == ";" }), words[open] == "{",
                let close = end(of: open)
            else { return [] }
            return longMembers(open..<close, isPacked: words[start..<open].contains(where: Self.isPacked))
        }
        let tail = words[close...].prefix { $0 != ";" }
        let line = source.tokens[start].line
        let isPacked =
            words[start..<open].contains(where: Self.isPacked) || tail.contains(where: Self.isPacked)
            || packedLines.contains { $0.contains(line) }
        return longMembers(open..<close, isPacked: isPacked)
    }

    private static func isPacked(_ word: String) -> Bool { word == "packed" || word == "__packed__" }

    /// The end of an attribute between `struct` and its name.
    private func attributeEnd(_ start: Int) -> Int? {
        guard start + 2 < words.count, words[start + 1] == "__attribute__", words[start + 2] == "(" else { return nil }
        return end(of: start + 2).map { $0 + 1 }
    }

    private func longMembers(_ range: Range<Int>, isPacked: Bool) -> [(line: Int, text: String)] {
        guard isPacked else { return [] }
        return range.compactMap { index in
            guard isLong(at: index), let name = name(declaredAt: index) else { return nil }
            return (
                source.tokens[index].line,
                "'\(name)' in a packed structure has 8 bytes here, 4 on the chip: use a type like uint32_t"
            )
        }
    }

    /// The index of the closing brace or parenthesis for the one at `open`.
    private func end(of open: Int) -> Int? {
        var depth = 0
        for index in open..<words.count {
            if ["{", "("].contains(words[index]) { depth += 1 }
            if ["}", ")"].contains(words[index]) { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private static func packedLines(_ text: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let words = line.filter { !$0.isWhitespace }
            guard words.hasPrefix("#pragmapack(") else { continue }
            let isPacking = words.contains("1)")
            if let begun = start, !isPacking { ranges.append(begun..<index + 1) }
            start = isPacking ? start ?? index + 1 : nil
        }
        if let start { ranges.append(start..<lines.count + 1) }
        return ranges
    }

    // MARK: Arguments

    /// The argument of the call at `index` that has another size.
    private func argument(of index: Int) -> String? {
        // A call, not a declaration or definition of the function.
        guard index > 0, [".", "->"].contains(words[index - 1]),
            let open = words[(index + 1)...].prefix(8).firstIndex(of: "("), let close = end(of: open)
        else { return nil }
        if let type = (index + 1..<open).first(where: isLong) { return words[type] }
        let arguments = open + 1..<close
        // The sketch gives the length explicitly.
        let last = arguments.last.map { source.tokens[$0].kind == .number && words[$0 - 1] == "," } ?? false
        if last { return nil }
        for position in arguments {
            let word = words[position]
            if isLong(at: position) { return word }
            if Self.functions.contains(word), words[position + 1] == "(" { return word + "()" }
            if source.tokens[position].kind == .number, Self.isLongLiteral(word) { return word }
            let isMember = [".", "->", "::"].contains(words[position - 1])
            if source.tokens[position].kind == .word, !isMember, isDeclaredLong(word, before: position) { return word }
        }
        return nil
    }

    private static func isLongLiteral(_ number: String) -> Bool {
        let suffix = number.lowercased().reversed().prefix { "ul".contains($0) }
        return suffix.count { $0 == "l" } == 1
    }

    /// True if the nearest declaration above of the name has a type of another size.
    private func isDeclaredLong(_ name: String, before index: Int) -> Bool {
        for position in stride(from: index - 1, to: 0, by: -1) where words[position] == name {
            guard source.tokens[position - 1].kind == .word, position + 1 < index,
                ["=", ";", ",", ")", "[", "{", ":"].contains(words[position + 1])
            else { continue }
            var type = position - 1
            while type > 0, ["int", "const", "volatile", "unsigned", "signed"].contains(words[type]) { type -= 1 }
            let isType = isLong(at: type) || isLong(at: position - 1)
            if isType { return true }
            if words[position - 1] != "return" { return false }
        }
        return false
    }
}
