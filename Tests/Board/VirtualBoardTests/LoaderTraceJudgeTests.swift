import ESPChips
import ESPProtocol
import LoaderTraces
import MonotonicTime
import Testing
import VirtualBoard

/// The genuine ROMs' recorded answers (`Tests/ESP/LoaderTraces`) and those of the virtual ROM to the same requests.
///
/// Replayed is all that the ROM saw. Of requests whose data were cut, SYNC is known; blocks get other contents of the same
/// length with the same checksum, compressed ones a stream that stores them; a WRITE_REG of several words is sent with those
/// that were recorded, so the flash chip's command in it does not run.
@Suite struct LoaderTraceJudgeTests {
    /// Registers that the emulator has and the virtual board models otherwise, or not.
    private static func exemptRegisters(_ chip: Chip) -> [UInt32: String] {
        let spi = chip.flashController
        var registers = [
            spi.data0: "what the flash chip answered: another one, and the emulator's has no SFDP",
            spi.user: "the reset value, and bits that the ROM had set",
            spi.user2: "the reset value",
        ]
        if chip == .esp32 {
            registers[chip.uartClockDivider] = "the emulator's rounding, and its crystal's rate is exact"
            registers[0x3FF5_A008] = "eFuses: the CRC behind the MAC address"
            registers[0x3FF5_A010] = "eFuses: the frequency of the oscillator"
            registers[0x3FF6_607C] = "SYSCON_DATE: the build date of the silicon"
            registers[0x3FF5_F06C] = "the calibration of the slow clock: none in the emulator"
            registers[0x3FF4_4038] = "the strapping pins"
        }
        return registers
    }

    private static let all = LoaderTrace.Tool.allCases.flatMap { tool in
        LoaderTrace.ChipModel.allCases.map { (tool, $0) }
    }

    @Test(arguments: all) func `The virtual ROM answers as the genuine one`(
        tool: LoaderTrace.Tool, model: LoaderTrace.ChipModel
    ) throws {
        let judged = try judge(tool, model)
        #expect(judged.count > 800)
        #expect(judged.differences.isEmpty, "\(judged.differences.prefix(10).joined(separator: "\n"))")
    }

    @Test func `A byte that differs is found, and every exemption is used`() throws {
        // The status, the stale byte behind it, the opcode, and a data byte of GET_SECURITY_INFO.
        for index in [8, 11, 1, 20] {
            let judged = try judge(.espbench, .esp32c3) { frame in
                if frame.count > index { frame[index] ^= 0x10 }
            }
            #expect(!judged.differences.isEmpty, "byte \(index)")
        }
        for model in LoaderTrace.ChipModel.allCases {
            let used = try LoaderTrace.Tool.allCases.flatMap { try judge($0, model).exempted }
            #expect(Set(used) == Set(Self.exemptRegisters(Self.chip(model)).keys))
        }
    }

    private static func chip(_ model: LoaderTrace.ChipModel) -> Chip {
        model == .esp32 ? .esp32 : .esp32c3
    }

    /// The emulated chip, as far as a virtual one can be it.
    private func identity(_ model: LoaderTrace.ChipModel) -> ChipIdentity {
        var identity = ChipIdentity(number: 0, flashSize: 4 << 20, chip: Self.chip(model))
        identity.macAddress =
            model == .esp32 ? [0x24, 0x0A, 0xC4, 0x12, 0x34, 0x56] : [0x7C, 0xDF, 0xA1, 0x12, 0x34, 0x57]
        if model == .esp32 { identity.revision = 300 }
        return identity
    }

    /// Replays a recording; `spoil` changes each frame of the virtual ROM before it is compared.
    private func judge(
        _ tool: LoaderTrace.Tool, _ model: LoaderTrace.ChipModel, spoil: (inout [UInt8]) -> Void = { _ in }
    ) throws -> Judge {
        let identity = identity(model)
        let flash = try NORFlash(path: nil, size: identity.flashSize, random: SeededRandom(seed: 1))
        let loader = SerialLoader(flash: flash, identity: identity, pace: .immediate)
        var judge = Judge(exempt: Self.exemptRegisters(identity.chip))
        var contents = BlockContents()
        for session in try LoaderTrace(tool, model).sessions {
            for exchange in session.exchanges {
                let request = try contents.complete(exchange.request, of: session)
                // Not answered: lost in the emulator's UART. A refusal of its own opcode: the proxy's, not the ROM's.
                guard let first = exchange.answers.first,
                    !(first.opcode == .securityInfo && first.bytes.first == 1)
                else { continue }
                var sent = request
                // A byte was lost on the emulator's line.
                if first.bytes.starts(with: [1, 7]) { sent.checksum ^= 1 }
                loader.receive(sent.frame, at: .zero)
                var decoder = SLIPDecoder(limit: 1000)
                let frames: [[UInt8]] = decoder.decode(loader.drainOutput()).compactMap {
                    guard case .frame(var frame) = $0 else { return nil }
                    spoil(&frame)
                    return frame
                }
                judge.compare(exchange, sent, frames)
            }
        }
        return judge
    }
}

/// Compares answers, and follows which of their bytes come from earlier ones.
private struct Judge {
    /// Both sides' answer buffers, as far as their answers have shown them.
    private struct Buffer {
        var value: [UInt8] = [0, 0, 0, 0]
        var data = [UInt8](repeating: 0, count: 68)
    }

    let exempt: [UInt32: String]
    private(set) var differences: [String] = []
    private(set) var exempted: Set<UInt32> = []
    private(set) var count = 0
    private var theirs = Buffer()
    private var ours = Buffer()

    init(exempt: [UInt32: String]) {
        self.exempt = exempt
    }

    mutating func compare(_ exchange: LoaderTrace.Exchange, _ request: LoaderRequest, _ frames: [[UInt8]]) {
        count += 1
        let place = "line \(exchange.line), \(request.opcode)"
        guard frames.count == exchange.answers.count else {
            differences.append("\(place): \(exchange.answers.count) answers, the virtual ROM sends \(frames.count)")
            return
        }
        for (answer, frame) in zip(exchange.answers, frames) {
            guard frame.count == answer.length + 8, frame[0] == 1, frame[1] == answer.opcode.rawValue,
                Int(frame[2]) | Int(frame[3]) << 8 == answer.length
            else {
                differences.append("\(place): \(answer), the virtual ROM sends \(frame)")
                return
            }
            let value = (0..<4).map { UInt8(truncatingIfNeeded: answer.value >> UInt32($0 * 8)) }
            compareValue(value, Array(frame[4..<8]), request, place)
            compareBody(answer.bytes, Array(frame[8...]), answer.length - 4, request, place)
        }
    }

    private mutating func compareValue(
        _ expected: [UInt8], _ found: [UInt8], _ request: LoaderRequest, _ place: String
    ) {
        if request.opcode == .readRegister, expected != found {
            let address = request.data.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if exempt[address] != nil {
                exempted.insert(address)
                theirs.value = expected
                ours.value = found
                return
            }
        }
        if request.opcode == .readRegister || request.opcode == .sync {
            theirs.value = expected
            ours.value = expected
        }
        if expected != theirs.value || found != ours.value {
            differences.append("\(place): value \(expected), the virtual ROM sends \(found)")
        }
    }

    /// Compares data and status; the digests and contents of the flash are those of other files.
    private mutating func compareBody(
        _ expected: [UInt8], _ found: [UInt8], _ dataLength: Int, _ request: LoaderRequest, _ place: String
    ) {
        let isContent = request.opcode == .flashMD5 || request.opcode == .readFlashSlow
        for (index, (their, our)) in zip(expected, found).enumerated() {
            let isWritten = index < dataLength + 2
            if isWritten, isContent && index < dataLength || their == our {
                theirs.data[index] = their
                ours.data[index] = our
            } else if isWritten || their != theirs.data[index] || our != ours.data[index] {
                differences.append("\(place): \(expected), the virtual ROM sends \(found): byte \(index)")
                return
            }
        }
    }
}

/// Completes requests whose data were cut.
private struct BlockContents {
    /// What is left of the stream of the compressed write.
    private var stream: ArraySlice<UInt8> = []

    mutating func complete(
        _ request: LoaderTrace.Request, of session: LoaderTrace.Session
    ) throws -> LoaderRequest {
        var data = request.bytes
        switch request.opcode {
        case .sync:
            data = Sync.pattern
        case .writeRegister:
            data = Array(data.prefix(data.count / 16 * 16))
        case .flashData:
            data = Array(data.prefix(DataBlock.headerLength)) + payload(request)
        case .deflateData:
            if data[4..<8].allSatisfy({ $0 == 0 }) { stream = Self.stored(streamLength(request, session)) }
            let length = request.length - DataBlock.headerLength
            data = Array(data.prefix(DataBlock.headerLength)) + stream.prefix(length)
            stream = stream.dropFirst(length)
            let block = data.dropFirst(DataBlock.headerLength)
            return LoaderRequest(opcode: request.opcode, checksum: LoaderChecksum.of(block), data: data[...])
        default:
            #expect(request.isComplete)
        }
        return LoaderRequest(opcode: request.opcode, checksum: request.checksum, data: data[...])
    }

    /// Zeros, and a byte that makes the recorded checksum right.
    private func payload(_ request: LoaderTrace.Request) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: request.length - DataBlock.headerLength)
        bytes[bytes.count - 1] = UInt8(truncatingIfNeeded: request.checksum) ^ LoaderChecksum.seed
        return bytes
    }

    /// The number of bytes of the blocks from `first` to the one before the next that begins a stream.
    private func streamLength(_ first: LoaderTrace.Request, _ session: LoaderTrace.Session) -> Int {
        let blocks = session.exchanges.map(\.request).drop { $0 != first }.filter { $0.opcode == .deflateData }
        let rest = blocks.dropFirst().prefix { !$0.bytes[4..<8].allSatisfy { $0 == 0 } }
        return ([first] + rest).reduce(0) { $0 + $1.length - DataBlock.headerLength }
    }

    /// A zlib stream of `count` bytes that stores zeros.
    private static func stored(_ count: Int) -> ArraySlice<UInt8> {
        let length = count - 11
        // Of zeros, the low half of Adler-32 stays 1, and the high one counts them.
        let sum = UInt32(length % 65_521) << 16 | 1
        let little = [UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
        return
            ([0x78, 0x01, 0x01] + little + little.map { ~$0 } + [UInt8](repeating: 0, count: length)
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) })[...]
    }
}
