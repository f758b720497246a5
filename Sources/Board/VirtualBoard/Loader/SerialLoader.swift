import ByteCodec
import ESPProtocol
public import MonotonicTime

/// The serial loader of an ESP32: the program in ROM, and after a stub was loaded into RAM the stub.
///
/// The stub's code is not executed: its start is answered as the stub does, and so is what follows. A pure state
/// machine; the flash's times make it busy, and like the chip it keeps two frames meanwhile and drops a third.
public final class SerialLoader {
    /// What the loader does to the rest of the chip.
    public enum Event: Hashable, Sendable {
        /// It leaves for the application.
        case runApplication
        /// A stub was loaded and runs.
        case stubStarted
    }

    /// What an accepted command leads to.
    struct Answer {
        /// `nil` for a command that is not answered.
        var response: LoaderResponse?
        /// How often it is sent.
        var copies = 1
        /// When it is sent.
        var readyAt: MonotonicInstant?
        /// What is done after it was sent.
        var after = After.nothing
    }

    /// What is done after a response was sent.
    enum After {
        case nothing
        case startStub
        case changeBaudRate(Int)
        case writeFlash(ArraySlice<UInt8>)
        case streamFlash(ReadFlash)
        case runApplication
    }

    /// The longest frame: header, block header and 16 KB (the stub's receive buffer).
    private static let frameLimit = 8 + 0x4000 + 0xFF
    /// The frames that are kept while the loader is busy.
    private static let waitingLimit = 2

    let flash: NORFlash
    var registers: LoaderRegisters
    var dialect = LoaderDialect.rom
    var baudRate = 115_200
    var isFlashAttached = false
    var memory: MemoryWriteSession?
    var session: FlashWriteSession?
    var stream: FlashReadStream?
    private var decoder = SLIPDecoder(limit: frameLimit)
    private var waiting: [[UInt8]] = []
    private var pending: Answer?
    private var busyUntil: MonotonicInstant?
    /// What the stub found out after it had acknowledged a block; the next command gets it.
    private var carriedFailure: LoaderErrorCode?
    private var output: [UInt8] = []
    private var events: [Event] = []

    /// The loader as it starts, with `flash` behind it.
    public init(flash: NORFlash, identity: ChipIdentity) {
        self.flash = flash
        registers = LoaderRegisters(identity: identity)
    }

    /// Whether the stub answers.
    var isStub: Bool { dialect == .stub }

    /// When it goes on by itself.
    public var nextDeadline: MonotonicInstant? { busyUntil }

    /// The bytes sent since the last call.
    public func takeOutput() -> [UInt8] {
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// What happened since the last call, in order.
    public func takeEvents() -> [Event] {
        defer { events.removeAll() }
        return events
    }

    /// Takes bytes from the line.
    public func receive(_ bytes: [UInt8], at now: MonotonicInstant) {
        advance(to: now)
        for case .frame(let frame) in decoder.decode(bytes) {
            if busyUntil == nil {
                handle(frame, now)
            } else if waiting.count < Self.waitingLimit {
                waiting.append(frame)
            }
        }
    }

    /// Lets time pass.
    public func advance(to now: MonotonicInstant) {
        while let instant = busyUntil, instant <= now {
            advanceFlash(to: instant)
            busyUntil = nil
            if let answer = pending {
                pending = nil
                finish(answer, instant)
            }
            while busyUntil == nil, !waiting.isEmpty { handle(waiting.removeFirst(), instant) }
        }
    }

    /// Only the file can fail here; then the next command says so.
    private func advanceFlash(to now: MonotonicInstant) {
        do { try flash.advance(to: now) } catch { carriedFailure = failure }
    }

    private func handle(_ frame: [UInt8], _ now: MonotonicInstant) {
        advanceFlash(to: now)
        if stream != nil {
            continueStream(frame)
            return
        }
        guard frame.count >= 2 else { return }
        let opcode = LoaderOpcode(rawValue: frame[1])
        guard frame[0] == LoaderRequest.direction else {
            if isStub { refuse(opcode, .stubInvalidCommand) }
            return
        }
        if let carried = carriedFailure {
            carriedFailure = nil
            refuse(opcode, carried)
            return
        }
        do {
            let answer = try answer(frame, now)
            guard let readyAt = answer.readyAt, readyAt > now else {
                finish(answer, now)
                return
            }
            pending = answer
            busyUntil = readyAt
        } catch {
            refuse(opcode, error)
        }
    }

    private func answer(_ frame: [UInt8], _ now: MonotonicInstant) throws(LoaderErrorCode) -> Answer {
        let request: LoaderRequest
        do {
            var reader = ByteReader(frame, subject: "loader request")
            request = try LoaderRequest(from: &reader)
        } catch {
            throw invalidMessage
        }
        return try perform(request, now)
    }

    private func finish(_ answer: Answer, _ now: MonotonicInstant) {
        if let frame = answer.response?.frame {
            for _ in 0..<answer.copies { output += frame }
        }
        switch answer.after {
        case .nothing:
            break
        case .startStub:
            dialect = .stub
            isFlashAttached = true
            session = nil
            memory = nil
            output += SLIP.encode(MemoryEnd.stubGreeting)
            events.append(.stubStarted)
        case .changeBaudRate(let rate):
            baudRate = rate
        case .writeFlash(let bytes):
            do throws(LoaderErrorCode) {
                try write(bytes, now)
            } catch {
                carriedFailure = error
            }
            busyUntil = flash.nextDeadline
        case .streamFlash(let command):
            stream = FlashReadStream(command)
            continueStream(nil)
        case .runApplication:
            events.append(.runApplication)
        }
    }

    private func refuse(_ opcode: LoaderOpcode, _ code: LoaderErrorCode) {
        output += LoaderResponse(to: opcode, failure: code, dialect: dialect).frame
    }

    private func continueStream(_ acknowledgement: [UInt8]?) {
        guard var current = stream else { return }
        let frames = current.advance(acknowledgement, flash)
        stream = current.isFinished ? nil : current
        for frame in frames { output += SLIP.encode(frame) }
    }

    /// What a message of the wrong form is answered with.
    var invalidMessage: LoaderErrorCode { isStub ? .stubLength : .invalidMessage }

    /// What a command is answered with that the flash did not do.
    var failure: LoaderErrorCode { isStub ? .stubFlashOperation : .failed }
}
