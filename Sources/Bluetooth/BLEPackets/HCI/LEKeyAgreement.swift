public import ByteCodec

/// Generates a key pair; the answer is LE Read Local P-256 Public Key Complete (Core 5.4, Vol 4 Part E 7.8.36).
public struct HCILEReadLocalP256PublicKey: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leReadLocalP256PublicKey
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Local P-256 Public Key"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}
}

/// The public half of a new key pair (Core 5.4, Vol 4 Part E 7.7.65.8).
public struct HCILEReadLocalP256PublicKeyComplete: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .readLocalP256PublicKeyComplete
    /// The name in errors.
    public static let name: StaticString = "HCI LE Read Local P-256 Public Key Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The X coordinate, 32 bytes, least significant first.
    public var x: ArraySlice<UInt8>
    /// The Y coordinate, 32 bytes, least significant first.
    public var y: ArraySlice<UInt8>

    /// The event with these parameters.
    public init(status: HCIErrorCode, x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) {
        self.status = status
        self.x = x
        self.y = y
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        x = try reader.slice(32)
        y = try reader.slice(32)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.hciFixed(x, 32)
        writer.hciFixed(y, 32)
    }
}

/// Computes the Diffie-Hellman key from the peer's public key and the controller's private key (Core 5.4, Vol 4 Part E
/// 7.8.37).
public struct HCILEGenerateDHKey: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leGenerateDHKey
    /// The name in errors.
    public static let name: StaticString = "HCI LE Generate DHKey"

    /// The peer's X coordinate, 32 bytes, least significant first.
    public var x: ArraySlice<UInt8>
    /// The peer's Y coordinate, 32 bytes, least significant first.
    public var y: ArraySlice<UInt8>

    /// The command with these parameters.
    public init(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) {
        self.x = x
        self.y = y
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        x = try reader.slice(32)
        y = try reader.slice(32)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.hciFixed(x, 32)
        writer.hciFixed(y, 32)
    }
}

/// The Diffie-Hellman key (Core 5.4, Vol 4 Part E 7.7.65.9).
public struct HCILEGenerateDHKeyComplete: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .generateDHKeyComplete
    /// The name in errors.
    public static let name: StaticString = "HCI LE Generate DHKey Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// 32 bytes, least significant first.
    public var key: ArraySlice<UInt8>

    /// The event with these parameters.
    public init(status: HCIErrorCode, key: ArraySlice<UInt8>) {
        self.status = status
        self.key = key
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        key = try reader.slice(32)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.hciFixed(key, 32)
    }
}
