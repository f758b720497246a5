import BLECore
import BLEPackets
import ByteCodec

/// The fields of a decoded packet as text, e.g. `active, interval 96, window 48`. Names are those of the packet's type.
struct FieldText {
    /// How many bytes of a value are shown, and how many elements of a list.
    private static let (shownBytes, shownElements) = (32, 4)

    /// What an attribute handle is called, if it has a name.
    let attributeName: (UInt16) -> String?

    /// The fields of `packet`, with a comma between them; empty when it has none.
    func text(_ packet: some Any) -> String {
        fields(packet).joined(separator: ", ")
    }

    private func fields(_ value: Any) -> [String] {
        Mirror(reflecting: value).children.compactMap { child in
            child.label.flatMap { field($0, child.value) }
        }
    }

    /// A field with its name; `nil` when it has no value.
    private func field(_ label: String, _ value: Any) -> String? {
        let words = Self.words(label)
        switch value {
        case let flag as Bool:
            guard words.hasPrefix("is ") else { return (flag ? "" : "no ") + words }
            return (flag ? "" : "not ") + words.dropFirst(3)
        case let handle as UInt16 where words.hasSuffix("handle"):
            let number = Self.hexadecimal(handle)
            return attributeName(handle).map { "\($0) (\(number))" } ?? "\(words) \(number)"
        case let bits as any FixedWidthInteger where words.contains("mask") || words.contains("features"):
            return "\(words) 0x\(String(UInt64(truncatingIfNeeded: bits), radix: 16))"
        default:
            guard let text = text(ofValue: value) else { return nil }
            return "\(words) \(text)"
        }
    }

    /// A value without a name; `nil` when there is none.
    private func text(ofValue value: Any) -> String? {
        switch value {
        case let bytes as [UInt8]: return Self.text(bytes[...])
        case let bytes as ArraySlice<UInt8>: return Self.text(bytes)
        case let text as any CustomStringConvertible & RawRepresentable: return text.description
        case let address as DeviceAddress: return address.description
        case let uuid as BLEUUID: return uuid.description
        case let flags as any OptionSet:
            guard let bits = flags.rawValue as? any FixedWidthInteger else { break }
            return "0x" + String(UInt64(truncatingIfNeeded: bits), radix: 16)
        case let number as any FixedWidthInteger where number.bitWidth >= 64 && !(number is Int):
            // Keys and random numbers.
            return "0x" + String(UInt128(truncatingIfNeeded: number), radix: 16)
        case let number as any BinaryInteger: return "\(number)"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { text(ofValue: $0.value) }
        case .collection, .set:
            let elements = mirror.children.prefix(Self.shownElements).map { text(ofValue: $0.value) ?? "?" }
            let rest = mirror.children.count - elements.count
            return "[" + (elements + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: "; ") + "]"
        case .struct where !mirror.children.isEmpty:
            // A number that is not among its type's constants.
            if let value = value as? any RawRepresentable { return text(ofValue: value.rawValue) }
            return fields(value).joined(separator: ", ")
        case .enum, .struct, .tuple: return Self.words("\(value)")
        default: return "\(value)"
        }
    }

    /// Bytes in hexadecimal, of many the first ones.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.isEmpty { return "(no bytes)" }
        let shown = Hexadecimal.string(bytes.prefix(shownBytes), separator: " ")
        return bytes.count > shownBytes ? "\(shown) … (\(bytes.count) bytes)" : shown
    }

    static func hexadecimal(_ number: UInt16) -> String {
        "0x" + String(Int(number) + 0x10000, radix: 16).dropFirst()
    }

    /// `ownAddressType` as words: `own address type`.
    static func words(_ name: String) -> String {
        var words = ""
        var former: Character = " "
        for character in name {
            if character.isUppercase, former.isLowercase || former.isNumber { words += " " }
            words.append(character)
            former = character
        }
        // Abbreviations keep their capitals.
        return words.split(separator: " ").map { word in
            word.dropFirst().contains(where: \.isUppercase) ? String(word) : word.lowercased()
        }.joined(separator: " ")
    }
}
