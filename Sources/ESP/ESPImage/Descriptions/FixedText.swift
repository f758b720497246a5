import ByteCodec

extension ByteWriter {
    /// Appends `text` in a field of `length` bytes, truncated so that it is NUL-terminated.
    mutating func fixedText(_ text: String, length: Int) {
        var bytes = Array(text.utf8.prefix(length - 1))
        // Do not split a UTF-8 character.
        while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        append(bytes)
        append(repeatElement(0, count: length - bytes.count))
    }
}

extension ByteReader {
    /// The text in a field of `length` bytes, up to its first 0.
    mutating func fixedText(length: Int) throws(CodecError) -> String {
        String(decoding: try slice(length).prefix { $0 != 0 }, as: UTF8.self)
    }
}
