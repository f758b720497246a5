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
