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
