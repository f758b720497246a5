/// Bytes received that are not part of an answer, to diagnose what the board does instead.
struct NoiseLog {
    private static let limit = 512

    private var tail: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ bytes: [UInt8]) {
        count += bytes.count
        tail.append(contentsOf: bytes.suffix(Self.limit))
        if tail.count > Self.limit { tail.removeFirst(tail.count - Self.limit) }
    }

    /// A diagnosis from these bytes; begins with a lower-case letter.
    var diagnosis: String {
        guard count > 0 else { return "nothing came from the board; check the cable, the port and the power" }
        let text = String(decoding: tail.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: " ") }, as: UTF8.self)
        if text.contains("waiting for download") {
            return "the board waits for a download, but does not answer; check the line to its RX pin"
        }
        if text.contains("boot:0x13") || text.contains("SPI_FAST_FLASH_BOOT") {
            return "the board started its application; hold its BOOT button while connecting"
        }
        return "\(count) bytes came that are no answer; is another program running on the board, or is the rate wrong?"
    }
}
