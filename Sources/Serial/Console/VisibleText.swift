/// Converts a board's bytes to text without terminal control sequences.
///
/// Colour sequences (`ESC [ … m`, as ESP-IDF's log prints them) are dropped; every other control character, invisible
/// direction mark and byte that is not UTF-8 is written as its code.
public enum VisibleText {
    private static let escape: UInt8 = 0x1B
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text of `bytes`.
    public static func make(_ bytes: [UInt8]) -> String {
        String(decoding: visible(bytes), as: UTF8.self)
    }

    /// The text of `bytes` in UTF-8, its colour sequences included if `keepsColours`.
    public static func visible(_ bytes: [UInt8], keepsColours: Bool = false) -> [UInt8] {
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x09 }) { return bytes }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 16)
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == escape, let length = colourLength(rest) {
                if keepsColours { text.append(contentsOf: rest.prefix(length)) }
                rest = rest.dropFirst(length)
                continue
            }
            if byte < 0x80 {
                rest.removeFirst()
                if byte < 0x20 && byte != 0x09 || byte == 0x7F {
                    appendCode(byte, &text)
                } else {
                    text.append(byte)
                }
                continue
            }
            guard let (scalar, length) = scalar(rest) else {
                rest.removeFirst()
                appendCode(byte, &text)
                continue
            }
            if isVisible(scalar) {
                text.append(contentsOf: rest.prefix(length))
            } else {
                text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8)
            }
            rest = rest.dropFirst(length)
        }
        return text
    }

    private static func appendCode(_ byte: UInt8, _ text: inout [UInt8]) {
        text += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// How many bytes at the end of `bytes` may be the beginning of a character or of a colour sequence.
    static func incompleteLength(_ bytes: [UInt8]) -> Int {
        if let start = bytes.suffix(16).lastIndex(of: escape) {
            let sequence = bytes[start...]
            let isOpen = sequence.dropFirst().enumerated().allSatisfy { index, byte in
                index == 0
                    ? byte == UInt8(ascii: "[")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ";")
            }
            if isOpen { return sequence.count }
        }
        // The first byte of a UTF-8 character states how many follow.
        for (count, byte) in bytes.reversed().prefix(3).enumerated() where byte & 0xC0 != 0x80 {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > count + 1 ? count + 1 : 0
        }
        return 0
    }

    /// The length of the colour sequence at the front: ESC [, digits and semicolons, m (ECMA-48 8.3.117).
    static func colourLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.dropFirst().first == UInt8(ascii: "[") else { return nil }
        let parameters = bytes.dropFirst(2).prefix {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ";")
        }
        guard parameters.endIndex < bytes.endIndex, bytes[parameters.endIndex] == UInt8(ascii: "m") else { return nil }
        return parameters.endIndex + 1 - bytes.startIndex
    }

    /// The well-formed UTF-8 scalar at the front, and its length.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return (scalar, UTF8.width(scalar))
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
