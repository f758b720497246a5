extension FieldType {
    /// What stands for a value that is not given.
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

    /// What is accepted, for messages.
    var expectation: String {
        switch self {
        case .integer: "a number of \(integers?.lowerBound ?? 0) to \(integers?.upperBound ?? 0)"
        case .bool: "true or false"
        case .float32, .float64, .sfloat, .float: "a number that fits"
        case .utf8(let length), .utf16(let length): "a text" + (length.map { " of at most \($0) bytes" } ?? "")
        case .bytes(let length): "bytes" + (length.map { ", at most \($0)" } ?? "")
        }
    }

    /// The bytes; `nil` when `content` is of another kind, or does not fit. Shorter texts and bytes are filled with 0.
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
