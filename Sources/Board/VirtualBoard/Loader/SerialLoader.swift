import ByteCodec
import Crypto
internal import ESPChips
import ESPProtocol
public import MonotonicTime

/// The serial loader of an ESP32: the program in ROM, or a stub loaded into RAM.
///
/// The stub's code is not executed: this type answers as the stub does. A pure state machine; flash operations make it
/// busy, and like the chip it then queues two frames and drops further ones.
public final class SerialLoader {
    /// Events for the rest of the chip.
    public enum Event: Hashable, Sendable {
        /// The ROM restarts the chip, whose boot pins keep their sampled levels.
        case restarted
        /// The ROM runs the code in the flash.
        case flashStarted
        /// A stub was loaded and runs.
        case stubStarted
        /// A program other than a stub was loaded into RAM and started; its greeting, if it has one.
        case programStarted(greeting: String?)
        /// The watchdog resets the chip.
        case watchdogReset
    }

    /// The response to an accepted command.
    struct Answer {
        /// `nil` for a command without a response.
        var response: LoaderResponse?
        /// The number of copies that the stub sends; for a ROM, ``ROMAnswers`` determines it.
        var copies = 1
        /// The time at which the response is sent.
        var readyAt: MonotonicInstant?
        /// The action after it was sent.
        var after = After.nothing
    }

    /// The action after a response was sent.
    enum After {
        case nothing
        case run(MemoryImage.Program)
        case changeBaudRate(Int)
        case writeFlash(ArraySlice<UInt8>)
        case streamFlash(ReadFlash)
        /// The ROM restarts the chip.
        case restart
        /// The ROM's loader ends: the ESP32's ROM then runs the code in the flash; a later chip's ROM jumps to code
        /// that was never loaded.
        case leaveROM
        /// The ROM reads an unmapped address or loops forever: it stops answering.
        case fault(text: String)
    }

    /// The longest frame: header, block header and 16 KB (the stub's receive buffer).
    private static let frameLimit = 8 + 0x4000 + 0xFF
    /// The number of frames queued while the loader works on one: it has two receive buffers.
    private static let waitingLimit = 1
    /// The watchdog's time-out as a flasher sets it: 2000 cycles of the slow clock, about 136 kHz.
    static let watchdogTime = Duration.milliseconds(15)

    /// The text that the ESP32-C3's ROM prints at a panic, before the registers.
    private static func panic(_ cause: String) -> String {
        "Guru Meditation Error: Core 0 panic'ed (\(cause))\r\nCore 0 register dump:\r\n"
    }

    /// The reaction of the ROM to a read from an unmapped address: the ESP32's prints nothing.
    var loadFault: After { .fault(text: chip == .esp32 ? "" : Self.panic("Load access fault")) }

    /// The commands that read the flash or erase it immediately.
    private static let needsIdleFlash: Set<LoaderOpcode> = [
        .flashBegin, .deflateBegin, .flashMD5, .readFlash, .readFlashSlow, .eraseFlash, .eraseRegion,
    ]

    let flash: NORFlash
    private let isImmediate: Bool
    var registers: LoaderRegisters
    var dialect = LoaderDialect.rom
    var baudRate = 115_200
    /// The rate of the bytes that ``drainOutput()`` returns; a new rate applies from the next byte on.
    private(set) var outputRate = 115_200
    /// The ROM's state.
    var rom: ROMLoader
    /// The stub's write to RAM.
    var memory: MemoryWriteSession?
    var loaded = MemoryImage()
    /// The time at which the watchdog resets the chip.
    var watchdogReset: MonotonicInstant?
    /// The stub's write to the flash.
    var session: FlashWriteSession?
    var stream: FlashReadStream?
    /// True if the ROM has received nothing yet: it measures the rate of the first bytes.
    private var isMeasuringRate = true
    private var decoder = SLIPDecoder(limit: frameLimit)
    private var waiting: [[UInt8]] = []
    private var pending: Answer?
    private var busyUntil: MonotonicInstant?
    /// An error that occurred after the acknowledgement of a block; returned to the next command.
    private var deferredFailure: LoaderErrorCode?
    private var output: [UInt8] = []
    private var events: [Event] = []
    /// True if another program runs now.
    private var hasEnded = false

    /// A loader in its initial state, for `flash`.
    ///
    /// - Parameter pace: the operations that take time; the caller is responsible for the bytes' times.
    public init(flash: NORFlash, identity: ChipIdentity, pace: LoaderPace = .flash) {
        self.flash = flash
        isImmediate = pace == .immediate
        registers = LoaderRegisters(identity: identity)
        rom = ROMLoader(identity.chip)
    }

    /// True if the stub runs.
    var isStub: Bool { dialect == .stub }

    var chip: Chip { registers.identity.chip }

    /// The time of the loader's next action without input.
    public var nextDeadline: MonotonicInstant? {
        guard let watchdogReset else { return busyUntil }
        return busyUntil.map { min($0, watchdogReset) } ?? watchdogReset
    }

    /// The bytes sent since the last call.
    public func drainOutput() -> [UInt8] {
        defer {
            output.removeAll(keepingCapacity: true)
            outputRate = baudRate
        }
        return output
    }

    /// The events since the last call, in order.
    public func drainEvents() -> [Event] {
        defer { events.removeAll() }
        return events
    }

    /// The client of the line sends at `rate`, in bits per second, which the ROM will measure.
    public func setClientRate(_ rate: Int) {
        guard isMeasuringRate, rate > 0 else { return }
        baudRate = rate
        outputRate = rate
    }

    /// Receives bytes from the line.
    public func receive(_ bytes: [UInt8], at now: MonotonicInstant) {
        advance(to: now)
        guard !hasEnded else { return }
        if !bytes.isEmpty { isMeasuringRate = false }
        for case .frame(let frame) in decoder.decode(bytes) {
            if busyUntil == nil {
                handle(frame, now)
            } else if waiting.count < Self.waitingLimit {
                waiting.append(frame)
            }
        }
    }

    private func end(_ event: Event) {
        events.append(event)
        hasEnded = true
        waiting = []
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
        if let instant = watchdogReset, instant <= now {
            watchdogReset = nil
            end(.watchdogReset)
        }
    }

    /// Only the file can fail here; the next command then returns the error.
    private func advanceFlash(to now: MonotonicInstant) {
        do { try flash.advance(to: now) } catch { deferredFailure = failure }
    }

    private func completeFlash() {
        if let deadline = flash.nextDeadline { advanceFlash(to: deadline) }
    }

    private func handle(_ received: [UInt8], _ now: MonotonicInstant) {
        advanceFlash(to: now)
        if stream != nil {
            continueStream(received)
            return
        }
        let frame = isStub ? received : rom.requests.request(in: received)
        guard frame.count >= 2 else { return }
        let opcode = LoaderOpcode(rawValue: frame[1])
        if let deadline = flash.nextDeadline, deadline > now, Self.needsIdleFlash.contains(opcode) {
            // The flash is still erasing ahead.
            waiting.insert(received, at: 0)
            busyUntil = deadline
            return
        }
        guard frame[0] == LoaderRequest.direction else {
            if isStub { refuse(opcode, .stubInvalidCommand) } else { refuseAsROM(nil, .invalidMessage) }
            return
        }
        if let carried = deferredFailure {
            deferredFailure = nil
            refuse(opcode, carried)
            return
        }
        do {
            let answer = try answer(frame, now)
            if isImmediate { completeFlash() }
            guard !isImmediate, let readyAt = answer.readyAt, readyAt > now else {
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
        if let response = answer.response {
            if isStub {
                for _ in 0..<answer.copies { output += response.frame }
            } else {
                output += rom.answers.accept(response, dataLength: dataLength(of: response.opcode))
            }
        }
        switch answer.after {
        case .nothing:
            break
        case .run(.stub):
            dialect = .stub
            registers.isFlashAttached = true
            session = nil
            memory = nil
            output += SLIP.encode(MemoryEnd.stubGreeting)
            events.append(.stubStarted)
        case .run(.greeting(let text)):
            end(.programStarted(greeting: text))
        case .run(.silent):
            end(.programStarted(greeting: nil))
        case .changeBaudRate(let rate):
            baudRate = rate
            if !isStub { output += [SLIP.end, SLIP.end] }
        case .writeFlash(let bytes):
            do throws(LoaderErrorCode) {
                busyUntil = try write(bytes, now)
            } catch {
                deferredFailure = error
                busyUntil = flash.nextDeadline
            }
            if isImmediate {
                completeFlash()
                busyUntil = nil
            }
        case .streamFlash(let command):
            stream = FlashReadStream(command)
            continueStream(nil)
        case .restart:
            // An empty frame.
            output += [SLIP.end, SLIP.end]
            end(.restarted)
        case .leaveROM where chip == .esp32:
            end(.flashStarted)
        case .leaveROM:
            output += Array(("user code done\r\n" + Self.panic("Instruction access fault")).utf8)
            end(.programStarted(greeting: nil))
        case .fault(let text):
            output += Array(text.utf8)
            end(.programStarted(greeting: nil))
        }
    }

    private func refuse(_ opcode: LoaderOpcode, _ code: LoaderErrorCode) {
        if isStub {
            output += LoaderResponse(to: opcode, failure: code, dialect: .stub).frame
        } else {
            refuseAsROM(opcode, code)
        }
    }

    /// Sends `frames`.
    func send(_ frames: [UInt8]) {
        output += frames
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

/// The operations that take time while a board is in its loader.
public enum LoaderPace: Hashable, Sendable {
    /// None: a command is answered as soon as it was executed.
    case immediate
    /// The flash's operations and digests, as on the chip; bytes take no time.
    case flash
    /// The flash's operations and digests, and each byte, at the rate of the chip's UART.
    case line
}

/// A running READ_FLASH: one packet at a time, each after the acknowledgement of the previous one, then the digest.
struct FlashReadStream {
    private let packetSize: Int
    private let count: Int
    private var offset: Int
    private var sentCount = 0
    private var md5 = Insecure.MD5()

    /// True if everything has been sent.
    private(set) var isFinished = false

    init(_ command: ReadFlash) {
        packetSize = Int(command.packetSize)
        count = Int(command.count)
        offset = Int(command.offset)
    }

    /// Processes an acknowledgement (`nil` at the beginning); returns the contents of the frames to send.
    mutating func advance(_ acknowledgement: [UInt8]?, _ flash: NORFlash) -> [[UInt8]] {
        // As in the stub, a frame that is not an acknowledgement ends the stream with the digest of the data sent.
        let isBroken = acknowledgement.map { $0.count != 4 } ?? false
        guard sentCount < count, !isBroken,
            let packet = try? flash.read(at: offset, count: min(packetSize, count - sentCount))
        else {
            isFinished = true
            return [Array(md5.finalize())]
        }
        md5.update(data: packet)
        offset += packet.count
        sentCount += packet.count
        return [packet]
    }
}
