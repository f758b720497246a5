public import ByteCodec

/// FLASH_DEFL_BEGIN: erases a region of flash, and begins a compressed write to it.
public struct DeflateBegin: LoaderCommand, Hashable {
    /// 0x10.
    public static let opcode = LoaderOpcode.deflateBegin

    /// What is to be erased and written.
    public var region: FlashWriteRegion

    /// The command for `region`.
    public init(_ region: FlashWriteRegion) {
        self.region = region
    }

    /// Grows with what is erased.
    public var timeout: Duration { region.eraseTimeout }

    /// Reads the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        region = try FlashWriteRegion(from: &reader)
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        region.write(to: &writer)
    }
}
