import BLEPackets

/// Cuts a stream of bytes into HCI packets (UART transport layer, "H4": Core 5.4, Vol 4 Part A).
///
/// Incremental: packets may come in any pieces. It never holds more than one unfinished packet, at most 65,540 bytes.
/// Isochronous data are cut out and dropped: no controller here has isochronous channels.
struct H4Parser {
    /// A byte where a packet should begin that begins none; after it the stream means nothing.
    struct IllegalType: Error, Equatable, CustomStringConvertible {
        /// What came.
        let byte: UInt8
        /// How many bytes came before it.
        let offset: Int

        var description: String {
            "expected an H4 packet type 01 to 05, got \(String(byte, radix: 16)) at byte \(offset) of the stream"
        }
    }

    /// The packet that has not come completely, from its type on.
    private var unfinished: [UInt8] = []
    /// How many bytes came before `unfinished`.
    private var consumed = 0
    /// How many packets have come completely.
    private(set) var packetCount = 0
    /// How many of them were dropped.
    private(set) var droppedCount = 0
    /// HCI ISO data.
    private static let isochronous: UInt8 = 5

    /// Whether the last bytes began a packet and did not end it.
    var isInsidePacket: Bool { !unfinished.isEmpty }

    /// Takes bytes, and appends the packets that they complete to `packets`.
    mutating func parse(_ bytes: [UInt8], into packets: inout [HCIPacket]) throws(IllegalType) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if unfinished.isEmpty {
                guard let size = try Self.size(of: rest, at: consumed), size <= rest.count else {
                    unfinished = Array(rest)
                    return
                }
                take(rest.prefix(size), into: &packets)
                rest = rest.dropFirst(size)
            } else {
                // Byte after byte until the header says how long the packet is.
                let size = try Self.size(of: unfinished[...], at: consumed) ?? unfinished.count + 1
                let part = rest.prefix(size - unfinished.count)
                unfinished += part
                rest = rest.dropFirst(part.count)
                if try Self.size(of: unfinished[...], at: consumed) == unfinished.count {
                    take(unfinished[...], into: &packets)
                    unfinished.removeAll(keepingCapacity: true)
                }
            }
        }
    }

    private mutating func take(_ packet: ArraySlice<UInt8>, into packets: inout [HCIPacket]) {
        consumed += packet.count
        packetCount += 1
        guard let kind = packet.first.flatMap(HCIPacket.Kind.init) else {
            droppedCount += 1
            return
        }
        packets.append(HCIPacket(kind, Array(packet.dropFirst())))
    }

    /// How long the packet that begins with `bytes` is, its type included; `nil` while the header is not complete.
    private static func size(of bytes: ArraySlice<UInt8>, at offset: Int) throws(IllegalType) -> Int? {
        let start = bytes.startIndex
        // Core 5.4, Vol 4 Part E 5.4.5: 14 bits of length.
        if bytes[start] == isochronous {
            return bytes.count < 5 ? nil : 5 + Int(bytes[start + 3]) + Int(bytes[start + 4] & 0x3F) << 8
        }
        guard let kind = HCIPacket.Kind(rawValue: bytes[start]) else {
            throw IllegalType(byte: bytes[start], offset: offset)
        }
        // Core 5.4, Vol 4 Part E 5.4.1 to 5.4.4.
        switch kind {
        case .command, .synchronous: return bytes.count < 4 ? nil : 4 + Int(bytes[start + 3])
        case .event: return bytes.count < 3 ? nil : 3 + Int(bytes[start + 2])
        case .acl: return bytes.count < 5 ? nil : 5 + Int(bytes[start + 3]) + Int(bytes[start + 4]) << 8
        }
    }
}

extension HCIPacket {
    /// The packet as H4 sends it: behind its type.
    public var h4: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + self.bytes.count)
        bytes.append(kind.rawValue)
        bytes += self.bytes
        return bytes
    }
}
