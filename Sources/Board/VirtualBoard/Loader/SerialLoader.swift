import ByteCodec
import ESPProtocol
public import MonotonicTime

/// The serial loader of an ESP32: the program in ROM, or a stub loaded into RAM.
///
/// The stub's code is not executed: this type answers as the stub does. A pure state machine; flash operations make it
/// busy, and like the chip it then queues two frames and drops further ones.
public final class SerialLoader {
    /// Events for the rest of the chip.
    public enum Event: Hashable, Sendable {
        /// It restarts into the application.
        case runApplication
        /// A stub was loaded and runs.
        case stubStarted
    }

    /// The response to an accepted command.
    struct Answer {
        /// `nil` for a command without a response.
        var response: LoaderResponse?
        /// How many times it is sent.
        var copies = 1
        /// When it is sent.
        var readyAt: MonotonicInstant?
        /// The action after it was sent.
        var after = After.nothing
    }

    /// The action after a response was sent.
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
    /// The number of frames queued while the loader is busy.
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
    /// An error that occurred after the acknowledgement of a block; returned to the next command.
    private var deferredFailure: LoaderErrorCode?
    private var output: [UInt8] = []
    private var events: [Event] = []

    /// A loader in its initial state, for `flash`.
    public init(flash: NORFlash, identity: ChipIdentity) {
        self.flash = flash
        registers = LoaderRegisters(identity: identity)
    }

    /// Whether the stub answers.
    var isStub: Bool { dialect == .stub }

    /// The time of its next own action.
    public var nextDeadline: MonotonicInstant? { busyUntil }

    /// The bytes sent since the last call.
    public func drainOutput() -> [UInt8] {
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// The events since the last call, in order.
    public func drainEvents() -> [Event] {
        defer { events.removeAll() }
        return events
    }

    /// Receives bytes from the line.
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

    /// Advances the time.
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

    /// Only the file can fail here; the next command then returns the error.
    private func advanceFlash(to now: MonotonicInstant) {
        do { try flash.advance(to: now) } catch { deferredFailure = failure }
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
        if let carried = deferredFailure {
            deferredFailure = nil
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
                deferredFailure = error
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

    /// The error code for a malformed message.
    var invalidMessage: LoaderErrorCode { isStub ? .stubLength : .invalidMessage }

    /// The error code of a failed flash operation.
    var failure: LoaderErrorCode { isStub ? .stubFlashOperation : .failed }
}
