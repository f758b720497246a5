public import ByteCodec

/// FLASH_END: ends an uncompressed write, and stays in the loader or reboots.
public struct FlashEnd: LoaderCommand, Hashable {
    /// 0x04.
    public static let opcode = LoaderOpcode.flashEnd

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
