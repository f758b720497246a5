public import ByteCodec

/// The central starts encryption; the peripheral's host must supply the key (Core 5.4, Vol 4 Part E 7.7.65.5).
public struct HCILELongTermKeyRequest: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .longTermKeyRequest
    /// The name in errors.
    public static let name: StaticString = "HCI LE Long Term Key Request"

    /// The connection.
    public var handle: UInt16
    /// Identifies the key; 0 for keys of LE Secure Connections.
    public var randomNumber: UInt64
    /// Identifies the key; 0 for keys of LE Secure Connections.
    public var encryptedDiversifier: UInt16

    /// The event with these parameters.
    public init(handle: UInt16, randomNumber: UInt64, encryptedDiversifier: UInt16) {
        self.handle = handle
        self.randomNumber = randomNumber
        self.encryptedDiversifier = encryptedDiversifier
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        randomNumber = try reader.uint64()
        encryptedDiversifier = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint64(randomNumber)
        writer.uint16(encryptedDiversifier)
    }
}

/// Supplies the requested key (Core 5.4, Vol 4 Part E 7.8.25).
public struct HCILELongTermKeyRequestReply: HCICommand {
    /// Status and connection.
    public typealias ReturnParameters = HCIConnectionStatusParameters
    /// The opcode.
    public static let opcode = HCIOpcode.leLongTermKeyRequestReply
    /// The name in errors.
    public static let name: StaticString = "HCI LE Long Term Key Request Reply"

    /// The connection.
    public var handle: UInt16
    /// 16 bytes, least significant first.
    public var longTermKey: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(handle: UInt16, longTermKey: ArraySlice<UInt8>) {
        self.handle = handle
        self.longTermKey = longTermKey
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        longTermKey = try reader.slice(16)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.hciFixed(longTermKey, 16)
    }
}

/// Reports that there is no such key (Core 5.4, Vol 4 Part E 7.8.26).
public struct HCILELongTermKeyRequestNegativeReply: HCICommand {
    /// Status and connection.
    public typealias ReturnParameters = HCIConnectionStatusParameters
    /// The opcode.
    public static let opcode = HCIOpcode.leLongTermKeyRequestNegativeReply
    /// The name in errors.
    public static let name: StaticString = "HCI LE Long Term Key Request Negative Reply"

    /// The connection.
    public var handle: UInt16

    /// The command with these parameters.
    public init(handle: UInt16) {
        self.handle = handle
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
    }
}
