public import ByteCodec

/// The channel selection algorithm of a new connection (Core 5.4, Vol 4 Part E 7.7.65.20).
public struct HCILEChannelSelectionAlgorithm: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .channelSelectionAlgorithm
    /// The name in errors.
    public static let name: StaticString = "HCI LE Channel Selection Algorithm"

    /// The connection.
    public var handle: UInt16
    /// 0: algorithm 1, 1: algorithm 2.
    public var algorithm: UInt8

    /// The event with these parameters.
    public init(handle: UInt16, algorithm: UInt8) {
        self.handle = handle
        self.algorithm = algorithm
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        handle = try reader.uint16()
        algorithm = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(handle)
        writer.uint8(algorithm)
    }
}
