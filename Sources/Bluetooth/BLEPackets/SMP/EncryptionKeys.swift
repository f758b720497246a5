public import ByteCodec

/// Distributes a Long Term Key of LE legacy pairing (Core 5.4, Vol 3 Part H 3.6.2).
public struct SMPEncryptionInformation: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.encryptionInformation
    /// The name in errors.
    public static let name: StaticString = "SMP Encryption Information"

    /// The key.
    public var longTermKey: UInt128

    /// The PDU with these fields.
    public init(longTermKey: UInt128) {
        self.longTermKey = longTermKey
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        longTermKey = try reader.uint128()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(longTermKey)
    }
}

/// Distributes EDIV and Rand of the Long Term Key (Core 5.4, Vol 3 Part H 3.6.3).
public struct SMPCentralIdentification: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.centralIdentification
    /// The name in errors.
    public static let name: StaticString = "SMP Central Identification"

    /// EDIV.
    public var ediv: UInt16
    /// Rand.
    public var rand: UInt64

    /// The PDU with these fields.
    public init(ediv: UInt16, rand: UInt64) {
        self.ediv = ediv
        self.rand = rand
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        ediv = try reader.uint16()
        rand = try reader.uint64()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(ediv)
        writer.uint64(rand)
    }
}
