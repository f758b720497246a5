/// The table of known chips.
extension Chip {
    /// All known chips.
    public static let all: [Chip] = [
        .esp32, .esp32s2, .esp32s3, .esp32c2, .esp32c3, .esp32c5, .esp32c6, .esp32h2, .esp32p4,
    ]

    /// The chip with this id in its image headers.
    public static func withID(_ id: some BinaryInteger) -> Chip? {
        all.first { $0.id == id }
    }

    /// The chip whose magic register holds `magic`, of those identified by it.
    public static func withMagic(_ magic: UInt32) -> Chip? {
        all.first { !$0.reportsChipID && $0.magicValues.contains(magic) }
    }

    /// The chip called `name`, in Espressif's or esptool's spelling.
    public static func named(_ name: String) -> Chip? {
        all.first { $0.name == name || $0.identifier == name.lowercased() }
    }
}
