/// The first 32 bytes of an item: its type and key, and either its value or the description of its data entries
/// (`nvs_types.hpp`).
struct NVSEntry {
    /// The size of every entry, in bytes.
    static let size = 32
    /// The longest name, in bytes, without the NUL.
    static let nameLength = 15
    /// The chunk index of entries that are not chunks of a blob.
    static let noChunk: UInt8 = 0xFF

    var namespace: UInt8
    var type: NVSType
    /// The number of entries, this one included.
    var span: UInt8
    var chunk: UInt8
    var key: [UInt8]
    /// The 8 bytes of the value, or of its description.
    var data: [UInt8]

    init(namespace: UInt8, type: NVSType, key: [UInt8], chunk: UInt8 = noChunk, data: [UInt8], span: Int = 1) {
        self.namespace = namespace
        self.type = type
        self.span = UInt8(truncatingIfNeeded: span)
        self.chunk = chunk
        self.key = key
        self.data = data + [UInt8](repeating: 0xFF, count: max(0, 8 - data.count))
    }

    /// The first entry of an item with `content` in the following data entries.
    init(namespace: UInt8, type: NVSType, key: [UInt8], chunk: UInt8 = noChunk, content: ArraySlice<UInt8>) {
        let description =
            littleEndianBytes(UInt16(truncatingIfNeeded: content.count)) + [0xFF, 0xFF]
            + littleEndianBytes(NVSChecksum.of(content))
        self.init(
            namespace: namespace, type: type, key: key, chunk: chunk, data: description,
            span: 1 + (content.count + Self.size - 1) / Self.size)
    }

    /// The entry in `bytes`; `nil` when the checksum is wrong or a field is not allowed.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        let checksum = bytes[4..<8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let name = bytes[8..<24]
        guard
            checksum == NVSChecksum.of(bytes[0..<4], bytes[8..<32]), bytes[2] > 0,
            let end = name.firstIndex(of: 0)
        else { return nil }
        namespace = bytes[0]
        type = NVSType(rawValue: bytes[1])
        span = bytes[2]
        chunk = bytes[3]
        key = Array(name[..<end])
        data = Array(bytes[24..<32])
        guard !type.hasData || span == 1 + (contentLength + Self.size - 1) / Self.size else { return nil }
    }

    var bytes: [UInt8] {
        let head = [namespace, type.rawValue, span, chunk]
        let rest = key + [UInt8](repeating: 0, count: max(0, 16 - key.count)) + data
        return head + littleEndianBytes(NVSChecksum.of(head[...], rest[...])) + rest
    }

    /// The number of bytes in the data entries.
    var contentLength: Int { Int(data[0]) | Int(data[1]) << 8 }
    /// The checksum of the bytes in the data entries.
    var contentChecksum: UInt32 { data[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    /// The content of a blob's index: the size of the blob, and its chunks.
    var blobIndex: (size: Int, chunks: Range<Int>) {
        let size = data[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
        return (size, Int(data[5])..<Int(data[5]) + Int(data[4]))
    }
}
