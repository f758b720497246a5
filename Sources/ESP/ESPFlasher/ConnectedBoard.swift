public import ESPChips
import ESPProtocol

/// The identification of the connected board.
public struct ConnectedBoard: Hashable, Sendable {
    /// The chip.
    public let chip: Chip
    /// The six bytes of the MAC address in the chip's eFuses.
    public let macAddress: [UInt8]
    /// The flash's answer to "read identification" (9F): manufacturer, type and size, in the low 24 bits.
    public let flashID: UInt32

    /// Whether it is a virtual board: its MAC address is locally administered, which Espressif's never are.
    public var isVirtual: Bool { macAddress.first.map { $0 & 0x02 != 0 } ?? false }

    /// The size of the flash in bytes, from its id; `nil` when the id's size byte is not known.
    public var flashSize: UInt64? {
        switch (flashID >> 16) & 0xFF {
        case let code where (0x12...0x1C).contains(code): 1 << UInt64(code)
        // Some manufacturers continue with decimal digits: 64, 128 and 256 MB.
        case let code where (0x20...0x22).contains(code): 1 << UInt64(code - 0x20 + 26)
        default: nil
        }
    }
}
