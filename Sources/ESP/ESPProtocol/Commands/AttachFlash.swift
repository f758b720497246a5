public import ByteCodec

/// SPI_ATTACH: connects the flash chip to the SPI controller.
public struct AttachFlash: LoaderCommand, Hashable {
    /// 0x0D.
    public static let opcode = LoaderOpcode.attachFlash

    /// Five 6-bit pin numbers; 0 selects those of the eFuses or the package.
    public var pins: UInt32
    /// A ROM expects a second word, the stub does not.
    public var dialect: LoaderDialect

    /// The command for `pins` in the form of `dialect`.
    public init(pins: UInt32 = 0, dialect: LoaderDialect) {
        self.pins = pins
        self.dialect = dialect
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        pins = try reader.uint32()
        dialect = reader.remaining == 0 ? .stub : .rom
        if dialect == .rom { _ = try reader.uint32() }
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(pins)
        if dialect == .rom { writer.uint32(0) }
    }
}
