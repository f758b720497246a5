public import ByteCodec

/// RUN_USER_CODE: leaves the loader for the application; stub only, and never answered.
public struct RunUserCode: LoaderCommand, Hashable {
    /// 0xD3.
    public static let opcode = LoaderOpcode.runUserCode

    /// The command.
    public init() {}

    /// Parses no parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Appends nothing.
    public func write(to writer: inout ByteWriter) {}
}
