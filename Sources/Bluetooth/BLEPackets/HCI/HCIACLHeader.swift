public import ByteCodec

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

    /// Reads a header; the payload stays unread.
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
    /// Whether it is an ACL data packet that begins an L2CAP frame.
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
