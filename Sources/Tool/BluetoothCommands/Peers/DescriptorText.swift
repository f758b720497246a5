internal import BLECore
internal import ByteCodec

/// The values of descriptors as text for people.
enum DescriptorText {
    /// The meaning of a descriptor's value; `nil`: there is none to tell, or the value is malformed.
    static func text(_ bytes: [UInt8], of uuid: BLEUUID) -> String? {
        switch uuid {
        case BLEUUID(0x2904): presentationFormat(bytes)
        default: nil
        }
    }

    /// Formats by number, from 1 (Bluetooth Assigned Numbers, 2.4.1).
    private static let formats = [
        "boolean", "uint2", "uint4", "uint8", "uint12", "uint16", "uint24", "uint32", "uint48", "uint64", "uint128",
        "sint8", "sint12", "sint16", "sint24", "sint32", "sint48", "sint64", "sint128", "float32", "float64",
        "medfloat16", "medfloat32", "uint16[2]", "utf8s", "utf16s", "struct", "medASN1",
    ]

    /// Common units (Bluetooth Assigned Numbers, 3.5).
    private static let units: [UInt16: String] = [
        0x2700: "without unit", 0x2701: "m", 0x2702: "kg", 0x2703: "s", 0x2704: "A", 0x2705: "K", 0x2722: "Hz",
        0x2724: "Pa", 0x2726: "W", 0x2728: "V", 0x272F: "°C", 0x2731: "lx", 0x27AD: "%", 0x27AF: "per minute",
    ]

    /// Characteristic Presentation Format (Core 5.4, Vol 3 Part G 3.3.3.5): `sint16 × 10^-2 °C`.
    private static func presentationFormat(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 7 else { return nil }
        let exponent = Int8(bitPattern: bytes[1])
        let (unit, description) = (UInt16(bytes[2]) | UInt16(bytes[3]) << 8, UInt16(bytes[5]) | UInt16(bytes[6]) << 8)
        let index = Int(bytes[0]) - 1
        let format = formats.indices.contains(index) ? formats[index] : "format 0x\(Hexadecimal.string([bytes[0]]))"
        var text = format + (exponent == 0 ? "" : " × 10^\(exponent)")
        text += " " + (units[unit] ?? "unit \(Hexadecimal.number(unit, digits: 4))")
        if description != 0 { text += ", description \(Hexadecimal.number(description, digits: 4))" }
        return text
    }
}
