public import ByteCodec

/// The encryption of a connection changed, or failed (Core 5.4, Vol 4 Part E 7.7.8).
public struct HCIEncryptionChange: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.encryptionChange
    /// The name in errors.
    public static let name: StaticString = "HCI Encryption Change"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16
    /// 0 off, 1 AES-CCM on LE.
    public var encryptionEnabled: UInt8

    /// The event with these parameters.
    public init(status: HCIErrorCode, handle: UInt16, encryptionEnabled: UInt8) {
        self.status = status
        self.handle = handle
        self.encryptionEnabled = encryptionEnabled
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        encryptionEnabled = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(encryptionEnabled)
    }
}

/// The key of an encrypted connection was refreshed, or could not be (Core 5.4, Vol 4 Part E 7.7.39).
public struct HCIEncryptionKeyRefreshComplete: HCIEvent {
    /// The event code.
    public static let code = HCIEventCode.encryptionKeyRefreshComplete
    /// The name in errors.
    public static let name: StaticString = "HCI Encryption Key Refresh Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16

    /// The event with these parameters.
    public init(status: HCIErrorCode, handle: UInt16) {
        self.status = status
        self.handle = handle
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
    }
}

/// Encrypts a connection, or refreshes its key; central only (Core 5.4, Vol 4 Part E 7.8.24).
public struct HCILEEnableEncryption: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leEnableEncryption
    /// The name in errors.
    public static let name: StaticString = "HCI LE Enable Encryption"

    /// The connection.
    public var handle: UInt16
    /// Identifies the key to the peer; 0 for keys of LE Secure Connections.
    public var randomNumber: UInt64
    /// Identifies the key to the peer; 0 for keys of LE Secure Connections.
    public var encryptedDiversifier: UInt16
    /// 16 bytes, least significant first.
    public var longTermKey: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(handle: UInt16, randomNumber: UInt64, encryptedDiversifier: UInt16, longTermKey: ArraySlice<UInt8>) {
        self.handle = handle
        self.randomNumber = randomNumber
        self.encryptedDiversifier = encryptedDiversifier
        self.longTermKey = longTermKey
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        randomNumber = try reader.uint64()
        encryptedDiversifier = try reader.uint16()
        longTermKey = try reader.slice(16)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint64(randomNumber)
        writer.uint16(encryptedDiversifier)
        writer.hciFixed(longTermKey, 16)
    }
}

/// Encrypts one block with AES-128 (Core 5.4, Vol 4 Part E 7.8.22).
public struct HCILEEncrypt: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leEncrypt
    /// The name in errors.
    public static let name: StaticString = "HCI LE Encrypt"

    /// 16 bytes, least significant first.
    public var key: ArraySlice<UInt8>
    /// 16 bytes, least significant first.
    public var plaintext: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(key: ArraySlice<UInt8>, plaintext: ArraySlice<UInt8>) {
        self.key = key
        self.plaintext = plaintext
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        key = try reader.slice(16)
        plaintext = try reader.slice(16)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.hciFixed(key, 16)
        writer.hciFixed(plaintext, 16)
    }

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// 16 bytes, least significant first.
        public var encryptedData: ArraySlice<UInt8>

        /// An answer with these values.
        public init(status: HCIErrorCode, encryptedData: ArraySlice<UInt8>) {
            self.status = status
            self.encryptedData = encryptedData
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            encryptedData = try reader.slice(16)
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.hciFixed(encryptedData, 16)
        }
    }
}

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
