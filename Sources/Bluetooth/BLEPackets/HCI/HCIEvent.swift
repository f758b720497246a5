public import ByteCodec

/// One kind of event, from controller to host (Core 5.4, Vol 4 Part E 5.4.4).
public protocol HCIEvent: Hashable, Sendable {
    /// The event code.
    static var code: HCIEventCode { get }

    /// The subevent code of LE Meta events.
    static var subevent: HCILESubeventCode? { get }

    /// The name in the specification, for errors: "HCI Command Complete".
    static var name: StaticString { get }

    /// Parses the parameters, after the subevent code if there is one.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the parameters, without header and subevent code.
    func write(to writer: inout ByteWriter)
}

extension HCIEvent {
    /// None: not an LE Meta event.
    public static var subevent: HCILESubeventCode? { nil }

    /// Decodes an event, whose code must be this one's; no byte may be left over.
    public init(_ event: HCIAnyEvent) throws(CodecError) {
        var reader = ByteReader(event.parameters, subject: Self.name)
        guard event.code == Self.code, event.subevent == Self.subevent else {
            let allowed = "\(Self.code)" + (Self.subevent.map { " with subevent \($0)" } ?? "")
            throw reader.invalid("code", UInt64(event.subevent?.rawValue ?? event.code.rawValue), allowed: allowed)
        }
        try self.init(from: &reader)
        try reader.end()
    }

    /// The whole packet. Parameters are at most 255 bytes.
    public var packet: HCIPacket {
        var writer = ByteWriter()
        writer.uint16(UInt16(Self.code.rawValue))
        if let subevent = Self.subevent { writer.uint8(subevent.rawValue) }
        write(to: &writer)
        let length = UInt16(truncatingIfNeeded: writer.count - 2)
        writer.patchUInt16(UInt16(Self.code.rawValue) | length << 8, at: 0)
        return HCIPacket(.event, writer.bytes)
    }
}

/// An event of any kind: its code, and parameters not decoded yet.
public struct HCIAnyEvent: Hashable, Sendable {
    /// The event code.
    public var code: HCIEventCode
    /// The subevent code of LE Meta events.
    public var subevent: HCILESubeventCode?
    /// The parameters after the subevent code, uncopied.
    public var parameters: ArraySlice<UInt8>

    /// Parses a packet without its H4 indicator; its length field must match.
    public init(decoding bytes: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(bytes, subject: "HCI event")
        code = HCIEventCode(rawValue: try reader.uint8())
        let length = Int(try reader.uint8())
        if code == .leMeta, length > 0 {
            subevent = HCILESubeventCode(rawValue: try reader.uint8())
            parameters = try reader.slice(length - 1)
        } else {
            parameters = try reader.slice(length)
        }
        try reader.end()
    }
}
