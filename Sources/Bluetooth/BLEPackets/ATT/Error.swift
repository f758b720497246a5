public import ByteCodec

/// The refusal of a request (Core 5.4, Vol 3 Part F 3.4.1.1).
public struct ATTErrorResponse: ATTPDU {
    /// The first octet.
    public static let opcode = ATTOpcode.errorResponse
    /// The name in errors.
    public static let name: StaticString = "ATT Error Response"

    /// The opcode of the refused request.
    public var request: ATTOpcode

    /// The attribute the request failed at; 0 where none is concerned.
    public var handle: UInt16

    /// Why.
    public var code: ATTErrorCode

    /// The PDU with these fields.
    public init(request: ATTOpcode, handle: UInt16, code: ATTErrorCode) {
        self.request = request
        self.handle = handle
        self.code = code
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        request = ATTOpcode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        code = ATTErrorCode(rawValue: try reader.uint8())
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(request.rawValue)
        writer.uint16(handle)
        writer.uint8(code.rawValue)
    }
}
