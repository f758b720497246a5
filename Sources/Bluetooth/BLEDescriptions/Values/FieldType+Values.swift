extension FieldType {
    /// Decodes `bytes`, whose length must be that of the type.
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
                throw DescriptionError(
                    .invalidValue, "expected UTF-8 text, got \(bytes.count) bytes that are not UTF-8")
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

extension FieldType {
    /// The content of an omitted value.
    var zero: DescribedContent? {
        switch self {
        case .integer: .integer(0)
        case .bool: .flag(false)
        case .float32, .float64, .sfloat, .float: .real(0)
        case .utf8: .text("")
        case .utf16: .text("")
        case .bytes: .bytes([])
        }
    }

    /// A description of the accepted values, for messages.
    var expectation: String {
        switch self {
        case .integer: "a number of \(integers?.lowerBound ?? 0) to \(integers?.upperBound ?? 0)"
        case .bool: "true or false"
        case .float32, .float64, .sfloat, .float: "a number that fits"
        case .utf8(let length), .utf16(let length): "a text" + (length.map { " of at most \($0) bytes" } ?? "")
        case .bytes(let length): "bytes" + (length.map { ", at most \($0)" } ?? "")
        }
    }

    /// The bytes; `nil` if `content` is of another kind, or does not fit. Shorter texts and bytes are filled with 0.
    func encode(_ content: DescribedContent, isBigEndian: Bool) -> [UInt8]? {
        switch self {
        case .integer(let width, _):
            guard case .integer(let value) = content, let integers, integers.contains(value) else { return nil }
            return Self.bytes(UInt64(truncatingIfNeeded: value), width, isBigEndian)
        case .bool:
            guard let number = content.number else { return nil }
            return [number == 0 ? 0 : 1]
        case .float32:
            return content.number.map { Self.bytes(UInt64(Float($0).bitPattern), 4, isBigEndian) }
        case .float64: return content.number.map { Self.bytes($0.bitPattern, 8, isBigEndian) }
        case .sfloat:
            return content.number.flatMap { MedicalFloat.raw($0, .sfloat) }.map {
                Self.bytes(UInt64($0), 2, isBigEndian)
            }
        case .float:
            return content.number.flatMap { MedicalFloat.raw($0, .float) }.map {
                Self.bytes(UInt64($0), 4, isBigEndian)
            }
        case .utf8(let length):
            guard case .text(let text) = content else { return nil }
            return Self.filled(Array(text.utf8), length)
        case .utf16(let length):
            guard case .text(let text) = content else { return nil }
            return Self.filled(UTF16Text.bytes(text, isBigEndian: isBigEndian), length)
        case .bytes(let length):
            switch content {
            case .bytes(let bytes): return Self.filled(isBigEndian ? bytes : bytes.reversed(), length)
            case .text(let text): return Self.filled(Array(text.utf8), length)
            default: return nil
            }
        }
    }

    private static func bytes(_ value: UInt64, _ width: Int, _ isBigEndian: Bool) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (isBigEndian ? width - 1 - $0 : $0))) }
    }

    private static func filled(_ bytes: [UInt8], _ length: Int?) -> [UInt8]? {
        guard let length else { return bytes }
        return bytes.count > length ? nil : bytes + Array(repeating: 0, count: length - bytes.count)
    }
}

/// The numbers of IEEE 11073-20601 (SFLOAT and FLOAT): a mantissa and an exponent to the base 10, both signed.
enum MedicalFloat {
    /// The sizes of mantissa and exponent.
    enum Format {
        case sfloat
        case float

        var mantissaBits: Int { self == .sfloat ? 12 : 24 }
        var exponents: ClosedRange<Int> { self == .sfloat ? -8...7 : -128...127 }
        /// The largest mantissa of a number; larger ones and their negatives are special values.
        var largest: Int { (1 << (mantissaBits - 1)) - 3 }
    }

    /// The number; NaN also for "not at this resolution" and reserved values.
    static func number(_ raw: UInt32, _ format: Format) -> Double {
        let width = format.mantissaBits
        let sign = 1 << (width - 1)
        let field = Int(raw) & (1 << width - 1)
        let mantissa = field >= sign ? field - 2 * sign : field
        let high = Int(raw >> UInt32(width))
        // The special values: +∞ and −∞ next to the largest numbers, then those for NaN.
        switch mantissa {
        case _ where high != 0: break
        case sign - 2: return .infinity
        case 2 - sign: return -.infinity
        case sign - 1, -sign, 1 - sign: return .nan
        default: break
        }
        let exponent = high > format.exponents.upperBound ? high - 2 * (format.exponents.upperBound + 1) : high
        return scaled(mantissa, exponent)
    }

    /// The representation of `number` with as many digits as fit; `nil` if the number is too large.
    static func raw(_ number: Double, _ format: Format) -> UInt32? {
        let (width, sign) = (format.mantissaBits, 1 << (format.mantissaBits - 1))
        if number.isNaN { return UInt32(sign - 1) }
        if number.isInfinite { return UInt32((number > 0 ? sign - 2 : 2 - sign) & (1 << width - 1)) }
        for exponent in format.exponents {
            let mantissa = scaled(number, -exponent).rounded()
            guard abs(mantissa) <= Double(format.largest) else { continue }
            var (value, power) = (Int(mantissa), exponent)
            // The usual form: 36.5 is 365 × 10⁻¹.
            while value != 0, value.isMultiple(of: 10), power < 0 { (value, power) = (value / 10, power + 1) }
            if value == 0 { power = 0 }
            let bits = UInt32(bitPattern: Int32(power)) << UInt32(width)
            return (bits | UInt32(value & (1 << width - 1))) & (format == .sfloat ? 0xFFFF : .max)
        }
        return nil
    }

    /// Divides by exact powers of ten, so that 365 × 10⁻¹ is the number nearest to 36.5.
    private static func scaled(_ mantissa: Int, _ exponent: Int) -> Double { scaled(Double(mantissa), exponent) }

    private static func scaled(_ number: Double, _ exponent: Int) -> Double {
        exponent < 0 ? number / Math.power(10, Double(-exponent)) : number * Math.power(10, Double(exponent))
    }
}

/// Text in UTF-16, as sent by Foundation's `.utf16` and other systems.
enum UTF16Text {
    /// The text; a byte order mark at its beginning determines the order, and is removed.
    ///
    /// - Throws: the fault in the bytes.
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
