public import ByteCodec

/// Reads the link layer features of the peer (Core 5.4, Vol 4 Part E 7.8.21).
public struct HCILEReadRemoteFeatures: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadRemoteFeatures
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Remote Features"

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

/// The link layer features of the peer (Core 5.4, Vol 4 Part E 7.7.65.4).
public struct HCILEReadRemoteFeaturesComplete: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .readRemoteFeaturesComplete
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Remote Features Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16
    /// The features (Vol 6 Part B 4.6).
    public var features: UInt64

    /// The event with these parameters.
    public init(status: HCIErrorCode, handle: UInt16, features: UInt64) {
        self.status = status
        self.handle = handle
        self.features = features
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        features = try reader.uint64()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint64(features)
    }
}
