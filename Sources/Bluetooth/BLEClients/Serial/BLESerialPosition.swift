import BLECore

/// Where a board's two streams are, so that after a lost link neither side repeats or leaves out a byte: the characteristic FFE3
/// of `Firmware/SerialBridge`, little-endian, whose numbers are counted from the board's power-on, modulo 2³².
package struct BLESerialPosition: Hashable {
    /// The characteristic, in the service of the HM-10.
    static let uuid = BLEUUID(0xFFE3)
    /// The shortest value; later bytes are ignored.
    private static let length = 12

    /// Another one at each power-on.
    var boot: UInt32
    /// How many bytes clients have written.
    var accepted: UInt32
    /// The number of the oldest byte that is kept for a client.
    var keptFrom: UInt32

    /// Reads a value; `nil` if it is too short.
    package init?(_ value: [UInt8]) {
        guard value.count >= Self.length else { return nil }
        (boot, accepted, keptFrom) = (value.littleEndian(at: 0), value.littleEndian(at: 4), value.littleEndian(at: 8))
    }
}

extension [UInt8] {
    /// The number of four bytes at `offset`, which are there.
    func littleEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// How far a client has received the stream of a board that numbers its bytes, over several connections: a pure state machine.
struct BLESerialReceiver {
    /// After how many bytes they are acknowledged at once.
    static let acknowledgedCount: UInt32 = 2048
    /// How long fewer wait.
    static let acknowledgedTime = Duration.milliseconds(50)

    private var boot: UInt32?
    private var received: UInt32 = 0
    private var acknowledged: UInt32 = 0

    /// A connection begins; returns what to write to the board: the number of the next byte that is expected.
    mutating func begin(_ position: BLESerialPosition) -> [UInt8] {
        // What was received and is kept nevertheless: its acknowledgement was lost.
        let repeated = received &- position.keptFrom
        if boot != position.boot || repeated > Self.longestRepetition { received = position.keptFrom }
        boot = position.boot
        return acknowledge()
    }

    /// More cannot be kept by a board: then another client has received what came in between.
    private static let longestRepetition: UInt32 = 1 << 20

    /// Bytes have come; returns whether to acknowledge them at once.
    mutating func receive(_ count: Int) -> Bool {
        received &+= UInt32(truncatingIfNeeded: count)
        return received &- acknowledged >= Self.acknowledgedCount
    }

    /// Whether something is not acknowledged.
    var isDue: Bool { received != acknowledged }

    /// What to write to acknowledge all.
    mutating func acknowledge() -> [UInt8] {
        acknowledged = received
        return (0..<4).map { UInt8(truncatingIfNeeded: received >> ($0 * 8)) }
    }
}
