import BLECore
import ByteCodec

/// Distributes a Long Term Key of LE legacy pairing (Core 5.4, Vol 3 Part H 3.6.2).
package struct SMPEncryptionInformation: SMPPDU {
    package static let opcode = SMPOpcode.encryptionInformation
    package static let name: StaticString = "SMP Encryption Information"

    /// The key.
    package var longTermKey: UInt128

    package init(longTermKey: UInt128) {
        self.longTermKey = longTermKey
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        longTermKey = try reader.uint128()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(longTermKey)
    }
}

/// Distributes EDIV and Rand of the Long Term Key (Core 5.4, Vol 3 Part H 3.6.3).
package struct SMPCentralIdentification: SMPPDU {
    package static let opcode = SMPOpcode.centralIdentification
    package static let name: StaticString = "SMP Central Identification"

    /// EDIV.
    package var ediv: UInt16
    /// Rand.
    package var rand: UInt64

    package init(ediv: UInt16, rand: UInt64) {
        self.ediv = ediv
        self.rand = rand
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        ediv = try reader.uint16()
        rand = try reader.uint64()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint16(ediv)
        writer.uint64(rand)
    }
}

/// Distributes the IRK (Core 5.4, Vol 3 Part H 3.6.4).
package struct SMPIdentityInformation: SMPPDU {
    package static let opcode = SMPOpcode.identityInformation
    package static let name: StaticString = "SMP Identity Information"

    /// The IRK; 0 from a device without private addresses.
    package var identityResolvingKey: UInt128

    package init(identityResolvingKey: UInt128) {
        self.identityResolvingKey = identityResolvingKey
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        identityResolvingKey = try reader.uint128()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(identityResolvingKey)
    }
}

/// Distributes the identity address (Core 5.4, Vol 3 Part H 3.6.5).
package struct SMPIdentityAddressInformation: SMPPDU {
    package static let opcode = SMPOpcode.identityAddressInformation
    package static let name: StaticString = "SMP Identity Address Information"

    /// 0 public, 1 static random; other values are reserved.
    package var addressType: UInt8
    /// The 48 bits of the address.
    package var addressValue: UInt64

    /// The PDU for an address.
    package init(address: DeviceAddress) {
        addressType = address.kind.rawValue
        addressValue = address.value
    }

    /// The address; `nil` if its type is reserved.
    package var address: DeviceAddress? {
        DeviceAddress.Kind(rawValue: addressType).map { DeviceAddress(addressValue, $0) }
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        addressType = try reader.uint8()
        addressValue = try DeviceAddress(from: &reader, .public).value
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(addressType)
        DeviceAddress(addressValue, .public).write(to: &writer)
    }
}

/// Distributes the CSRK (Core 5.4, Vol 3 Part H 3.6.6).
package struct SMPSigningInformation: SMPPDU {
    package static let opcode = SMPOpcode.signingInformation
    package static let name: StaticString = "SMP Signing Information"

    /// The CSRK.
    package var signatureKey: UInt128

    package init(signatureKey: UInt128) {
        self.signatureKey = signatureKey
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        signatureKey = try reader.uint128()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint128(signatureKey)
    }
}
