import BLEPackets
public import MonotonicTime

/// Writes HCI traffic in the btsnoop format (RFC 1761 with datalink 1002, H4), which Wireshark, Bumble and Android's
/// tools read.
///
/// The format does not record the controller: if two controllers use the same connection handle at the same time,
/// Wireshark may reassemble fragments of both together.
public struct BTSnoop: Sendable {
    /// The file header.
    public static let header: [UInt8] = Array("btsnoop\0".utf8) + bigEndian(1, 4) + bigEndian(1002, 4)

    /// Microseconds from midnight, January 1st, 0 AD, to the Unix epoch.
    private static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    private let start: Int64

    /// A capture of a bench that was created `unixMicroseconds` after the Unix epoch.
    public init(startingAt unixMicroseconds: Int64) {
        start = Self.unixEpoch &+ unixMicroseconds
    }

    /// The record of one H4 packet (with its indicator), to be appended to the file.
    public func record(_ packet: [UInt8], isFromHost: Bool, at instant: MonotonicInstant) -> [UInt8] {
        // Bit 0: received from the controller; bit 1: a command or an event.
        let kind = packet.first.flatMap { HCIPacket.Kind(rawValue: $0) }
        let isData = kind == .acl || kind == .synchronous
        let flags = (isFromHost ? 0 : 1) | (isData ? 0 : 2)
        let time = start &+ instant.nanoseconds / 1000
        var record: [UInt8] = []
        record.reserveCapacity(24 + packet.count)
        record += Self.bigEndian(packet.count, 4)
        record += Self.bigEndian(packet.count, 4)
        record += Self.bigEndian(flags, 4)
        record += Self.bigEndian(0, 4)
        record += Self.bigEndian(Int(time), 8)
        return record + packet
    }

    private static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}
