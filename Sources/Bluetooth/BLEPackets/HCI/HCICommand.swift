public import ByteCodec

/// One kind of command, from host to controller (Core 5.4, Vol 4 Part E 5.4.1).
public protocol HCICommand: Hashable, Sendable {
    /// The return parameters in Command Complete; ``HCIStatusParameters`` if there is only a status. Unused by commands
    /// that are answered by Command Status.
    associatedtype ReturnParameters: HCIReturnParameters = HCIStatusParameters

    /// The opcode.
    static var opcode: HCIOpcode { get }

    /// The name in the specification, for errors: "HCI LE Rand".
    static var name: StaticString { get }

    /// Parses the parameters.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the parameters, without the header.
    func write(to writer: inout ByteWriter)
}

/// The return parameters of a command: a status, and further values.
public protocol HCIReturnParameters: Hashable, Sendable {
    /// Whether the command succeeded; otherwise the other values are undefined.
    var status: HCIErrorCode { get }

    /// Parses the parameters, status first.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the parameters, status first.
    func write(to writer: inout ByteWriter)
}

extension HCICommand {
    /// Decodes parameters; no byte may be left over.
    public init(parameters: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(parameters, subject: Self.name)
        try self.init(from: &reader)
        try reader.end()
    }

    /// The whole packet. Parameters are at most 255 bytes.
    public var packet: HCIPacket {
        var writer = ByteWriter()
        writer.uint16(Self.opcode.rawValue)
        writer.uint8(0)
        write(to: &writer)
        let length = UInt16(truncatingIfNeeded: writer.count - 3)
        writer.patchUInt16(Self.opcode.rawValue >> 8 | length << 8, at: 1)
        return HCIPacket(.command, writer.bytes)
    }
}

/// A command of any kind: its opcode, and undecoded parameters.
public struct HCIAnyCommand: Hashable, Sendable {
    /// The opcode.
    public var opcode: HCIOpcode
    /// The parameters, uncopied.
    public var parameters: ArraySlice<UInt8>

    /// Parses a packet without its H4 indicator; its length field must match.
    public init(decoding bytes: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(bytes, subject: "HCI command")
        opcode = HCIOpcode(rawValue: try reader.uint16())
        let length = Int(try reader.uint8())
        parameters = try reader.slice(length)
        try reader.end()
    }
}
