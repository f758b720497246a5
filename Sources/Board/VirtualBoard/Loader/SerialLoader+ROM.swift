import ByteCodec
internal import ESPChips
import ESPProtocol
import MonotonicTime

/// The ROM's part of a ``SerialLoader``: its state between requests.
struct ROMLoader {
    var requests = ROMRequests()
    var answers = ROMAnswers()
    /// The write of the last FLASH_BEGIN or MEM_BEGIN.
    var plain: ROMWrite
    /// The write of FLASH_DEFL_BEGIN; before the first one, it admits no data, but the end command.
    var deflated = ROMWrite(blockSize: 0)
    var inflater = ZlibInflater()
    /// True if the last announced block was received, but did not end the stream.
    var isStreamCut = false

    init(_ chip: Chip) {
        plain = ROMWrite(blockSize: chip == .esp32 ? 0 : .max)
    }
}

extension SerialLoader {
    /// The refusal of an encrypted write whose length is not a multiple of 16 bytes.
    private static let unalignedEncryption = LoaderErrorCode(rawValue: 100)

    /// Answers that the ROM refuses the request with `opcode` (`nil`: unknown to the ROM).
    func refuseAsROM(_ opcode: LoaderOpcode?, _ code: LoaderErrorCode) {
        let known = opcode.flatMap { isKnownToROM($0) ? $0 : nil }
        send(rom.answers.refuse(known, code, dataLength: known.map(dataLength) ?? 0))
    }

    /// The number of data bytes in the ROM's answer to `opcode`, accepted or refused.
    func dataLength(of opcode: LoaderOpcode) -> Int {
        switch opcode {
        case .readFlashSlow: ReadFlashSlow.replyLength
        case .flashMD5: 2 * FlashMD5.Reply.digestLength
        case .securityInfo: chip.securityInfo == .withChipID ? 20 : 12
        default: 0
        }
    }

    private func isKnownToROM(_ opcode: LoaderOpcode) -> Bool {
        guard isAllowed(opcode) else { return false }
        if opcode == .securityInfo { return chip.securityInfo != .none }
        return LoaderCommands.entry(for: opcode)?.isInROM ?? false
    }

    /// Performs a command that writes to the flash.
    func performROMWrite(_ request: LoaderRequest, _ now: MonotonicInstant) throws(LoaderErrorCode) -> Answer {
        switch request.opcode {
        case .flashBegin:
            let command: FlashBegin = try decode(request)
            rom.plain = try begun(command.region)
            return try erase(command.region, success(FlashBegin.self), now)
        case .deflateBegin:
            let command: DeflateBegin = try decode(request)
            // The ROM refuses this without setting a code.
            guard command.region.isEncrypted != true else { throw rom.answers.error }
            rom.deflated = try begun(command.region)
            rom.inflater = ZlibInflater(window: rom.inflater.window)
            rom.isStreamCut = false
            return try erase(command.region, success(DeflateBegin.self), now)
        case .flashData:
            let command: FlashData = try decode(request)
            try rom.plain.admit(command.block, checksum: request.checksum, alignment: 4)
            try programVerified(command.block.payload, now)
            var answer = success(FlashData.self)
            answer.readyAt = flash.nextDeadline
            return answer
        case .deflateData:
            let command: DeflateData = try decode(request)
            try inflate(command.block, checksum: request.checksum, now)
            // The ROM inflates until no input is left: with surplus input, it never ends.
            guard rom.inflater.unusedCount == 0 else { return Answer(after: .fault(text: "")) }
            var answer = success(DeflateData.self)
            answer.readyAt = flash.nextDeadline
            return answer
        case .flashEnd:
            let command: FlashEnd = try decode(request)
            // The ROM leaves its loader with any answer, and for any request.
            guard rom.plain.isComplete else {
                refuseAsROM(.flashEnd, .failed)
                return Answer(after: .leaveROM)
            }
            var answer = success(FlashEnd.self)
            answer.after = command.reboots ? .restart : .leaveROM
            return answer
        default:
            let command: DeflateEnd = try decode(request)
            guard rom.deflated.hasAllBlocks else { throw .failed }
            var answer = success(DeflateEnd.self)
            if command.reboots { answer.after = .restart }
            return answer
        }
    }

    private func begun(_ region: FlashWriteRegion) throws(LoaderErrorCode) -> ROMWrite {
        // The ESP32's ROM does not expect the fifth word, later ones require it.
        guard (region.isEncrypted != nil) == chip.acceptsEncryptedWord, region.blockSize <= ROMWrite.largestBlock else {
            throw .invalidMessage
        }
        return ROMWrite(
            size: region.eraseSize, blockCount: region.blockCount, blockSize: region.blockSize, offset: region.offset,
            encryption: region.isEncrypted == true ? FlashCipher(registers.identity) : nil)
    }

    private func erase(
        _ region: FlashWriteRegion, _ success: Answer, _ now: MonotonicInstant
    ) throws(LoaderErrorCode) -> Answer {
        try requireFlash()
        let sector = NORFlash.sectorSize
        let (offset, size) = (Int(region.offset), Int(region.eraseSize))
        guard offset.isMultiple(of: sector) else { throw .failed }
        do {
            try flash.erase(at: offset, count: (size + sector - 1) / sector * sector, now: now)
        } catch {
            throw .failed
        }
        var answer = success
        answer.readyAt = flash.nextDeadline
        return answer
    }

    /// Programs a block and compares it. Outside of the flash, this does not program, and compares the block with
    /// itself.
    private func programVerified(_ payload: ArraySlice<UInt8>, _ now: MonotonicInstant) throws(LoaderErrorCode) {
        let offset = rom.plain.offset
        var bytes = payload
        if let encryption = rom.plain.encryption {
            guard let cipher = encryption.encrypt(payload, at: offset) else { throw Self.unalignedEncryption }
            bytes = cipher[...]
        }
        if registers.isFlashAttached, let former = try? flash.read(at: offset, count: bytes.count) {
            program(bytes, at: offset, now)
            // Only an erase sets bits. Encrypted bytes are not compared.
            guard rom.plain.encryption != nil || zip(former, bytes).allSatisfy({ $0 & $1 == $1 }) else {
                throw .flashWrite
            }
        }
        rom.plain.advance(payload.count, step: payload.count)
    }

    /// Inflates a block, and writes each full window; with the last announced block also the rest.
    private func inflate(
        _ block: DataBlock, checksum: UInt32, _ now: MonotonicInstant
    ) throws(LoaderErrorCode) {
        var write = rom.deflated
        defer { rom.deflated = write }
        try write.admit(block, checksum: checksum)
        guard !rom.isStreamCut else { throw .deflateAdler32 }
        var emitted = 0
        do {
            try rom.inflater.inflate(block.payload, emitsEnd: false) { window throws(FlashError) in
                program(window, at: write.offset + emitted, now)
                emitted += window.count
            }
        } catch {
            let failure = error as? ZlibInflater.Failure
            throw failure?.isChecksum == true ? .deflateAdler32 : .deflate
        }
        write.advance(block.payload.count, step: emitted)
        guard write.hasAllBlocks else { return }
        // The decompressor knows that no input follows, and misses the end with its checksum.
        guard rom.inflater.isFinished else {
            rom.isStreamCut = true
            throw .deflateAdler32
        }
        // The ESP32's ROM writes the whole window, including the remains of earlier windows, over the data behind the
        // region.
        let count = chip == .esp32 ? ZlibInflater.windowSize : (rom.inflater.filled + 3) / 4 * 4
        program(rom.inflater.window[..<count], at: write.offset, now)
    }

    /// Programs the bytes if all of them fit in the flash; a ROM ignores a failure.
    private func program(_ bytes: ArraySlice<UInt8>, at offset: Int, _ now: MonotonicInstant) {
        guard registers.isFlashAttached else { return }
        _ = try? flash.program(bytes, at: offset, now: now)
    }

    /// Performs a command that writes to the RAM.
    func performROMMemory(_ request: LoaderRequest) throws(LoaderErrorCode) -> Answer {
        switch request.opcode {
        case .memoryBegin:
            let command: MemoryBegin = try decode(request)
            guard command.blockSize <= ROMWrite.largestBlock else { throw .invalidMessage }
            rom.plain = ROMWrite(
                size: command.size, blockCount: command.blockCount, blockSize: command.blockSize,
                offset: command.address)
            loaded.begin(at: command.address)
            return success(MemoryBegin.self)
        case .memoryData:
            let command: MemoryData = try decode(request)
            try rom.plain.admit(command.block, checksum: request.checksum)
            rom.plain.advance(command.block.payload.count, step: command.block.payload.count)
            loaded.append(command.block.payload)
            return success(MemoryData.self)
        default:
            // Any address but 0 makes the ROM run the program, regardless of the first word.
            let address = request.data.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return ended(MemoryEnd(entryPoint: address == 0 ? nil : address))
        }
    }
}
