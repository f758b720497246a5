public import ByteCodec

/// FLASH_DEFL_BEGIN: erases a region of flash, and begins a compressed write to it.
public struct DeflateBegin: LoaderCommand, Hashable {
    /// 0x10.
    public static let opcode = LoaderOpcode.deflateBegin

    /// The region to erase and write.
    public var region: FlashWriteRegion

    /// The command for `region`.
    public init(_ region: FlashWriteRegion) {
        self.region = region
    }

    /// In proportion to the size to erase.
    public var timeout: Duration { region.eraseTimeout }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        region = try FlashWriteRegion(from: &reader)
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        region.write(to: &writer)
    }
}
