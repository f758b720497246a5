/// Collects a core dump that ESP-IDF prints at a crash: lines in Base64 between two marks. A pure state machine.
///
/// Source: ESP-IDF v5 `components/espcoredump/src/core_dump_uart.c`.
public struct CoreDumpCollector: Sendable {
    /// The meaning of a line.
    public enum Step: Hashable, Sendable {
        /// The line does not belong to a core dump.
        case other
        /// The line begins a core dump, or is a part of it.
        case part
        /// The line ends the core dump of these lines, in Base64.
        case end([String])
        /// The core dump is given up, for this reason.
        case abandoned(String)
    }

    private static let start = "CORE DUMP START"
    private static let end = "CORE DUMP END"
    /// The largest core dump: more than the RAM of any chip without PSRAM.
    private static let maximumSize = 4 << 20

    private var lines: [String]?
    private var size = 0

    /// A collector that may begin at any line of a console.
    public init() {}

    /// Reads the next line.
    public mutating func receive(_ line: String) -> Step {
        if line.hasPrefix("====") {
            if line.contains(Self.start) {
                (lines, size) = ([], 0)
                return .part
            }
            if line.contains(Self.end), let complete = lines.take() { return .end(complete) }
        }
        guard lines != nil else { return .other }
        // Each line is padded to whole groups of four characters; an ordinary word is rarely that long by chance.
        guard !line.isEmpty, line.utf8.count % 4 == 0, line.utf8.allSatisfy(Self.isBase64) else {
            return abandon("expected Base64 in the core dump, got '\(line.prefix(80))'")
        }
        size += line.utf8.count
        guard size <= Self.maximumSize else {
            return abandon("expected a core dump of at most \(Self.maximumSize >> 20) MB, got more")
        }
        lines?.append(line)
        return .part
    }

    /// The remark on a core dump whose end is missing when the console ends; `nil`: there is none.
    public mutating func finish() -> String? {
        guard lines != nil, case .abandoned(let reason) = abandon("the core dump has no end") else { return nil }
        return reason
    }

    private mutating func abandon(_ reason: String) -> Step {
        let count = lines.take()?.count ?? 0
        guard count > 0 else { return .abandoned(reason) }
        return .abandoned("\(reason); \(count) line\(count == 1 ? "" : "s") not displayed, --log and --json have all")
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
        default: false
        }
    }
}
