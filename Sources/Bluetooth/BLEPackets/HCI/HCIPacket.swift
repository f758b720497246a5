public import ByteCodec

/// One HCI packet without its H4 indicator (Core 5.4, Vol 4 Part E 5.4).
public struct HCIPacket: Hashable, Sendable {
    /// The H4 packet indicator (Core 5.4, Vol 4 Part A 2).
    public enum Kind: UInt8, Sendable {
        /// Host to controller.
        case command = 1
        /// Both directions.
        case acl = 2
        /// Both directions: audio of BR/EDR, which no controller here supports.
        case synchronous = 3
        /// Controller to host.
        case event = 4
    }

    /// The kind of packet.
    public var kind: Kind
    /// Header and parameters.
    public var bytes: [UInt8]

    /// A packet of `bytes`.
    public init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// The transport between a host and a controller: packets arrive complete and in order.
package protocol HCITransport: AnyObject, Sendable {
    /// Sends a packet; never calls the receiver synchronously.
    func send(_ packet: HCIPacket)

    /// Sets the receiver of packets; earlier packets are queued.
    func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void)

    /// Sets the handler of the transport's end, called once with the reason in one line; at once if the transport has
    /// already ended. Packets that arrived before the end are delivered first.
    func setLossHandler(_ handler: @escaping @Sendable (String) -> Void)
}

extension HCITransport {
    /// Does nothing: a transport within the program does not end.
    package func setLossHandler(_ handler: @escaping @Sendable (String) -> Void) {}
}

/// Parses a stream of bytes into HCI packets (UART transport layer, "H4": Core 5.4, Vol 4 Part A).
///
/// Incremental: packets may be split in any way. Buffers at most one incomplete packet of at most 65,540 bytes.
/// Isochronous data are discarded: no host and no controller here has isochronous channels.
package struct H4Parser: Sendable {
    /// An invalid packet type, after which the stream cannot be parsed.
    package struct IllegalType: Error, Equatable, CustomStringConvertible {
        /// The byte.
        package let byte: UInt8
        /// Its offset in the stream.
        package let offset: Int

        /// The expected and the found bytes.
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

    /// True if a packet is incomplete.
    package var isInsidePacket: Bool { !unfinished.isEmpty }

    /// Parses bytes, and appends the completed packets to `packets`.
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
                // Byte by byte until the header, which includes the length, is complete.
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

/// The header of an ACL data packet (Core 5.4, Vol 4 Part E 5.4.2).
public struct HCIACLHeader: Hashable, Sendable {
    /// A packet boundary flag.
    public enum Boundary: UInt8, Sendable {
        /// Starts a frame; from host to controller.
        case firstNonFlushable = 0
        /// Continues a frame.
        case continuing = 1
        /// Starts a frame; from controller to host.
        case firstFlushable = 2
        /// A whole frame; not on LE.
        case complete = 3
    }

    /// The size of a header in bytes.
    public static let size = 4

    /// The connection; 12 bits.
    public var handle: UInt16
    /// The packet boundary flag.
    public var boundary: Boundary
    /// The broadcast flag, 2 bits; 0 on LE.
    public var broadcast: UInt8
    /// The length of the payload in bytes.
    public var length: UInt16

    /// A header with these fields; bits of `handle` above 12 and of `broadcast` above 2 are not sent.
    @inlinable public init(handle: UInt16, boundary: Boundary, broadcast: UInt8 = 0, length: UInt16) {
        self.handle = handle
        self.boundary = boundary
        self.broadcast = broadcast
        self.length = length
    }

    /// Reads a header; the payload remains unread.
    @inlinable public init(from reader: inout ByteReader) throws(CodecError) {
        let flags = try reader.uint16()
        handle = flags & 0xFFF
        boundary = Boundary(rawValue: UInt8(truncatingIfNeeded: flags >> 12 & 3)) ?? .complete
        broadcast = UInt8(truncatingIfNeeded: flags >> 14)
        length = try reader.uint16()
    }

    /// Writes the header.
    @inlinable public func write(to writer: inout ByteWriter) {
        writer.uint16(handle & 0xFFF | UInt16(boundary.rawValue) << 12 | UInt16(broadcast & 3) << 14)
        writer.uint16(length)
    }

    /// Parses a packet: its header, and its payload without a copy. The length field must match.
    @inlinable public static func decode(_ bytes: [UInt8]) throws(CodecError) -> (
        header: HCIACLHeader, payload: ArraySlice<UInt8>
    ) {
        var reader = ByteReader(bytes, subject: "HCI ACL data")
        let header = try HCIACLHeader(from: &reader)
        let payload = try reader.slice(Int(header.length))
        try reader.end()
        return (header, payload)
    }
}

extension HCIPacket {
    /// True if it is an ACL data packet that begins an L2CAP frame.
    @inlinable public var startsFrame: Bool {
        kind == .acl && bytes.count > 1 && bytes[1] >> 4 & 3 != HCIACLHeader.Boundary.continuing.rawValue
    }

    /// An ACL data packet whose payload `write` writes in place, to avoid copies between layers.
    ///
    /// - Parameter capacity: the expected length of the payload, in bytes; at most 65,535 are sent.
    @inlinable public static func acl(
        handle: UInt16, boundary: HCIACLHeader.Boundary, capacity: Int, _ write: (inout ByteWriter) -> Void
    ) -> HCIPacket {
        var writer = ByteWriter(capacity: HCIACLHeader.size + capacity)
        HCIACLHeader(handle: handle, boundary: boundary, length: 0).write(to: &writer)
        write(&writer)
        writer.patchUInt16(UInt16(truncatingIfNeeded: writer.count - HCIACLHeader.size), at: 2)
        return HCIPacket(.acl, writer.bytes)
    }
}
