public import ESPChips
public import ESPProtocol

/// The board at the other end, as it told.
public struct ConnectedBoard: Hashable, Sendable {
    /// The chip.
    public let chip: Chip
    /// The six bytes of the MAC address in the chip's eFuses.
    public let macAddress: [UInt8]
    /// What the flash answers to "read identification" (9F): manufacturer, type and size, in the low 24 bits.
    public let flashID: UInt32

    /// Whether it is one of espbench's: their addresses are locally administered, which Espressif's never are.
    public var isVirtual: Bool { macAddress.first.map { $0 & 0x02 != 0 } ?? false }

    /// The size of the flash in bytes, as its id tells; `nil` when the id's size byte is not known.
    public var flashSize: UInt64? {
        switch (flashID >> 16) & 0xFF {
        case let code where (0x12...0x1C).contains(code): 1 << UInt64(code)
        // Some makers go on with decimal digits: 64, 128 and 256 MB.
        case let code where (0x20...0x22).contains(code): 1 << UInt64(code - 0x20 + 26)
        default: nil
        }
    }
}
