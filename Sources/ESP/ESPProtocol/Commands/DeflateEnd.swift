public import ByteCodec

/// FLASH_DEFL_END: ends a compressed write, and stays in the loader or reboots.
public struct DeflateEnd: LoaderCommand, Hashable {
    /// 0x12.
    public static let opcode = LoaderOpcode.deflateEnd

    /// Whether the chip leaves the loader for the application.
    public var reboots: Bool

    /// The command; with `reboots` the chip leaves the loader.
    public init(reboots: Bool) {
        self.reboots = reboots
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        reboots = try reader.uint32() == 0
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(reboots ? 0 : 1)
    }
}
