/// The registers of the SPI controller of the flash chip, for user-defined SPI commands.
public struct FlashController: Hashable, Sendable {
    /// The offsets of the registers from the base.
    struct Layout: Hashable, Sendable {
        let user: UInt32
        let data: UInt32
        let hasLeftAlignedAddress: Bool

        static let esp32 = Layout(user: 0x1C, data: 0x80, hasLeftAlignedAddress: true)
        static let newer = Layout(user: 0x18, data: 0x58, hasLeftAlignedAddress: false)
    }

    /// CMD: bit 18 starts a command, and is 0 when it is done.
    public let command: UInt32
    /// ADDR: the address to send.
    public let address: UInt32
    /// Whether a shorter address is in the upper bits of ``address``.
    public let hasLeftAlignedAddress: Bool
    /// USR: which phases a command has.
    public let user: UInt32
    /// USR1: the lengths of address and dummy phase.
    public let user1: UInt32
    /// USR2: opcode, and its length minus 1 in bits 28 to 31.
    public let user2: UInt32
    /// MOSI_DLEN: bits to send minus 1.
    public let sendLength: UInt32
    /// MISO_DLEN: bits to receive minus 1.
    public let receiveLength: UInt32
    /// W0: the first word of the data.
    public let data0: UInt32

    /// In ``command``: start, and busy.
    public static let commandStart: UInt32 = 1 << 18
    /// In ``user``: there is an opcode.
    public static let userHasCommand: UInt32 = 1 << 31
    /// In ``user``: there is an address phase.
    public static let userHasAddress: UInt32 = 1 << 30
    /// In ``user``: there is a dummy phase.
    public static let userHasDummy: UInt32 = 1 << 29
    /// In ``user``: there is a send phase.
    public static let userHasSend: UInt32 = 1 << 27
    /// In ``user1``: the first bit of the length of the address minus 1, 6 bits.
    public static let addressLengthShift: UInt32 = 26
    /// In ``user``: there is a receive phase.
    public static let userHasReceive: UInt32 = 1 << 28

    init(base: UInt32, layout: Layout) {
        command = base
        address = base + 4
        hasLeftAlignedAddress = layout.hasLeftAlignedAddress
        user = base + layout.user
        user1 = base + layout.user + 4
        user2 = base + layout.user + 8
        sendLength = base + layout.user + 12
        receiveLength = base + layout.user + 16
        data0 = base + layout.data
    }
}
