import ByteCodec
import Crypto
internal import ESPChips
import ESPProtocol
import MonotonicTime

extension SerialLoader {
    /// The time to read and hash a byte.
    private static let digestTimePerByte = Duration.nanoseconds(100)

    /// Performs a command that writes to the flash, as the stub does.
    func performWrite(_ request: LoaderRequest, _ now: MonotonicInstant) throws(LoaderErrorCode) -> Answer {
        switch request.opcode {
        case .flashBegin:
            let command: FlashBegin = try decode(request)
            return try begin(command.region, success(FlashBegin.self), isCompressed: false, now)
        case .deflateBegin:
            let command: DeflateBegin = try decode(request)
            return try begin(command.region, success(DeflateBegin.self), isCompressed: true, now)
        case .flashData:
            let command: FlashData = try decode(request)
            return try data(request, command.block.payload, success(FlashData.self))
        case .deflateData:
            let command: DeflateData = try decode(request)
            return try data(request, command.block.payload, success(DeflateData.self))
        case .flashEnd:
            _ = try decode(request) as FlashEnd
            return try end(success(FlashEnd.self))
        default:
            _ = try decode(request) as DeflateEnd
            return try end(success(DeflateEnd.self))
        }
    }

    private func begin(
        _ region: FlashWriteRegion, _ success: Answer, isCompressed: Bool, _ now: MonotonicInstant
    ) throws(LoaderErrorCode) -> Answer {
        try requireFlash()
        var opened = FlashWriteSession(
            region, isCompressed: isCompressed,
            encryption: region.isEncrypted == true ? FlashCipher(registers.identity) : nil)
        do {
            try opened.eraseNext(flash, now: now)
        } catch {
            session = nil
            throw failure
        }
        session = opened
        return success
    }

    private func data(
        _ request: LoaderRequest, _ payload: ArraySlice<UInt8>, _ success: Answer
    ) throws(LoaderErrorCode) -> Answer {
        guard session != nil else { throw .stubNotInFlashMode }
        try checkSum(request, payload)
        var answer = success
        // The block is acknowledged before it is written, so that the next block is transmitted meanwhile.
        answer.after = .writeFlash(payload)
        return answer
    }

    /// Writes a block; inflates it in a compressed session.
    ///
    /// Each time the stub calls its decompressor while the flash is idle, it starts to erase ahead and does not wait:
    /// the last of these erases continues while the next block is received.
    ///
    /// - Returns: the time at which the last program operation completes; `nil` without one.
    @discardableResult
    func write(_ payload: ArraySlice<UInt8>, _ now: MonotonicInstant) throws(LoaderErrorCode) -> MonotonicInstant? {
        guard var current = session else { throw .stubNotInFlashMode }
        defer { session = current }
        var written: MonotonicInstant?
        var isIdle = flash.nextDeadline == nil
        do {
            guard let inflater = current.inflater else {
                // The last block is padded with FF.
                try current.write(payload.prefix(max(0, current.remaining)), flash, now: now)
                return flash.nextDeadline
            }
            let flash = flash
            try inflater.inflate(payload) { () throws(FlashError) in
                if isIdle { try current.eraseNext(flash, now: now) }
                isIdle = false
            } emit: { window throws(FlashError) in
                try current.write(window, flash, now: now)
                written = flash.nextDeadline
                isIdle = true
            }
            return written
        } catch is ZlibInflater.Failure {
            throw .stubInflate
        } catch {
            throw failure
        }
    }

    /// The stub continues with any request.
    private func end(_ success: Answer) throws(LoaderErrorCode) -> Answer {
        guard let session else { throw .stubNotInFlashMode }
        guard session.remaining == 0 else { throw .stubLength }
        self.session = nil
        return success
    }

    func performErase(_ request: LoaderRequest, _ now: MonotonicInstant) throws(LoaderErrorCode) -> Answer {
        guard isStub else { throw invalidMessage }
        let region: (offset: Int, size: Int)
        var answer: Answer
        if request.opcode == .eraseFlash {
            _ = try decode(request) as EraseFlash
            region = (0, flash.size)
            answer = success(EraseFlash.self)
        } else {
            let command: EraseRegion = try decode(request)
            let sector = UInt32(NORFlash.sectorSize)
            guard command.offset.isMultiple(of: sector), command.size.isMultiple(of: sector) else {
                throw invalidMessage
            }
            region = (Int(command.offset), Int(command.size))
            answer = success(EraseRegion.self)
        }
        do {
            try flash.erase(at: region.offset, count: region.size, now: now)
        } catch {
            throw failure
        }
        answer.readyAt = flash.nextDeadline
        return answer
    }

    func performRead(_ request: LoaderRequest, _ now: MonotonicInstant) throws(LoaderErrorCode) -> Answer {
        switch request.opcode {
        case .flashMD5:
            let command: FlashMD5 = try decode(request)
            try requireFlash()
            // A ROM interprets the size as a signed number.
            let size = isStub ? Int(command.size) : max(0, Int(Int32(bitPattern: command.size)))
            let digest = try digest(Int(command.address), size)
            return Answer(
                response: success(FlashMD5.self, FlashMD5.Reply(digest: digest[...])),
                readyAt: now.advanced(by: Self.digestTimePerByte * size))
        case .readFlashSlow where !isStub:
            let command: ReadFlashSlow = try decode(request)
            try requireFlash()
            guard command.count <= ReadFlashSlow.replyLength else { throw .flashReadLength }
            do {
                // Whole words. A sum that overflows counts as inside the flash, whose addresses wrap around.
                let count = (Int(command.count) + 3) / 4 * 4
                let overflows = Int(command.offset) + Int(command.count) > Int(UInt32.max)
                let bytes =
                    overflows
                    ? try (0..<count).flatMap { try flash.read(at: (Int(command.offset) + $0) % flash.size, count: 1) }
                    : try flash.read(at: Int(command.offset), count: count)
                var response = success(ReadFlashSlow.self, ReadFlashSlow.Reply(bytes[...]))
                // Behind the requested bytes, the ROM sends bytes that an earlier answer has left.
                response.body.removeSubrange(bytes.count..<ReadFlashSlow.replyLength)
                return Answer(response: response)
            } catch {
                throw .flashRead
            }
        case .readFlash where isStub:
            let command: ReadFlash = try decode(request)
            guard command.packetSize > 0, command.packetSize <= ReadFlash.maximumPacketSize else {
                throw invalidMessage
            }
            guard Int(command.offset) + Int(command.count) <= flash.size else { throw failure }
            var answer = success(ReadFlash.self)
            answer.after = .streamFlash(command)
            return answer
        default:
            throw isStub ? .stubInvalidCommand : .invalidMessage
        }
    }

    func requireFlash() throws(LoaderErrorCode) {
        guard registers.isFlashAttached else { throw failure }
    }

    private func digest(_ offset: Int, _ count: Int) throws(LoaderErrorCode) -> [UInt8] {
        guard count == 0 || offset + count <= flash.size else { throw isStub ? failure : .flashRead }
        var md5 = Insecure.MD5()
        do {
            for start in stride(from: offset, to: offset + count, by: 65_536) {
                md5.update(data: try flash.read(at: start, count: min(65_536, offset + count - start)))
            }
        } catch {
            throw failure
        }
        return Array(md5.finalize())
    }
}
