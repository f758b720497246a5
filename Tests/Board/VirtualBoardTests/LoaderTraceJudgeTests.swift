import CZlib
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
        LoaderTrace.ChipModel.allCases.flatMap { model in LoaderTrace.Loader.allCases.map { (tool, model, $0) } }
    }

    @Test(arguments: all) func `The virtual ROM and stub answer as the genuine ones`(
        tool: LoaderTrace.Tool, model: LoaderTrace.ChipModel, loader: LoaderTrace.Loader
    ) throws {
        let judged = try judge(tool, model, loader)
        #expect(judged.count > (loader == .rom ? 800 : 250))
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
        // The opcode, the value and the status of the stub's answers.
        for index in [1, 4, 8] {
            let judged = try judge(.espbench, .esp32, .stub) { frame in
                if frame.count > index { frame[index] ^= 0x10 }
            }
            #expect(!judged.differences.isEmpty, "byte \(index) of the stub")
        }
        for model in LoaderTrace.ChipModel.allCases {
            let used = try LoaderTrace.Tool.allCases.flatMap { try judge($0, model).exempted }
            #expect(Set(used) == Set(Self.exemptRegisters(Self.chip(model)).keys))
        }
    }

    private static func chip(_ model: LoaderTrace.ChipModel) -> Chip {
        model == .esp32 ? .esp32 : .esp32c3
    }

    /// The emulated chip, as far as a virtual one can be it. The stub was recorded with other eFuses.
    private func identity(_ model: LoaderTrace.ChipModel, _ program: LoaderTrace.Loader) -> ChipIdentity {
        var identity = ChipIdentity(number: 0, flashSize: 4 << 20, chip: Self.chip(model))
        switch (model, program) {
        case (.esp32, .rom): identity.macAddress = [0x24, 0x0A, 0xC4, 0x12, 0x34, 0x56]
        case (.esp32c3, .rom): identity.macAddress = [0x7C, 0xDF, 0xA1, 0x12, 0x34, 0x57]
        case (.esp32, .stub):
            identity.macAddress = [0x10, 0x01, 0x00, 0xC4, 0x0A, 0x24]
            identity.revision = 0
        case (.esp32c3, .stub):
            identity.macAddress = [0xC4, 0x0A, 0x24, 0xFE, 0x10, 0x01]
            identity.revision = 3
        }
        return identity
    }

    /// Replays a recording; `spoil` changes each frame of the virtual ROM before it is compared.
    private func judge(
        _ tool: LoaderTrace.Tool, _ model: LoaderTrace.ChipModel, _ program: LoaderTrace.Loader = .rom,
        spoil: (inout [UInt8]) -> Void = { _ in }
    ) throws -> Judge {
        let identity = identity(model, program)
        let flash = try NORFlash(path: nil, size: identity.flashSize, random: SeededRandom(seed: 1))
        let loader = SerialLoader(flash: flash, identity: identity, pace: .immediate)
        var judge = Judge(exempt: Self.exemptRegisters(identity.chip))
        var contents = BlockContents(isStub: program == .stub)
        for session in try LoaderTrace(tool, model, program).sessions {
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
                var decoder = SLIPDecoder(limit: 5000)
                var frames: [[UInt8]] = []
                func receive() {
                    for case .frame(var frame) in decoder.decode(loader.drainOutput()) {
                        spoil(&frame)
                        frames.append(frame)
                    }
                }
                receive()
                // Each packet of READ_FLASH is acknowledged with the number of bytes so far; not the digest.
                var acknowledged = 0
                while request.opcode == .readFlash, exchange.packets.indices.contains(frames.count - 1) {
                    acknowledged += frames[frames.count - 1].count
                    let count = (0..<4).map { UInt8(truncatingIfNeeded: acknowledged >> ($0 * 8)) }
                    loader.receive(SLIP.encode(count), at: .zero)
                    receive()
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
    /// Whether the stub answers: its value word is that of the answer, and its status has two bytes.
    private var isStub = false

    init(exempt: [UInt32: String]) {
        self.exempt = exempt
    }

    mutating func compare(_ exchange: LoaderTrace.Exchange, _ request: LoaderRequest, _ frames: [[UInt8]]) {
        count += 1
        let place = "line \(exchange.line), \(request.opcode)"
        let count = exchange.answers.count + exchange.packets.count
        guard frames.count == count else {
            differences.append("\(place): \(count) frames, the virtual loader sends \(frames.count)")
            return
        }
        var greets = false
        defer { if greets { isStub = true } }
        for (packet, frame) in zip(exchange.packets, frames.dropFirst(exchange.answers.count)) {
            let isGreeting = packet.bytes == MemoryEnd.stubGreeting
            guard packet.length == frame.count, !isGreeting || frame == packet.bytes else {
                differences.append("\(place): \(packet), the virtual stub sends \(frame)")
                return
            }
            greets = greets || isGreeting
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
            compareBody(answer.bytes, Array(frame[8...]), answer.length - (isStub ? 2 : 4), request, place)
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
        if request.opcode == .readRegister || request.opcode == .sync || isStub {
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
    /// The announced number of bytes of the compressed write, which the stub insists on.
    private var inflatedSize = 0
    let isStub: Bool

    init(isStub: Bool) {
        self.isStub = isStub
    }

    mutating func complete(
        _ request: LoaderTrace.Request, of session: LoaderTrace.Session
    ) throws -> LoaderRequest {
        var data = request.bytes
        switch request.opcode {
        case .sync:
            data = Sync.pattern
        case .writeRegister:
            data = Array(data.prefix(data.count / 16 * 16))
        case .deflateBegin:
            inflatedSize = Int(
                try LoaderRequest(opcode: request.opcode, checksum: 0, data: data[...]).decode(DeflateBegin.self).region
                    .eraseSize)
        case .memoryData where !request.isComplete:
            // What makes the virtual board take it for the stub.
            data = Array(data.prefix(DataBlock.headerLength)) + payload(request, beginning: MemoryEnd.stubGreeting)
        case .flashData:
            data = Array(data.prefix(DataBlock.headerLength)) + payload(request)
        case .deflateData:
            if data[4..<8].allSatisfy({ $0 == 0 }) {
                let length = streamLength(request, session)
                stream = isStub ? Self.stream(length, inflatingTo: inflatedSize) : Self.stored(length)
            }
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
    private func payload(_ request: LoaderTrace.Request, beginning: [UInt8] = []) -> [UInt8] {
        let count = request.length - DataBlock.headerLength - beginning.count
        var bytes = beginning + [UInt8](repeating: 0, count: count)
        bytes[bytes.count - 1] ^= UInt8(truncatingIfNeeded: request.checksum ^ LoaderChecksum.of(bytes[...]))
        return bytes
    }

    /// The number of bytes of the blocks from `first` to the one before the next that begins a stream.
    private func streamLength(_ first: LoaderTrace.Request, _ session: LoaderTrace.Session) -> Int {
        let blocks = session.exchanges.map(\.request).drop { $0 != first }.filter { $0.opcode == .deflateData }
        let rest = blocks.dropFirst().prefix { !$0.bytes[4..<8].allSatisfy { $0 == 0 } }
        return ([first] + rest).reduce(0) { $0 + $1.length - DataBlock.headerLength }
    }

    /// A zlib stream of `count` bytes of so many zeros: some are stored, the others compressed.
    private static func stream(_ count: Int, inflatingTo size: Int) -> ArraySlice<UInt8> {
        func compressed(_ size: Int) -> [UInt8] {
            var result = [UInt8](repeating: 0, count: Int(compressBound(uLong(size))))
            var length = uLong(result.count)
            compress2(&result, &length, [UInt8](repeating: 0, count: size), uLong(size), 9)
            // Without header and checksum.
            return Array(result[2..<Int(length) - 4])
        }
        let overhead = 2 + 5 + 4
        let rest = (0..<count).lazy.map { compressed(size - $0) }.enumerated()
            .first { overhead + $0.offset + $0.element.count == count }
        guard let (stored, tail) = rest else { return [] }
        let sum = UInt32(size % 65_521) << 16 | 1
        let little = [UInt8(truncatingIfNeeded: stored), UInt8(truncatingIfNeeded: stored >> 8)]
        return
            ([0x78, 0xDA, 0] + little + little.map { ~$0 } + [UInt8](repeating: 0, count: stored) + tail
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) })[...]
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
