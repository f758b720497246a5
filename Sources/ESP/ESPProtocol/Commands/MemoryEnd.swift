public import ByteCodec

/// MEM_END: ends a write to RAM, and runs the code at the entry point, if there is one.
///
/// A stub sends ``stubGreeting`` as a separate frame when it starts.
public struct MemoryEnd: LoaderCommand, Hashable {
    /// 0x06.
    public static let opcode = LoaderOpcode.memoryEnd
    /// `OHAI`.
    public static let stubGreeting: [UInt8] = Array("OHAI".utf8)

    /// The address to jump to; `nil` stays in the loader.
    public var entryPoint: UInt32?

    /// The command; `entryPoint` must not be 0.
    public init(entryPoint: UInt32?) {
        self.entryPoint = entryPoint
    }

    /// Reads the parameters: a flag "stay", and the address.
    public init(from reader: inout ByteReader) throws(CodecError) {
        let stays = try reader.uint32() != 0
        let address = try reader.uint32()
        entryPoint = stays ? nil : address
    }

    /// Appends the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint32(entryPoint == nil ? 1 : 0)
        writer.uint32(entryPoint ?? 0)
    }
}
