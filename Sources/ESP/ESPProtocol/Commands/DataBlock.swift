import ByteCodec

/// The parameters of FLASH_DATA, FLASH_DEFL_DATA and MEM_DATA: a numbered block of payload.
public struct DataBlock: Hashable, Sendable {
    /// The number of bytes before the payload.
    public static let headerLength = 16

    /// The number of the block, from 0.
    public var sequence: UInt32
    /// The bytes.
    public var payload: ArraySlice<UInt8>

    /// Block number `sequence`.
    public init(sequence: UInt32, payload: ArraySlice<UInt8>) {
        self.sequence = sequence
        self.payload = payload
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        let length = try reader.uint32()
        sequence = try reader.uint32()
        _ = try reader.uint64()  // Two reserved words.
        guard let length = Int(exactly: length), length == reader.remaining else {
            throw reader.invalid("payload length", UInt64(length), allowed: "\(reader.remaining)")
        }
        payload = try reader.slice(length)
    }

    func write(to writer: inout ByteWriter) {
        writer.uint32(UInt32(clamping: payload.count))
        writer.uint32(sequence)
        writer.uint64(0)
        writer.append(payload)
    }
}
