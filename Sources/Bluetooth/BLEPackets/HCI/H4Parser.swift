/// Parses a stream of bytes into HCI packets (UART transport layer, "H4": Core 5.4, Vol 4 Part A).
///
/// Incremental: packets may be split in any way. It buffers at most one incomplete packet, at most 65,540 bytes.
/// Isochronous data are discarded: no host and no controller here has isochronous channels.
package struct H4Parser: Sendable {
    /// An invalid packet type; the stream cannot be parsed after it.
    package struct IllegalType: Error, Equatable, CustomStringConvertible {
        /// The byte.
        package let byte: UInt8
        /// Its offset in the stream.
        package let offset: Int

        /// What was expected and what was found.
        package var description: String {
            "expected an H4 packet type 01 to 05, got \(String(byte, radix: 16)) at byte \(offset) of the stream"
        }
    }

    /// The incomplete packet, including its type.
    private var unfinished: [UInt8] = []
    /// The offset of `unfinished` in the stream.
    private var consumed = 0
    /// The number of complete packets.
    package private(set) var packetCount = 0
    /// The number of discarded packets.
    package private(set) var droppedCount = 0
    /// HCI ISO data.
    private static let isochronous: UInt8 = 5

    /// A parser at the beginning of a stream.
    package init() {}

    /// Whether a packet is incomplete.
    package var isInsidePacket: Bool { !unfinished.isEmpty }

    /// Parses bytes, and appends the packets that they complete to `packets`.
    package mutating func parse(_ bytes: [UInt8], into packets: inout [HCIPacket]) throws(IllegalType) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if unfinished.isEmpty {
                guard let size = try Self.size(of: rest, at: consumed), size <= rest.count else {
                    unfinished = Array(rest)
                    return
                }
                append(rest.prefix(size), into: &packets)
                rest = rest.dropFirst(size)
            } else {
                // Byte by byte until the header with the length is complete.
                let size = try Self.size(of: unfinished[...], at: consumed) ?? unfinished.count + 1
                let part = rest.prefix(size - unfinished.count)
                unfinished += part
                rest = rest.dropFirst(part.count)
                if try Self.size(of: unfinished[...], at: consumed) == unfinished.count {
                    append(unfinished[...], into: &packets)
                    unfinished.removeAll(keepingCapacity: true)
                }
            }
        }
    }

    private mutating func append(_ packet: ArraySlice<UInt8>, into packets: inout [HCIPacket]) {
        consumed += packet.count
        packetCount += 1
        guard let kind = packet.first.flatMap(HCIPacket.Kind.init) else {
            droppedCount += 1
            return
        }
        packets.append(HCIPacket(kind, Array(packet.dropFirst())))
    }

    /// The length of the packet that begins with `bytes`, including its type; `nil` while the header is incomplete.
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
    /// The packet as sent over H4, with its type.
    public var h4: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + self.bytes.count)
        bytes.append(kind.rawValue)
        bytes += self.bytes
        return bytes
    }
}
