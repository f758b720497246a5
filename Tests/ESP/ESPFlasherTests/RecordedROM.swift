import ByteCodec
import CZlib
import Crypto
import ESPProtocol
import LoaderTraces
import SerialPort
import Testing

/// A genuine mask ROM, or the stub on it: answers with the bytes that were recorded of it. What they depend on is kept as the ROM keeps it:
/// the flash, the write that was begun, and the request before.
///
/// Requests that were not recorded fail the test, but for those whose data the recording cannot have.
actor RecordedROM: SerialPort {
    nonisolated let name = "recorded"
    nonisolated let hasModemLines = false
    nonisolated let traits = PortTraits(setsRate: false)
    nonisolated let clock = ScriptClock()
    /// 4 MB.
    private var flash = [UInt8](repeating: 0xFF, count: 1 << 22)
    /// The digests of the flash that were answered exactly as recorded.
    private(set) var genuineDigests = 0
    /// Values of registers in place of the recorded ones.
    private var registers: [UInt32: UInt32] = [:]

    private let sessions: [LoaderTrace.Session]
    /// The requests that this ROM does not know.
    private let unknown: Set<LoaderOpcode>
    private let isStub: Bool
    /// The bytes of a running READ_FLASH that have not been sent; its packets' size, and the digest that follows.
    private var reading: (bytes: ArraySlice<UInt8>, packet: Int, digest: [UInt8])?
    /// The exchanges of the session that have not been repeated yet.
    private var exchanges: [LoaderTrace.Exchange] = []
    private var blocksUntilDamage = 0
    private var former: [LoaderTrace.Answer] = []
    private var write: FlashWrite?
    private var decoder = SLIPDecoder(limit: 1 << 16)
    private var input: [UInt8] = []

    /// A write that was begun.
    private struct FlashWrite {
        var region: FlashWriteRegion
        var isCompressed: Bool
        var sequence: UInt32 = 0
        var received: [UInt8] = []
        let isStub: Bool
        /// After a block that was refused, all are.
        var isBroken = false

        /// What is written of inflated data: whole windows, and the rest with the announced number of blocks; by the stub all.
        func inflated() -> [UInt8] {
            var result = [UInt8](repeating: 0, count: Int(region.eraseSize))
            var length = uLong(result.count)
            // The end may be missing yet.
            _ = uncompress(&result, &length, received, uLong(received.count))
            let count = Int(length)
            return Array(result.prefix(isStub || sequence == region.blockCount ? count : count / 0x8000 * 0x8000))
        }
    }

    init(_ trace: LoaderTrace, unknown: Set<LoaderOpcode>, isStub: Bool = false) {
        sessions = trace.sessions
        self.isStub = isStub
        self.unknown = unknown
    }

    /// Begins the recorded session with this number.
    func begin(_ index: Int) { exchanges = sessions[index].exchanges.filter { !$0.answers.isEmpty } }

    func set(_ address: UInt32, to value: UInt32) { registers[address] = value }

    /// Damages the block with this number, counted from 1, on its way to the ROM.
    func damage(block: Int) { blocksUntilDamage = block }

    func holds(_ bytes: [UInt8], at offset: Int) -> Bool { flash[offset..<offset + bytes.count].elementsEqual(bytes) }

    // MARK: Requests

    func write(_ bytes: [UInt8]) async throws {
        for event in decoder.decode(bytes) {
            guard case .frame(let content) = event else { continue }
            if reading != nil {
                sendPacket(acknowledgedBy: content)
                continue
            }
            var reader = ByteReader(content, subject: "request")
            let request = try LoaderRequest(from: &reader)
            for answer in try answers(to: request) {
                var writer = ByteWriter()
                writer.append([1, answer.opcode.rawValue, UInt8(answer.length), 0])
                writer.uint32(answer.value)
                writer.append(answer.bytes)
                input += SLIP.encode(writer.bytes)
            }
            if request.opcode == .readFlash { try startReading(request.decode(ReadFlash.self)) }
        }
    }

    private func startReading(_ command: ReadFlash) {
        let bytes = flash[Int(command.offset)..<Int(command.offset + command.count)]
        reading = (bytes, Int(command.packetSize), Array(Insecure.MD5.hash(data: bytes)))
        sendPacket(acknowledgedBy: [0, 0, 0, 0])
    }

    /// Sends the next packet of READ_FLASH, or the digest.
    private func sendPacket(acknowledgedBy content: [UInt8]) {
        #expect(content.count == 4)
        guard let (bytes, packet, digest) = reading else { return }
        input += SLIP.encode(bytes.isEmpty ? digest : Array(bytes.prefix(packet)))
        reading = bytes.isEmpty ? nil : (bytes.dropFirst(packet), packet, digest)
    }

    private func answers(to request: LoaderRequest) throws -> [LoaderTrace.Answer] {
        guard !unknown.contains(request.opcode) else { return former.map { failure(0x05, $0) } }
        guard var answers = recorded(request), let first = answers.first else {
            Issue.record("not recorded: \(request.opcode) \(Hexadecimal.string(request.data.prefix(24)))")
            return []
        }
        switch request.opcode {
        case .readRegister:
            let address = try request.decode(ReadRegister.self).address
            if let value = registers[address] { answers[0].value = value }
        case .flashMD5: answers = [try digest(request, first)]
        case .readFlashSlow:
            let start = Int(try request.decode(ReadFlashSlow.self).offset)
            answers[0].bytes = Array(flash[start..<start + 64]) + [0, 0, 0, 0]
        case .eraseFlash: flash = [UInt8](repeating: 0xFF, count: flash.count)
        case .eraseRegion:
            let command = try request.decode(EraseRegion.self)
            let range = Int(command.offset)..<Int(command.offset + command.size)
            flash.replaceSubrange(range, with: repeatElement(0xFF, count: range.count))
        case .flashBegin: begin(try request.decode(FlashBegin.self).region, isCompressed: false)
        case .deflateBegin: begin(try request.decode(DeflateBegin.self).region, isCompressed: true)
        case .flashData, .deflateData:
            // Both have the same parameters.
            if let code = receive(try request.decode(FlashData.self), request.checksum) {
                answers = [failure(code, first)]
            }
        default: break
        }
        former = answers
        return answers
    }

    /// The status `01 code`; what follows is stale.
    private func failure(_ code: UInt8, _ answer: LoaderTrace.Answer) -> LoaderTrace.Answer {
        var answer = answer
        answer.bytes = [1, code] + answer.bytes.suffix(2)
        answer.length = 4
        return answer
    }

    /// The answers to the next such request in the session, or to the last; of one whose data were not recorded, to any
    /// with that opcode.
    private func recorded(_ request: LoaderRequest) -> [LoaderTrace.Answer]? {
        let same = exchanges.indices.filter { exchanges[$0].request.isSame(as: request) }
        if let index = same.first {
            return same.count > 1 ? exchanges.remove(at: index).answers : exchanges[index].answers
        }
        return exchanges.first { $0.request.differsInData(from: request) }?.answers
    }

    // MARK: Flash

    private func digest(_ request: LoaderRequest, _ answer: LoaderTrace.Answer) throws -> LoaderTrace.Answer {
        let command = try request.decode(FlashMD5.self)
        let bytes = flash[Int(command.address)..<Int(command.address + command.size)]
        let digest = Array(Insecure.MD5.hash(data: bytes))
        let digits = isStub ? digest : Array(Hexadecimal.string(digest).utf8)
        var answer = answer
        if answer.bytes.starts(with: digits) { genuineDigests += 1 }
        answer.bytes.replaceSubrange(..<digits.count, with: digits)
        return answer
    }

    private func begin(_ region: FlashWriteRegion, isCompressed: Bool) {
        let start = Int(region.offset)
        #expect(start % 0x1000 == 0)
        let end = (start + Int(region.eraseSize) + 0xFFF) / 0x1000 * 0x1000
        flash.replaceSubrange(start..<end, with: repeatElement(0xFF, count: end - start))
        write = FlashWrite(region: region, isCompressed: isCompressed, isStub: isStub)
    }

    /// The error code, if there is one.
    private func receive(_ data: FlashData, _ checksum: UInt32) -> UInt8? {
        guard var current = write, !current.isBroken, data.block.sequence == current.sequence else { return 0x05 }
        defer { write = current }
        blocksUntilDamage -= 1
        guard data.checksum == checksum, blocksUntilDamage != 0 else {
            current.isBroken = true
            return 0x07
        }
        let start = Int(current.region.offset)
        let payload = Array(data.block.payload)
        if current.isCompressed {
            current.sequence += 1
            current.received += payload
            let content = current.inflated()
            flash.replaceSubrange(start..<start + content.count, with: content)
        } else {
            let place = start + Int(current.sequence * current.region.blockSize)
            // The stub's last block is padded.
            let count = isStub ? min(payload.count, start + Int(current.region.eraseSize) - place) : payload.count
            flash.replaceSubrange(place..<place + count, with: payload.prefix(count))
            current.sequence += 1
        }
        return nil
    }

    // MARK: Port

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        guard !input.isEmpty else {
            clock.advance(by: try #require(timeout))
            return []
        }
        let bytes = Array(input.prefix(maximum))
        input.removeFirst(bytes.count)
        return bytes
    }

    func configure(_ settings: SerialSettings) async throws {
        #expect(settings == .default, "the other side of a socket does not follow")
    }

    func discardInput() async throws { input = [] }
    func pause(for duration: Duration) async throws { clock.advance(by: duration) }
    func setModemLines(_ lines: ModemLines) async throws {}
    func close() async {}
}

extension LoaderTrace.Request {
    fileprivate func isSame(as request: LoaderRequest) -> Bool {
        opcode == request.opcode && length == request.data.count && request.data.starts(with: bytes)
    }

    /// The files that were written then are not known, and the number of their blocks was wrong.
    fileprivate func differsInData(from request: LoaderRequest) -> Bool {
        guard opcode == request.opcode else { return false }
        switch opcode {
        case .flashData, .deflateData, .flashMD5: return true
        case .flashBegin, .deflateBegin: return length == request.data.count
        default: return false
        }
    }
}
