import BenchModel

/// Bytes that are expected as a stream, however they are cut into chunks, and how many of them have come.
final class StreamPattern {
    private let bytes: [UInt8]
    private var count = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isComplete: Bool { count == bytes.count }

    /// What has come so far, as failures show it.
    var progress: String { "\(count) of \(bytes.count) bytes, as expected" }

    /// Compares the next bytes.
    ///
    /// - Returns: how many of `chunk` belong to the stream, and the first difference, if there is one.
    func take(_ chunk: ArraySlice<UInt8>) -> (used: Int, difference: String?) {
        let part = chunk.prefix(bytes.count - count)
        if part.elementsEqual(bytes[count..<(count + part.count)]) {
            count += part.count
            return (part.count, nil)
        }
        let offset = zip(part, bytes[count...]).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        let index = count + offset
        let got = part[part.startIndex + offset]
        return (
            offset,
            "byte \(index + 1) of \(bytes.count) is 0x\(Self.hexadecimal(got)), not 0x\(Self.hexadecimal(bytes[index]))"
        )
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return text.count == 1 ? "0" + text : text
    }
}
