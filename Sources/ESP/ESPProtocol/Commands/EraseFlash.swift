public import ByteCodec

/// ERASE_FLASH: erases all of the flash; stub only.
public struct EraseFlash: LoaderCommand, Hashable {
    /// 0xD0.
    public static let opcode = LoaderOpcode.eraseFlash

    /// The command.
    public init() {}

    /// The time of a whole chip erase.
    public var timeout: Duration { LoaderTimeout.chipErase }

    /// Parses no parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Appends nothing.
    public func write(to writer: inout ByteWriter) {}
}
