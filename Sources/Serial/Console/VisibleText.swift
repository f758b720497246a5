/// Converts a board's bytes to text without terminal control sequences.
///
/// Colour sequences (`ESC [ … m`, as ESP-IDF's log prints them) are dropped; every other control character, invisible
/// direction mark and byte that is not UTF-8 is written as its code.
public enum VisibleText {
    private static let escape: UInt8 = 0x1B
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text of `bytes`.
    public static func make(_ bytes: [UInt8]) -> String {
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x09 }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 16)
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == escape, let length = colourLength(rest) {
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
        return String(decoding: text, as: UTF8.self)
    }

    private static func appendCode(_ byte: UInt8, _ text: inout [UInt8]) {
        text += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// The length of the colour sequence at the front: ESC [, digits and semicolons, m (ECMA-48 8.3.117).
    private static func colourLength(_ bytes: ArraySlice<UInt8>) -> Int? {
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
