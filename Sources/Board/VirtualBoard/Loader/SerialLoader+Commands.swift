import ByteCodec
internal import ESPChips
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
            if isStub {
                _ = try decode(request) as Sync
                return Answer(response: success(Sync.self, .stub), copies: Sync.responseCount)
            }
            // A ROM does not check the pattern, and answers with its first word.
            var response = success(Sync.self, .rom)
            response.value = request.data.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
            return Answer(response: response)
        case .readRegister:
            let command: ReadRegister = try decode(request)
            guard isStub || LoaderRegisters.isMapped(command.address) else { return Answer(after: loadFault) }
            let word =
                loaded.word(at: command.address) ?? registers.read(command.address, baudRate: baudRate)
            return Answer(response: success(ReadRegister.self, ReadRegister.Reply(value: word)))
        case .writeRegister:
            guard isStub || !request.data.isEmpty else { return success(WriteRegister.self) }
            let command: WriteRegister = try decode(request)
            guard isStub || command.writes.allSatisfy({ LoaderRegisters.isMapped($0.address) }) else {
                return Answer(after: loadFault)
            }
            for write in command.writes { registers.write(write, baudRate: baudRate) }
            if registers.hasStartedWatchdog, watchdogReset == nil {
                watchdogReset = now.advanced(by: Self.watchdogTime)
            }
            return success(WriteRegister.self)
        case .memoryBegin, .memoryData, .memoryEnd:
            return isStub ? try performMemory(request) : try performROMMemory(request)
        case .changeBaudRate:
            let command: ChangeBaudRate = try decode(request)
            if command.newRate == 0 {
                guard !isStub else { throw invalidMessage }
                // The ESP32's ROM divides by this value.
                if chip == .esp32 { return Answer(after: loadFault) }
            }
            var answer = success(ChangeBaudRate.self)
            let rate = command.newRate == 0 ? baudRate : Int(command.newRate)
            answer.after = .changeBaudRate(
                !isStub && chip == .esp32 ? ESP32Clock.rate(rate, crystal: registers.identity.crystal) : rate)
            return answer
        case .attachFlash:
            let command: AttachFlash = try decode(request)
            // A ROM does not check the length.
            guard !isStub || command.dialect == .stub else { throw invalidMessage }
            registers.isFlashAttached = isFlashConnected(command.pins)
            return success(AttachFlash.self)
        case .setFlashParameters:
            _ = try decode(request) as SetFlashParameters
            return success(SetFlashParameters.self)
        case .flashBegin, .flashData, .flashEnd, .deflateBegin, .deflateData, .deflateEnd:
            return isStub ? try performWrite(request, now) : try performROMWrite(request, now)
        case .flashMD5, .readFlashSlow, .readFlash:
            return try performRead(request, now)
        case .eraseFlash, .eraseRegion:
            return try performErase(request, now)
        case .runUserCode where isStub:
            _ = try decode(request) as RunUserCode
            // The stub does not answer this command, and continues.
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
            throw .stubChecksum
        }
    }

    /// True if the loader accepts the command at all: secure download mode only permits writing the flash.
    func isAllowed(_ opcode: LoaderOpcode) -> Bool {
        guard registers.identity.hasSecureDownload else { return true }
        switch opcode {
        case .sync, .flashBegin, .flashData, .flashEnd, .deflateBegin, .deflateData, .deflateEnd, .attachFlash,
            .setFlashParameters, .changeBaudRate, .securityInfo:
            return true
        default:
            return false
        }
    }

    /// True if a flash chip is at the pins of SPI_ATTACH: 0 and 1 select the chip's own pins.
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
        case .withChipID: reply = GetSecurityInfo.Reply(chipID: UInt32(chip.id), apiVersion: chip == .esp32c3 ? 3 : 0)
        }
        // The chip has six keys; the ROM reads this value for a seventh. Recorded on the ESP32-C3.
        if chip == .esp32c3 { reply.keyPurposes[6] = 12 }
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
            guard var current = memory else { throw .stubNotInFlashMode }
            try checkSum(request, command.block.payload)
            guard command.block.payload.count <= current.remaining else { throw .stubTooMuchData }
            current.remaining -= command.block.payload.count
            memory = current
            loaded.append(command.block.payload)
            return success(MemoryData.self)
        default:
            let command: MemoryEnd = try decode(request)
            guard memory != nil else { throw .stubNotInFlashMode }
            memory = nil
            return ended(command)
        }
    }

    /// The answer to an accepted MEM_END.
    func ended(_ command: MemoryEnd) -> Answer {
        var answer = success(MemoryEnd.self)
        if let entryPoint = command.entryPoint {
            answer.after = .run(loaded.program(entryPoint: entryPoint))
            loaded = MemoryImage()
        }
        return answer
    }
}

/// A write to RAM that MEM_BEGIN opened in the stub.
struct MemoryWriteSession {
    /// The remaining announced bytes.
    var remaining: Int
}
