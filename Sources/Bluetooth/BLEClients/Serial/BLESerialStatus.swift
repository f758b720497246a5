import BLECore

/// What a board says of the bytes it has taken: the characteristic FFE2 of `Firmware/SerialBridge`, little-endian. Boards
/// without it are paced.
struct BLESerialStatus: Hashable {
    /// The characteristic, in the service of the serial line.
    static let uuid = BLEUUID(0xFFE2)
    /// The shortest value; later bytes are ignored.
    private static let length = 20

    /// How many bytes of this connection the board has passed on to its UART, modulo 2³².
    var sent: UInt32
    /// How many bytes may have been written and not passed on.
    var capacity: Int
    /// Bytes that were written and did not fit, since the board's power-on.
    var lostFromClient: UInt32
    /// Bytes that came from the UART and did not fit, since the board's power-on.
    var lostFromUART: UInt32

    /// Reads a value; `nil` if it is too short, or has no capacity.
    init?(_ value: [UInt8]) {
        guard value.count >= Self.length else { return nil }
        func number(_ offset: Int) -> UInt32 {
            value[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        sent = number(0)
        capacity = Int(min(number(4), UInt32(BLESerialPace.windows.upperBound)))
        lostFromClient = number(8)
        lostFromUART = number(12)
        guard capacity > 0 else { return nil }
    }

    /// How much a loss has grown; one that is smaller has begun anew.
    static func growth(_ new: UInt32, since old: UInt32) -> Int { Int(new >= old ? new - old : new) }
}
