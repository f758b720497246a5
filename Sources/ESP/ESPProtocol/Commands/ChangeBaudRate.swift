public import ByteCodec

/// CHANGE_BAUDRATE: answered at the old rate; the new one applies after ``LoaderTimeout/baudRateSettle``.
public struct ChangeBaudRate: LoaderCommand, Hashable {
    /// 0x0F.
    public static let opcode = LoaderOpcode.changeBaudRate

    /// The new rate, in bits per second.
    public var newRate: UInt32
    /// The current rate; 0 when sent to a ROM.
    public var oldRate: UInt32

    /// The command for `newRate`.
    public init(newRate: UInt32, oldRate: UInt32 = 0) {
        self.newRate = newRate
        self.oldRate = oldRate
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        newRate = try reader.uint32()
        oldRate = try reader.uint32()
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(newRate)
        writer.uint32(oldRate)
    }
}
