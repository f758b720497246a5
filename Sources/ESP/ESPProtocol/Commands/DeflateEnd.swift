public import ByteCodec

/// FLASH_DEFL_END: ends a compressed write.
///
/// A stub acknowledges it and goes on. A ROM that has received as many blocks as announced may restart the chip; it stays in
/// its loader where it refuses the command, unlike with ``FlashEnd``.
public struct DeflateEnd: LoaderCommand, Hashable {
    /// 0x12.
    public static let opcode = LoaderOpcode.deflateEnd

    /// True: a ROM restarts the chip, which keeps the sampled levels of its boot pins. False: its loader goes on.
    public var reboots: Bool

    /// The command.
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
