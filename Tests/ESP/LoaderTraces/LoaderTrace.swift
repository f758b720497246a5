public import ESPProtocol
import Foundation

/// The serial loader's traffic of one tool with the mask ROM of one chip, or with esptool's stub, as `README.md` describes it.
public struct LoaderTrace: Sendable {
    /// The flasher that was recorded.
    public enum Tool: String, CaseIterable, Sendable {
        case esptool, espbench
    }

    /// The chip whose ROM was recorded.
    public enum ChipModel: String, CaseIterable, Sendable {
        case esp32, esp32c3
    }

    /// The program that answered: the mask ROM, or the stub that the ROM has loaded.
    public enum Loader: String, CaseIterable, Sendable {
        case rom, stub
    }

    /// A request, with as much of its data as was recorded.
    public struct Request: Hashable, Sendable {
        /// The operation.
        public var opcode: LoaderOpcode
        /// The header's checksum field.
        public var checksum: UInt32
        /// The number of bytes of the data.
        public var length: Int
        /// The first bytes of the data, at most 24.
        public var bytes: [UInt8]

        /// True if all data were recorded.
        public var isComplete: Bool { bytes.count == length }
    }

    /// An answer, with as much of its data as was recorded.
    public struct Answer: Hashable, Sendable {
        /// The operation that it names.
        public var opcode: LoaderOpcode
        /// The header's value word.
        public var value: UInt32
        /// The number of bytes after the header: data and status.
        public var length: Int
        /// The first of these bytes, at most 40.
        public var bytes: [UInt8]

        /// True if all bytes were recorded.
        public var isComplete: Bool { bytes.count == length }

        /// An answer.
        public init(opcode: LoaderOpcode, value: UInt32, length: Int, bytes: [UInt8]) {
            self.opcode = opcode
            self.value = value
            self.length = length
            self.bytes = bytes
        }
    }

    /// A frame that is no answer: the stub's greeting, and packets of READ_FLASH with their digest.
    public struct Packet: Hashable, Sendable {
        /// The number of bytes.
        public var length: Int
        /// The first of them, at most 40.
        public var bytes: [UInt8]
    }

    /// A request and the answers to it.
    public struct Exchange: Hashable, Sendable {
        /// The line of the request in the file, from 1.
        public var line: Int
        /// The request.
        public var request: Request
        /// The answers, in order: none where the ROM lost the request.
        public var answers: [Answer] = []
        /// The other frames that came behind the answers.
        public var packets: [Packet] = []
    }

    /// The traffic of one run of a tool. The chip was not reset between two runs.
    public struct Session: Sendable {
        /// The command line.
        public var command: String
        /// The exchanges, in the order of their requests.
        public var exchanges: [Exchange] = []
    }

    /// A line that is not of the format.
    public struct Malformed: Error, CustomStringConvertible {
        /// The file, the line, and what was found.
        public let description: String
    }

    /// The runs, in order.
    public private(set) var sessions: [Session] = []

    /// Reads the recording of `tool` with `chip`.
    public init(_ tool: Tool, _ chip: ChipModel, _ loader: Loader = .rom) throws {
        let file = "\(tool.rawValue)-\(chip.rawValue)-\(loader.rawValue).txt"
        try self.init(parsing: Self.contents(of: file), file: file)
    }

    static func contents(of file: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded")
        return try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    /// Parses the contents of a file of that format.
    public init(parsing text: String, file: String) throws {
        /// Indices of exchanges without an answer, oldest first.
        var unanswered: [Int] = []
        var latest: Int?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            let malformed = Malformed(description: "\(file):\(index + 1): no line of a loader's trace: \(line)")
            if line.hasPrefix("# ") {
                sessions.append(Session(command: String(line.dropFirst(2))))
                unanswered = []
                latest = nil
                continue
            }
            let fields = line.split(separator: " ")
            if line.hasPrefix("< RAW ") {
                guard let session = sessions.indices.last, let latest, let packet = Self.packet(fields) else {
                    throw malformed
                }
                sessions[session].exchanges[latest].packets.append(packet)
                continue
            }
            guard let session = sessions.indices.last, fields.count >= 4, let opcode = Self.opcodes[fields[1]] else {
                throw malformed
            }
            switch fields[0] {
            case ">":
                guard let length = Int(fields[2]), let checksum = UInt32(fields[3], radix: 16),
                    let bytes = fields.count > 4 ? Self.bytes(fields[4]) : [], bytes.count <= length
                else { throw malformed }
                let request = Request(opcode: opcode, checksum: checksum, length: length, bytes: bytes)
                unanswered.append(sessions[session].exchanges.count)
                sessions[session].exchanges.append(Exchange(line: index + 1, request: request))
            case "<":
                guard fields.count > 4, let value = UInt32(fields[2], radix: 16), let length = Int(fields[3]),
                    let bytes = Self.bytes(fields[4]), bytes.count <= length,
                    let count = fields.count > 5 ? Int(fields[5].dropFirst()) : 1
                else { throw malformed }
                let answer = Answer(opcode: opcode, value: value, length: length, bytes: bytes)
                for _ in 0..<count {
                    // The ROM answers in order. Further answers with nothing else to answer repeat the last.
                    if let repeated = latest, unanswered.isEmpty || sessions[session].exchanges[repeated].lacksSync {
                        sessions[session].exchanges[repeated].answers.append(answer)
                    } else if !unanswered.isEmpty {
                        latest = unanswered.removeFirst()
                        sessions[session].exchanges[latest ?? 0].answers.append(answer)
                    } else {
                        throw malformed
                    }
                }
            default:
                throw malformed
            }
        }
    }

    private static func packet(_ fields: [Substring]) -> Packet? {
        guard fields.count == 4, let length = Int(fields[2]), let bytes = bytes(fields[3]), bytes.count <= length else {
            return nil
        }
        return Packet(length: length, bytes: bytes)
    }

    static let opcodes: [Substring: LoaderOpcode] = [
        "SYNC": .sync, "SECINFO": .securityInfo, "READ_REG": .readRegister, "WRITE_REG": .writeRegister,
        "SPI_ATTACH": .attachFlash, "SPI_SET_PARAMS": .setFlashParameters, "CHANGE_BAUDRATE": .changeBaudRate,
        "FLASH_BEGIN": .flashBegin, "FLASH_DATA": .flashData, "DEFL_BEGIN": .deflateBegin, "DEFL_DATA": .deflateData,
        "MD5": .flashMD5, "READ_FLASH_SLOW": .readFlashSlow, "FLASH_END": .flashEnd, "DEFL_END": .deflateEnd,
        "MEM_BEGIN": .memoryBegin, "MEM_DATA": .memoryData, "MEM_END": .memoryEnd,
        "READ_FLASH": .readFlash, "ERASE_FLASH": .eraseFlash, "ERASE_REGION": .eraseRegion,
    ]

    static func bytes(_ digits: Substring) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        let digits = Array(digits)
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

extension LoaderTrace.Exchange {
    /// True while fewer than the answers to one SYNC have come.
    fileprivate var lacksSync: Bool { request.opcode == .sync && answers.count < Sync.responseCount }
}
