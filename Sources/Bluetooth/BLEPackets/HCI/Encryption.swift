import ByteCodec

/// The encryption of a connection changed, or failed (Core 5.4, Vol 4 Part E 7.7.8).
package struct HCIEncryptionChange: HCIEvent {
    /// The event code.
    package static let code = HCIEventCode.encryptionChange
    package static let name: StaticString = "HCI Encryption Change"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16
    /// 0 off, 1 AES-CCM on LE.
    package var encryptionEnabled: UInt8

    package init(status: HCIErrorCode, handle: UInt16, encryptionEnabled: UInt8) {
        self.status = status
        self.handle = handle
        self.encryptionEnabled = encryptionEnabled
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        encryptionEnabled = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(encryptionEnabled)
    }
}

/// The key of an encrypted connection was refreshed, or the refresh failed (Core 5.4, Vol 4 Part E 7.7.39).
package struct HCIEncryptionKeyRefreshComplete: HCIEvent {
    /// The event code.
    package static let code = HCIEventCode.encryptionKeyRefreshComplete
    package static let name: StaticString = "HCI Encryption Key Refresh Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16

    package init(status: HCIErrorCode, handle: UInt16) {
        self.status = status
        self.handle = handle
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
    }
}

/// Encrypts a connection, or refreshes its key; central only (Core 5.4, Vol 4 Part E 7.8.24).
package struct HCILEEnableEncryption: HCICommand {
    package static let opcode = HCIOpcode.leEnableEncryption
    package static let name: StaticString = "HCI LE Enable Encryption"

    /// The connection.
    package var handle: UInt16
    /// Identifies the key to the peer; 0 for keys of LE Secure Connections.
    package var randomNumber: UInt64
    /// Identifies the key to the peer; 0 for keys of LE Secure Connections.
    package var encryptedDiversifier: UInt16
    /// The key, 16 bytes, least significant first.
    package var longTermKey: ArraySlice<UInt8>

    package init(handle: UInt16, randomNumber: UInt64, encryptedDiversifier: UInt16, longTermKey: ArraySlice<UInt8>) {
        self.handle = handle
        self.randomNumber = randomNumber
        self.encryptedDiversifier = encryptedDiversifier
        self.longTermKey = longTermKey
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        randomNumber = try reader.uint64()
        encryptedDiversifier = try reader.uint16()
        longTermKey = try reader.slice(16)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint64(randomNumber)
        writer.uint16(encryptedDiversifier)
        writer.hciFixed(longTermKey, 16)
    }
}

/// Encrypts one block with AES-128 (Core 5.4, Vol 4 Part E 7.8.22).
package struct HCILEEncrypt: HCICommand {
    package static let opcode = HCIOpcode.leEncrypt
    package static let name: StaticString = "HCI LE Encrypt"

    /// 16 bytes, least significant first.
    package var key: ArraySlice<UInt8>
    /// 16 bytes, least significant first.
    package var plaintext: ArraySlice<UInt8>

    package init(key: ArraySlice<UInt8>, plaintext: ArraySlice<UInt8>) {
        self.key = key
        self.plaintext = plaintext
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        key = try reader.slice(16)
        plaintext = try reader.slice(16)
    }

    package func write(to writer: inout ByteWriter) {
        writer.hciFixed(key, 16)
        writer.hciFixed(plaintext, 16)
    }

    /// The return parameters.
    package struct ReturnParameters: HCIReturnParameters {
        /// The result: success or an error code.
        package var status: HCIErrorCode
        /// 16 bytes, least significant first.
        package var encryptedData: ArraySlice<UInt8>

        /// An answer with these values.
        package init(status: HCIErrorCode, encryptedData: ArraySlice<UInt8>) {
            self.status = status
            self.encryptedData = encryptedData
        }

        package init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            encryptedData = try reader.slice(16)
        }

        package func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.hciFixed(encryptedData, 16)
        }
    }
}

/// The central starts encryption; the peripheral's host must supply the key (Core 5.4, Vol 4 Part E 7.7.65.5).
package struct HCILELongTermKeyRequest: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .longTermKeyRequest
    package static let name: StaticString = "HCI LE Long Term Key Request"

    /// The connection.
    package var handle: UInt16
    /// Identifies the key; 0 for keys of LE Secure Connections.
    package var randomNumber: UInt64
    /// Identifies the key; 0 for keys of LE Secure Connections.
    package var encryptedDiversifier: UInt16

    package init(handle: UInt16, randomNumber: UInt64, encryptedDiversifier: UInt16) {
        self.handle = handle
        self.randomNumber = randomNumber
        self.encryptedDiversifier = encryptedDiversifier
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        randomNumber = try reader.uint64()
        encryptedDiversifier = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint64(randomNumber)
        writer.uint16(encryptedDiversifier)
    }
}

/// Supplies the requested key (Core 5.4, Vol 4 Part E 7.8.25).
package struct HCILELongTermKeyRequestReply: HCICommand {
    /// Status and connection.
    package typealias ReturnParameters = HCIConnectionStatusParameters
    package static let opcode = HCIOpcode.leLongTermKeyRequestReply
    package static let name: StaticString = "HCI LE Long Term Key Request Reply"

    /// The connection.
    package var handle: UInt16
    /// 16 bytes, least significant first.
    package var longTermKey: ArraySlice<UInt8>

    package init(handle: UInt16, longTermKey: ArraySlice<UInt8>) {
        self.handle = handle
        self.longTermKey = longTermKey
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        longTermKey = try reader.slice(16)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.hciFixed(longTermKey, 16)
    }
}

/// Reports that the host has no such key (Core 5.4, Vol 4 Part E 7.8.26).
package struct HCILELongTermKeyRequestNegativeReply: HCIConnectionCommand {
    /// Status and connection.
    package typealias ReturnParameters = HCIConnectionStatusParameters
    package static let opcode = HCIOpcode.leLongTermKeyRequestNegativeReply
    package static let name: StaticString = "HCI LE Long Term Key Request Negative Reply"

    /// The connection.
    package var handle: UInt16

    package init(handle: UInt16) {
        self.handle = handle
    }
}
