import BLECore

/// What a board says of the bytes it has taken: the characteristic FFE2 of `Firmware/SerialBridge`, little-endian. Boards
/// without it are paced.
package struct BLESerialStatus: Hashable {
    /// The characteristic, in the service of the serial line.
    static let uuid = BLEUUID(0xFFE2)
    /// The shortest value; later bytes are ignored.
    private static let length = 20

    /// How many bytes of this connection the board has passed on to its UART, modulo 2³²; as long as it holds bytes of former
    /// connections, less than 0 by as many.
    var sent: UInt32
    /// How many bytes may have been written and not passed on.
    var capacity: Int
    /// Bytes that were written and did not fit, since the board's power-on.
    var lostFromClient: UInt32
    /// Bytes that came from the UART and did not fit, since the board's power-on.
    var lostFromUART: UInt32

    /// Reads a value; `nil` if it is too short, or has no capacity.
    package init?(_ value: [UInt8]) {
        guard value.count >= Self.length else { return nil }
        sent = value.littleEndian(at: 0)
        capacity = Int(min(value.littleEndian(at: 4), UInt32(BLESerialPace.windows.upperBound)))
        lostFromClient = value.littleEndian(at: 8)
        lostFromUART = value.littleEndian(at: 12)
        guard capacity > 0 else { return nil }
    }

    /// How many bytes of former connections the board still holds.
    var former: Int {
        let count = 0 &- sent
        return count <= UInt32(capacity) ? Int(count) : 0
    }

    /// How much a loss has grown; one that is smaller has begun anew.
    static func growth(_ new: UInt32, since old: UInt32) -> Int { Int(new >= old ? new - old : new) }
}
