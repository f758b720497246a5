public import ByteCodec

/// A C-frame's one packet on an LE link: code, identifier and data (Core 5.4, Vol 3 Part A 4).
public struct L2CAPSignallingPacket: Hashable, Sendable {
    /// The request or response.
    public var code: L2CAPSignallingCode
    /// Matches a response to its request; 0 is no valid one.
    public var identifier: UInt8
    /// The fields of the command.
    public var data: ArraySlice<UInt8>

    /// A packet.
    public init(code: L2CAPSignallingCode, identifier: UInt8, data: ArraySlice<UInt8>) {
        self.code = code
        self.identifier = identifier
        self.data = data
    }

    /// A packet that carries `command`.
    public init(_ command: some L2CAPSignallingCommand, identifier: UInt8) {
        var writer = ByteWriter()
        command.write(to: &writer)
        self.init(code: type(of: command).code, identifier: identifier, data: writer.bytes[...])
    }

    /// Parses a packet; on an LE link a frame contains only one.
    public init(from reader: inout ByteReader) throws(CodecError) {
        code = L2CAPSignallingCode(rawValue: try reader.uint8())
        identifier = try reader.uint8()
        data = try reader.slice(Int(try reader.uint16()))
        try reader.end()
    }

    /// Writes header and data.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(code.rawValue)
        writer.uint8(identifier)
        writer.uint16(UInt16(truncatingIfNeeded: data.count))
        writer.append(data)
    }
}

/// The fields of one kind of signalling packet.
public protocol L2CAPSignallingCommand: Hashable, Sendable {
    /// The code of every such packet.
    static var code: L2CAPSignallingCode { get }

    /// The name in the specification, for errors.
    static var name: StaticString { get }

    /// Parses the data of a packet.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the data of a packet.
    func write(to writer: inout ByteWriter)
}

extension L2CAPSignallingCommand {
    /// Decodes the data of a packet of this kind; no byte may be left over.
    public init(decoding data: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(data, subject: Self.name)
        try self.init(from: &reader)
        try reader.end()
    }
}

extension L2CAPSignallingCode {
    /// Every kind of signalling packet that is decoded.
    public static let commands: [any L2CAPSignallingCommand.Type] = [
        L2CAPCommandReject.self,
        L2CAPConnectionParameterUpdateRequest.self, L2CAPConnectionParameterUpdateResponse.self,
    ]
}
