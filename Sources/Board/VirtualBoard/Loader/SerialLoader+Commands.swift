import ByteCodec
import ESPChips
import ESPProtocol
import MonotonicTime

extension SerialLoader {
    /// Performs `request`.
    ///
    /// - Throws: the error code of the response.
    func perform(_ request: LoaderRequest, _ now: MonotonicInstant) throws(LoaderErrorCode) -> Answer {
        guard isAllowed(request.opcode) else { throw invalidMessage }
        switch request.opcode {
        case .sync:
            _ = try decode(request) as Sync
            let reply = isStub ? Sync.Reply.stub : Sync.Reply.rom
            return Answer(response: success(Sync.self, reply), copies: Sync.responseCount)
        case .readRegister:
            let command: ReadRegister = try decode(request)
            let word = registers.read(command.address, baudRate: baudRate)
            return Answer(response: success(ReadRegister.self, ReadRegister.Reply(value: word)))
        case .writeRegister:
            let command: WriteRegister = try decode(request)
            for write in command.writes { registers.write(write, baudRate: baudRate) }
            if registers.hasStartedWatchdog, watchdogReset == nil {
                watchdogReset = now.advanced(by: Self.watchdogTime)
            }
            return success(WriteRegister.self)
        case .memoryBegin, .memoryData, .memoryEnd:
            return try performMemory(request)
        case .changeBaudRate:
            let command: ChangeBaudRate = try decode(request)
            guard command.newRate > 0 else { throw invalidMessage }
            var answer = success(ChangeBaudRate.self)
            let rate = Int(command.newRate)
            answer.after = .changeBaudRate(
                !isStub && chip == .esp32 ? ESP32Clock.rate(rate, crystal: registers.identity.crystal) : rate)
            return answer
        case .attachFlash:
            let command: AttachFlash = try decode(request)
            guard command.dialect == dialect else { throw invalidMessage }
            registers.isFlashAttached = isFlashConnected(command.pins)
            return success(AttachFlash.self)
        case .setFlashParameters:
            _ = try decode(request) as SetFlashParameters
            return success(SetFlashParameters.self)
        case .flashBegin, .flashData, .flashEnd, .deflateBegin, .deflateData, .deflateEnd:
            return try performWrite(request, now)
        case .flashMD5, .readFlashSlow, .readFlash:
            return try performRead(request, now)
        case .eraseFlash, .eraseRegion:
            return try performErase(request, now)
        case .runUserCode where isStub:
            _ = try decode(request) as RunUserCode
            // The stub has no answer to it, and goes on.
            return Answer()
        case .securityInfo:
            _ = try decode(request) as GetSecurityInfo
            return Answer(response: success(GetSecurityInfo.self, try securityInfo()))
        default:
            throw isStub ? .stubInvalidCommand : .invalidMessage
        }
    }

    func decode<Command: LoaderCommand>(_ request: LoaderRequest) throws(LoaderErrorCode) -> Command {
        do {
            return try request.decode(Command.self)
        } catch {
            throw invalidMessage
        }
    }

    func success<Command: LoaderCommand>(_ command: Command.Type, _ reply: Command.Reply) -> LoaderResponse {
        LoaderResponse(to: command, reply, dialect: dialect)
    }

    func success<Command: LoaderCommand>(_ command: Command.Type) -> Answer where Command.Reply == EmptyReply {
        Answer(response: success(command, EmptyReply()))
    }

    func checkSum(_ request: LoaderRequest, _ payload: ArraySlice<UInt8>) throws(LoaderErrorCode) {
        guard LoaderChecksum.of(payload) == request.checksum else {
            throw isStub ? .stubChecksum : .invalidChecksum
        }
    }

    /// Whether the loader accepts the command at all: secure download mode only lets the flash be written.
    private func isAllowed(_ opcode: LoaderOpcode) -> Bool {
        guard registers.identity.hasSecureDownload else { return true }
        switch opcode {
        case .sync, .flashBegin, .flashData, .flashEnd, .deflateBegin, .deflateData, .deflateEnd, .attachFlash,
            .setFlashParameters, .changeBaudRate, .securityInfo:
            return true
        default:
            return false
        }
    }

    /// Whether a flash chip is at the pins of SPI_ATTACH: 0 and 1 select the chip's own.
    private func isFlashConnected(_ pins: UInt32) -> Bool {
        // HD, CS, D, Q and CLK of the ESP32's own flash, 6 bits each.
        let own: UInt32 = 9 << 24 | 11 << 18 | 8 << 12 | 7 << 6 | 6
        return pins == 0 || chip == .esp32 && pins == own
    }

    private func securityInfo() throws(LoaderErrorCode) -> GetSecurityInfo.Reply {
        var reply: GetSecurityInfo.Reply
        switch chip.securityInfo {
        case .none: throw isStub ? .stubNotImplemented : .invalidMessage
        case .withoutChipID: reply = GetSecurityInfo.Reply(chipID: nil)
        case .withChipID: reply = GetSecurityInfo.Reply(chipID: UInt32(chip.id), apiVersion: 0)
        }
        if registers.identity.hasSecureDownload { reply.flags |= 1 << 2 }
        return reply
    }

    private func performMemory(_ request: LoaderRequest) throws(LoaderErrorCode) -> Answer {
        switch request.opcode {
        case .memoryBegin:
            let command: MemoryBegin = try decode(request)
            memory = MemoryWriteSession(remaining: Int(command.size))
            loaded.begin(at: command.address)
            return success(MemoryBegin.self)
        case .memoryData:
            let command: MemoryData = try decode(request)
            guard var current = memory else { throw notBegun }
            try checkSum(request, command.block.payload)
            guard command.block.payload.count <= current.remaining else {
                throw isStub ? .stubTooMuchData : .failed
            }
            current.remaining -= command.block.payload.count
            memory = current
            loaded.append(command.block.payload)
            return success(MemoryData.self)
        default:
            let command: MemoryEnd = try decode(request)
            guard memory != nil else { throw notBegun }
            memory = nil
            var answer = success(MemoryEnd.self)
            if let entryPoint = command.entryPoint {
                answer.after = .run(loaded.program(entryPoint: entryPoint))
                loaded = MemoryImage()
            }
            return answer
        }
    }

    /// The error code of a data command without its BEGIN.
    var notBegun: LoaderErrorCode { isStub ? .stubNotInFlashMode : .failed }
}

/// A write to RAM that MEM_BEGIN opened.
struct MemoryWriteSession {
    /// The remaining announced bytes.
    var remaining: Int
}
