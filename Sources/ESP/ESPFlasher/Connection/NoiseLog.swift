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

    /// Whether the last line is that of a ROM loader that waits for its first command; its CR LF are blanks here.
    var endsWaitingForDownload: Bool { text.hasSuffix(Self.waiting + "  ") }

    private static let waiting = "waiting for download"

    private var text: String {
        String(decoding: tail.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// A diagnosis from these bytes; its text begins with a lower-case letter.
    var diagnosis: (code: FlasherError.Code, text: String) {
        guard count > 0 else {
            return (.noAnswer, "nothing came from the board; check the cable, the port and the power")
        }
        let text = text
        if text.contains(Self.waiting) {
            return (
                .noAnswer, "the board waits for a download, but does not answer; check the line to its RX pin"
            )
        }
        if let mode = Self.bootMode(in: text), !text.contains("DOWNLOAD") {
            return (
                .wrongBootMode,
                "the board started its application (boot:\(mode)); hold its BOOT button while connecting"
            )
        }
        return (
            .otherProgram,
            "\(count) bytes came that are no answer; is another program running on the board, or is the rate wrong?"
        )
    }

    /// The boot mode in the last boot log, e.g. `0x13`.
    private static func bootMode(in text: String) -> Substring? {
        // "rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)"
        guard let start = text.ranges(of: "boot:0x").last else { return nil }
        let digits = text[start.upperBound...].prefix { $0.isHexDigit }
        return digits.isEmpty ? nil : text[text.index(start.upperBound, offsetBy: -2)..<digits.endIndex]
    }
}
