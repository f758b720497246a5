/// A value to write, as users type it: words such as `0102`, `text:on`, `u16:500,-1` or `file:PATH`, one after the other.
package struct WrittenValue: Hashable, Sendable {
    /// The longest attribute value (Core 5.4, Vol 3 Part F 3.2.9).
    static let longest = 512

    /// What the help says about values.
    static let help = "hex digits such as 0102, text:TEXT, u8:NUMBER, u16:, i32:, f32:, …, or file:PATH"

    /// The bytes.
    package let bytes: [UInt8]

    /// The bytes of all `words`.
    ///
    /// - Throws: ``CommandFailure`` for a word that is no value, and for more than 512 bytes.
    package init(_ words: [String]) throws(CommandFailure) {
        var bytes: [UInt8] = []
        for word in words { bytes += try Self.bytes(word) }
        guard bytes.count <= Self.longest else {
            throw CommandFailure(
                .usage, "expected a value of at most \(Self.longest) bytes, got \(bytes.count)",
                code: "central.longValue")
        }
        self.bytes = bytes
    }

    private static func bytes(_ word: String) throws(CommandFailure) -> [UInt8] {
        guard let colon = word.firstIndex(of: ":") else { return try bytes(word[...], .hex, word) }
        let (name, rest) = (word[..<colon], word[word.index(after: colon)...])
        if name == "file" { return try InputFile.read(String(rest)) }
        if let kind = ValueKind(name) { return try bytes(rest, kind, word) }
        return try bytes(word[...], .hex, word)
    }

    private static func bytes(
        _ text: Substring, _ kind: ValueKind, _ word: String
    ) throws(CommandFailure) -> [UInt8] {
        guard let bytes = kind.bytes(of: text) else {
            throw CommandFailure(.usage, "expected \(kind.expectation), got '\(word)'", code: "central.value")
        }
        return bytes
    }
}
