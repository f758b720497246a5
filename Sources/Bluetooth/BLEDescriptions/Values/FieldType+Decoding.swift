extension FieldType {
    /// What `bytes` hold, which are as many as the type has.
    ///
    /// - Throws: `invalidValue`.
    func decode(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(DescriptionError) -> DescribedContent {
        switch self {
        case .integer(let width, let isSigned):
            let word = Self.word(bytes, isBigEndian)
            guard isSigned else { return .integer(Int128(word)) }
            let unused = UInt64(64 - 8 * width)
            return .integer(Int128(Int64(bitPattern: word << unused) >> Int64(unused)))
        case .bool: return .flag(bytes.first ?? 0 != 0)
        case .float32:
            let bits = UInt32(truncatingIfNeeded: Self.word(bytes, isBigEndian))
            return .real(Double(Float(bitPattern: bits)))
        case .float64: return .real(Double(bitPattern: Self.word(bytes, isBigEndian)))
        case .sfloat, .float:
            let bits = UInt32(truncatingIfNeeded: Self.word(bytes, isBigEndian))
            return .real(MedicalFloat.number(bits, self == .sfloat ? .sfloat : .float))
        case .utf8:
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw DescriptionError(.invalidValue, "expected a UTF-8 text, got \(bytes.count) bytes that are none")
            }
            return .text(text)
        case .utf16: return .text(try UTF16Text.text(bytes, isBigEndian: isBigEndian))
        case .bytes: return .bytes(isBigEndian ? Array(bytes) : bytes.reversed())
        }
    }

    private static func word(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> UInt64 {
        var word: UInt64 = 0
        if isBigEndian {
            for byte in bytes { word = word << 8 | UInt64(byte) }
        } else {
            var shift: UInt64 = 0
            for byte in bytes {
                word |= UInt64(byte) << shift
                shift += 8
            }
        }
        return word
    }
}
