import ESPProtocol
import Foundation

/// What the mask ROM of one chip answered to wrong requests, as `README.md` describes it.
public struct WrongRequests: Sendable {
    /// What came from the ROM.
    public enum Reply: Hashable, Sendable {
        /// An answer, complete.
        case answer(LoaderTrace.Answer)
        /// Bytes that are no answer: the text of a panic or of a restart, an empty frame; escaped, and cut where it is long.
        case text(String)
    }

    /// What was sent, and what came before the next.
    public struct Step: Sendable {
        /// The line in the file, from 1.
        public var line: Int
        /// The bytes on the line, with their frame.
        public var sent: [UInt8]
        /// What came; nothing where the ROM was silent for seconds.
        public var replies: [Reply] = []

        /// The answers among the replies.
        public var answers: [LoaderTrace.Answer] {
            replies.compactMap { reply in
                if case .answer(let answer) = reply { answer } else { nil }
            }
        }
    }

    /// Steps with one chip, beginning at its power on in download mode.
    public struct Trial: Sendable {
        /// What is tried.
        public var subject: String
        /// The steps, in order: first a SYNC.
        public var steps: [Step] = []
    }

    /// The trials, each with a chip of its own.
    public private(set) var trials: [Trial] = []

    /// Reads the recording of `chip`.
    public init(_ chip: LoaderTrace.ChipModel) throws {
        let file = "wrong-\(chip.rawValue)-rom.txt"
        try self.init(parsing: LoaderTrace.contents(of: file), file: file)
    }

    /// Parses the contents of a file of that format.
    public init(parsing text: String, file: String) throws {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            let malformed = LoaderTrace.Malformed(
                description: "\(file):\(index + 1): no line of wrong requests: \(line)")
            if line.hasPrefix("# ") {
                trials.append(Trial(subject: String(line.dropFirst(2))))
                continue
            }
            guard let trial = trials.indices.last else { throw malformed }
            let fields = line.split(separator: " ")
            if fields[0] == ">" {
                guard let sent = Self.sent(fields.dropFirst()) else { throw malformed }
                trials[trial].steps.append(Step(line: index + 1, sent: sent))
                continue
            }
            guard let step = trials[trial].steps.indices.last, let replies = Self.replies(line, fields) else {
                throw malformed
            }
            trials[trial].steps[step].replies += replies
        }
    }

    /// `NAME LENGTH CHECKSUM DATA` in a frame, or `RAW BYTES`.
    private static func sent(_ fields: ArraySlice<Substring>) -> [UInt8]? {
        let fields = Array(fields)
        if fields.first == "RAW" { return fields.count == 2 ? bytes(fields[1]) : nil }
        guard fields.count >= 3, let opcode = opcode(fields[0]), let length = UInt16(fields[1]),
            let checksum = UInt32(fields[2], radix: 16), let data = fields.count > 3 ? bytes(fields[3]) : []
        else { return nil }
        let header = [0, opcode.rawValue, UInt8(length & 0xff), UInt8(length >> 8)]
        let sum = (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
        return SLIP.encode(header + sum + data)
    }

    private static func replies(_ line: Substring, _ fields: [Substring]) -> [Reply]? {
        switch fields[0] {
        case "!": return [.text(String(line.dropFirst(2)))]
        case "<" where fields.count == 2 && fields[1] == "none": return []
        case "<":
            guard fields.count > 4, let opcode = opcode(fields[1]), let value = UInt32(fields[2], radix: 16),
                let bytes = bytes(fields[4]), Int(fields[3]) == bytes.count,
                let count = fields.count > 5 ? Int(fields[5].dropFirst()) : 1
            else { return nil }
            let answer = LoaderTrace.Answer(opcode: opcode, value: value, length: bytes.count, bytes: bytes)
            return Array(repeating: .answer(answer), count: count)
        default: return nil
        }
    }

    /// The opcode of a name, or of two hexadecimal digits where it has none.
    private static func opcode(_ name: Substring) -> LoaderOpcode? {
        LoaderTrace.opcodes[name] ?? (name.count == 2 ? UInt8(name, radix: 16).map(LoaderOpcode.init(rawValue:)) : nil)
    }

    /// Hexadecimal digits; `AB*3+CD` is AB three times, then CD.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        for part in text.split(separator: "+") {
            let factors = part.split(separator: "*")
            guard let some = LoaderTrace.bytes(factors[0]), let count = factors.count > 1 ? Int(factors[1]) : 1 else {
                return nil
            }
            for _ in 0..<count { bytes += some }
        }
        return bytes
    }
}
