public import ByteCodec

/// Resets the controller (Core 5.4, Vol 4 Part E 7.3.2).
public struct HCIReset: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.reset
    /// The name in errors.
    public static let name: StaticString = "HCI Reset"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}
}
