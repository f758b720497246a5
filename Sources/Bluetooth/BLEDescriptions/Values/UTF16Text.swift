/// Text in UTF-16, as Foundation's `.utf16` and other systems send it.
enum UTF16Text {
    /// The text; a byte order mark at its beginning decides on the order, and is left out.
    ///
    /// - Throws: what is wrong with the bytes.
    static func text(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(DescriptionError) -> String {
        guard bytes.count.isMultiple(of: 2) else {
            throw DescriptionError(
                .invalidValue,
                "expected a UTF-16 text of an even number of bytes, got \(bytes.count) bytes, cut in half")
        }
        var units: [UInt16] = []
        for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 2) {
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        if units.first == 0xFFFE { for index in units.indices { units[index] = units[index].byteSwapped } }
        if units.first == 0xFEFF { units.removeFirst() }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw DescriptionError(.invalidValue, "expected a UTF-16 text, got half of a surrogate pair in it")
        }
        return text
    }

    /// The bytes, without a byte order mark.
    static func bytes(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isBigEndian ? [high, low] : [low, high]
        }
    }
}
