/// A number in the bits of one or more words of a chip's address space, such as a revision in the eFuses.
///
/// A flasher reads ``addresses`` and calls ``value(in:)``; a virtual board stores the number with ``store(_:in:)``.
public struct RegisterField: Hashable, Sendable {
    /// Adjacent bits of one word.
    public struct Piece: Hashable, Sendable {
        /// The word's address.
        public let address: UInt32
        /// The lowest bit.
        public let shift: UInt32
        /// The number of bits, 1 to 31.
        public let width: UInt32

        /// The bits in the word.
        public var mask: UInt32 { ((1 << width) - 1) << shift }
    }

    /// The pieces, least significant bits first.
    public let pieces: [Piece]

    init(_ address: UInt32, _ shift: UInt32, _ width: UInt32) {
        pieces = [Piece(address: address, shift: shift, width: width)]
    }

    init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    /// A field with `other` as its more significant bits.
    func and(_ address: UInt32, _ shift: UInt32, _ width: UInt32) -> RegisterField {
        RegisterField(pieces + [Piece(address: address, shift: shift, width: width)])
    }

    /// The addresses of the field's words.
    public var addresses: [UInt32] { pieces.map(\.address) }

    /// The number, from `words` keyed by address; a missing word counts as 0.
    public func value(in words: [UInt32: UInt32]) -> UInt32 {
        var value: UInt32 = 0
        var position: UInt32 = 0
        for piece in pieces {
            value |= (((words[piece.address] ?? 0) & piece.mask) >> piece.shift) << position
            position += piece.width
        }
        return value
    }

    /// Sets the field to `value` in `words`; bits that do not fit are dropped.
    public func store(_ value: UInt32, in words: inout [UInt32: UInt32]) {
        var rest = value
        for piece in pieces {
            words[piece.address, default: 0] &= ~piece.mask
            words[piece.address, default: 0] |= (rest << piece.shift) & piece.mask
            rest >>= piece.width
        }
    }
}

/// The registers by which a flasher stops a chip's watchdogs, and resets the chip without its EN pin.
public struct ResetRegisters: Hashable, Sendable {
    /// The RTC watchdog: CONFIG0 (enable, stages), CONFIG1 (time of stage 0), WPROTECT.
    public let config: UInt32
    /// The time of the first stage, in slow clock cycles.
    public let time: UInt32
    /// Write ``watchdogKey`` here to unlock the watchdog's registers, 0 to lock them.
    public let writeProtect: UInt32
    /// The value of ``config`` that lets stage 0 reset the chip and its RTC domain, so that the chip samples its boot
    /// pins again.
    public let enable: UInt32
    /// True if a flasher resets the chip with the watchdog; otherwise the registers only serve to stop it.
    public let canReset: Bool
    /// The super watchdog; `nil` where a flasher need not stop it.
    public let superWatchdog: SuperWatchdog?

    /// The super watchdog, which runs while the chip is on USB.
    public struct SuperWatchdog: Hashable, Sendable {
        /// SWD_CONF.
        public let config: UInt32
        /// The bit of ``config`` that feeds it automatically.
        public let automaticFeed: UInt32
        /// Write ``key`` here to unlock ``config``, 0 to lock it.
        public let writeProtect: UInt32
        /// The key of ``writeProtect``.
        public let key: UInt32
    }

    /// Unlocks the watchdog's registers.
    public static let watchdogKey: UInt32 = 0x50D8_3AA1

    init(
        _ config: UInt32, protect: UInt32, enable: UInt32 = 1 << 31 | 5 << 28 | 1 << 8 | 2, canReset: Bool = true,
        superWatchdog: SuperWatchdog? = nil
    ) {
        self.enable = enable
        self.config = config
        time = config + 4
        writeProtect = protect
        self.canReset = canReset
        self.superWatchdog = superWatchdog
    }
}

/// The ROM's number of the channel in use (UART or USB), and the register that forces download mode over USB.
public struct USBRegisters: Hashable, Sendable {
    /// The word in ROM memory with the number of the channel in use; `nil`: unknown; the port's USB ids then identify
    /// the controller.
    public let channel: UInt32?
    /// The number of the USB-OTG controller in ``channel``.
    public let otgChannel: UInt32?
    /// The number of the USB-Serial-JTAG controller in ``channel``.
    public let serialJTAGChannel: UInt32?
    /// The register that forces download mode at the next reset, and its bit; `nil`: none.
    public let forceDownload: RegisterField?

    init(
        channel: UInt32? = nil, otg: UInt32? = nil, serialJTAG: UInt32? = nil, forceDownload: RegisterField? = nil
    ) {
        self.channel = channel
        otgChannel = otg
        serialJTAGChannel = serialJTAG
        self.forceDownload = forceDownload
    }
}

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

    /// CMD: bit 18 starts a command, and reads 0 when the command is done.
    public let command: UInt32
    /// ADDR: the address to send.
    public let address: UInt32
    /// True if a shorter address is in the upper bits of ``address``.
    public let hasLeftAlignedAddress: Bool
    /// USR: the phases of a command.
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

/// A chip's address ranges into which images load.
public struct MemoryMap: Hashable, Sendable {
    /// Addresses at which the cache maps flash as data.
    public let flashData: Range<UInt32>
    /// Addresses at which the cache maps flash as instructions; may equal ``flashData``.
    public let flashInstructions: Range<UInt32>
    /// RAM that a bootloader can load; the first range is the data RAM.
    public let ram: [Range<UInt32>]

    /// The size of a cache page, in bytes.
    public static let flashPageSize: UInt32 = 0x1_0000

    /// True if a segment at `address` is mapped instead of copied.
    public func isMapped(_ address: UInt32) -> Bool {
        flashData.contains(address) || flashInstructions.contains(address)
    }

    /// True if `count` bytes at `address` fit into one of the chip's memories.
    public func canLoad(_ count: Int, at address: UInt32) -> Bool {
        Self.fits(count, at: address, in: ram + [flashData, flashInstructions])
    }

    /// True if `count` bytes at `address` fit into the chip's RAM.
    public func hasRAM(_ count: Int, at address: UInt32) -> Bool { Self.fits(count, at: address, in: ram) }

    private static func fits(_ count: Int, at address: UInt32, in ranges: [Range<UInt32>]) -> Bool {
        ranges.contains { $0.contains(address) && UInt64(count) <= UInt64($0.upperBound - address) }
    }
}

/// The ESP32's ROM measures the frequency of its crystal: it counts crystal cycles against its RC oscillator, whose
/// frequency the eFuses state. The oscillator drifts, so the result and the baud rates derived from it are inexact;
/// flashers read both registers and request a corrected rate ("Change Baudrate", ESP serial protocol).
package enum ESP32Clock {
    /// TIMG0_RTCCALICFG1: the counted cycles, in bits 7 to 31.
    package static let calibrationRegister: UInt32 = 0x3FF5_F06C
    /// EFUSE_BLK0_RDATA4: the oscillator's frequency, in bits 0 to 7.
    package static let oscillatorFuse: UInt32 = 0x3FF5_A010
}
