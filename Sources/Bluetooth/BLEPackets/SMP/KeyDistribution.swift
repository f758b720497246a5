public import BLECore
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

/// Distributes the IRK (Core 5.4, Vol 3 Part H 3.6.4).
public struct SMPIdentityInformation: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.identityInformation
    /// The name in errors.
    public static let name: StaticString = "SMP Identity Information"

    /// The IRK; 0 from a device without private addresses.
    public var identityResolvingKey: UInt128

    /// The PDU with these fields.
    public init(identityResolvingKey: UInt128) {
        self.identityResolvingKey = identityResolvingKey
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        identityResolvingKey = try reader.uint128()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(identityResolvingKey)
    }
}

/// Distributes the identity address (Core 5.4, Vol 3 Part H 3.6.5).
public struct SMPIdentityAddressInformation: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.identityAddressInformation
    /// The name in errors.
    public static let name: StaticString = "SMP Identity Address Information"

    /// 0 public, 1 static random; other values are reserved.
    public var addressType: UInt8
    /// The 48 bits of the address.
    public var addressValue: UInt64

    /// The PDU for an address.
    public init(address: DeviceAddress) {
        addressType = address.kind.rawValue
        addressValue = address.value
    }

    /// The address; `nil` if its type is reserved.
    public var address: DeviceAddress? {
        DeviceAddress.Kind(rawValue: addressType).map { DeviceAddress(addressValue, $0) }
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        addressType = try reader.uint8()
        addressValue = try DeviceAddress(from: &reader, .public).value
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(addressType)
        DeviceAddress(addressValue, .public).write(to: &writer)
    }
}

/// Distributes the CSRK (Core 5.4, Vol 3 Part H 3.6.6).
public struct SMPSigningInformation: SMPPDU {
    /// The first octet.
    public static let opcode = SMPOpcode.signingInformation
    /// The name in errors.
    public static let name: StaticString = "SMP Signing Information"

    /// The CSRK.
    public var signatureKey: UInt128

    /// The PDU with these fields.
    public init(signatureKey: UInt128) {
        self.signatureKey = signatureKey
    }

    /// Parses the fields after the opcode.
    public init(from reader: inout ByteReader) throws(CodecError) {
        signatureKey = try reader.uint128()
    }

    /// Writes the whole PDU.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(signatureKey)
    }
}
