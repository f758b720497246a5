public import ByteCodec

/// FLASH_END: ends an uncompressed write.
///
/// A stub acknowledges it and goes on. A ROM leaves its loader, even where it refuses the command: it restarts the chip, or
/// runs what is in the flash; the ESP32-C3's then panics, and nothing answers until a reset. Not to be sent to a ROM that has
/// to go on.
public struct FlashEnd: LoaderCommand, Hashable {
    /// 0x04.
    public static let opcode = LoaderOpcode.flashEnd

    /// True: a ROM restarts the chip, which keeps the sampled levels of its boot pins. False: it runs the flash's program.
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
