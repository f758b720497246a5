/// The ROM of a 1-Wire device: the family, six bytes of serial number, a CRC.
struct OneWireROM: Hashable {
    /// The bytes in the order of their transmission: the family first, the CRC last.
    let bytes: [UInt8]

    /// The ROM of a family and a serial number.
    init(family: UInt8, serial: [UInt8]) {
        let start = [family] + serial.prefix(6) + Array(repeating: 0, count: max(6 - serial.count, 0))
        bytes = start + [Self.crc(start)]
    }

    /// Reads 16 hexadecimal digits, such as `28FF641E0F7706C1`; checks the CRC.
    init(_ text: String) throws(PartFault) {
        let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
        guard digits.count == 16, text.count == 16 else {
            throw PartFault("rom: expected 16 hexadecimal digits, the family first; got \"\(text)\"")
        }
        bytes = stride(from: 0, to: 16, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        let crc = Self.crc(bytes.dropLast())
        guard crc == bytes[7] else {
            let digits = String(crc, radix: 16, uppercase: true)
            throw PartFault("rom: the CRC at the end of \(text) is wrong: expected \(crc < 16 ? "0" : "")\(digits)")
        }
    }

    /// A bit in the order of the transmission, 0...63.
    func bit(_ index: Int) -> Bool { bytes[index / 8] >> (index % 8) & 1 == 1 }

    /// The CRC of 1-Wire devices: x⁸ + x⁵ + x⁴ + 1, bits from the lowest (Maxim application note 27).
    static func crc(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ byte) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x8C : value >> 1 }
        }
    }
}
