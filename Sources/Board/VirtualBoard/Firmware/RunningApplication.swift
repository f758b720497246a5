import BLERadio
import CFirmwareChannel
import ESPImage
import MonotonicTime

/// A running sketch: its process, its Bluetooth host, and the connection to its controller.
final class RunningApplication {
    let runtime: FirmwareRuntime
    let bluetooth: NimBLEBridge
    let port: RadioPort
    private let elfHash: [UInt8]
    private(set) var baudRate: UInt64 = 115_200
    /// Changes of pins since the last call of ``drainPinEvents()``.
    private var pinEvents: [VirtualBoardEvent] = []
    /// The transmit power in dBm, if the sketch set one since the last call of ``drainTransmitPower()``.
    private var transmitPower: Int8?
    private var storageCalls: StorageCalls
    /// The answer to a storage call, sent when the flash has completed the operation.
    private var pendingAnswer: (answer: StorageCalls.Answer, time: MonotonicInstant)?
    /// A hang is reported after the watchdog's interval.
    private var pendingEnd: (end: ApplicationEnd, time: MonotonicInstant)?

    /// Starts the program of `booted`.
    init(
        _ booted: BootedApplication, start: cfc_start, _ handOver: HandOver, storage: BoardStorage, port: RadioPort,
        now: MonotonicInstant
    ) throws(FirmwareProcessError) {
        runtime = try FirmwareRuntime(program: booted.program.program, start: start, handOver, now: now)
        bluetooth = NimBLEBridge(runtime: runtime, storage: storage)
        storageCalls = StorageCalls(storage)
        self.port = port
        elfHash = booted.description?.elfHash ?? []
    }

    /// The largest chunk of serial input in one message.
    private static let inputPiece = 4096

    /// The most serial input queued for the sketch's next turn: more than a large receive buffer.
    private static let inputLimit = 65_536

    /// Passes bytes from the serial line to the sketch. While it hangs or waits in a call, bytes beyond the limit are
    /// lost, as with a UART whose buffer overflows.
    func receive(_ bytes: [UInt8], now: MonotonicInstant) {
        let bytes = bytes.prefix(max(0, Self.inputLimit - runtime.queuedByteCount))
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: Self.inputPiece) {
            let piece = bytes[start..<min(start + Self.inputPiece, bytes.endIndex)]
            runtime.send(CFC_SERIAL_INPUT, cfc_serial(port: 0, reserved: 0), tail: piece, now: now)
        }
    }

    /// Sends the sketch the level of a driven pin, as `CFC_PIN_…`.
    func setPin(_ pin: Int, drive: Int, now: MonotonicInstant) {
        runtime.send(CFC_PIN_INPUT, cfc_pin(pin: UInt32(pin), value: UInt32(drive)), now: now)
    }

    /// Kills the process.
    func terminate() {
        runtime.terminate()
    }

    /// When ``run(now:horizon:_:)`` is due.
    var nextDeadline: MonotonicInstant? {
        [runtime.nextDeadline, bluetooth.nextDeadline, pendingAnswer?.time, pendingEnd?.time].compactMap(\.self).min()
    }

    /// Runs sketch and Bluetooth host up to `now`; returns how the sketch ended, if it did.
    func run(now: MonotonicInstant, horizon: MonotonicInstant?, _ console: inout ConsoleQueue) -> ApplicationEnd? {
        if let pendingEnd, pendingEnd.time <= now { return pendingEnd.end }
        if let deadline = bluetooth.nextDeadline, deadline <= now { bluetooth.advance(to: now) }
        if let pendingAnswer, pendingAnswer.time <= now {
            self.pendingAnswer = nil
            runtime.reply(status: pendingAnswer.answer.status, pendingAnswer.answer.bytes)
        }
        sendPackets()
        while let effect = runtime.nextEffect(now: now, horizon: horizon) {
            switch effect {
            case .restart: return .restart
            case .fault(let fault):
                let detection = now.advanced(by: fault.detectionDelay)
                let end = ApplicationEnd(fault, elfHash: elfHash, detection)
                guard detection > now else { return end }
                pendingEnd = (end, detection)
            case .message(let message):
                if let answer = storageCalls.answer(message, now: now) {
                    reply(answer, now)
                } else if !bluetooth.handle(message, now: now) {
                    handle(message, &console)
                }
                sendPackets()
            }
        }
        return nil
    }

    /// Removes and returns the changes of pins, in order.
    func drainPinEvents() -> [VirtualBoardEvent] {
        defer { pinEvents.removeAll() }
        return pinEvents
    }

    /// Removes and returns the transmit power that the sketch set, if any.
    func drainTransmitPower() -> Int8? {
        defer { transmitPower = nil }
        return transmitPower
    }

    private func reply(_ answer: StorageCalls.Answer, _ now: MonotonicInstant) {
        if let end = storageCalls.storage.writesCompleted, end > now {
            pendingAnswer = (answer, end)
        } else {
            runtime.reply(status: answer.status, answer.bytes)
        }
    }

    private func sendPackets() {
        while let packet = bluetooth.nextOutput() { port.send(packet) }
    }

    private func handle(_ message: FirmwareMessage, _ console: inout ConsoleQueue) {
        switch message.type {
        case CFC_FLUSH: runtime.reply()
        case CFC_PIN_OUTPUT:
            guard let fields = message.fields(cfc_pin.self) else { break }
            pinEvents.append(.pin(Int(fields.pin), isHigh: fields.value != 0))
        case CFC_SERVO:
            guard let fields = message.fields(cfc_servo.self) else { break }
            pinEvents.append(.servo(ServoSignal(fields)))
        case CFC_BLE_TX_POWER:
            guard let fields = message.fields(cfc_tx_power.self) else { break }
            transmitPower = Int8(clamping: fields.advertising)
        case CFC_SERIAL_BEGIN:
            guard let fields = message.fields(cfc_serial_begin.self), fields.baud > 0 else { break }
            baudRate = UInt64(fields.baud)
        case CFC_SERIAL_OUTPUT:
            guard let fields = message.fields(cfc_serial_output.self), fields.port == 0 else { break }
            let bytes = message.tail(after: cfc_serial_output.self)
            let start = MonotonicInstant(nanoseconds: Int64(clamping: fields.line_ns))
            let time = UInt64(bytes.count) * 10_000_000_000 / baudRate
            console.append(bytes, from: start, to: start.advanced(by: .nanoseconds(Int64(clamping: time))))
        default: break
        }
    }
}

extension FirmwareFault {
    /// The delay until the chip detects the end: for a hang, the interval of ESP-IDF's task watchdog.
    fileprivate var detectionDelay: Duration {
        switch kind {
        case .hung, .blocked: .seconds(5)
        case .signal, .stackOverflow, .abort, .assertion, .killed: .zero
        }
    }
}

extension ApplicationEnd {
    /// The chip's panic for a fault of the host process.
    fileprivate init(_ fault: FirmwareFault, elfHash: [UInt8], _ now: MonotonicInstant) {
        // Code addresses are shown in the ESP32's range, from 0x400D0000.
        let frames = fault.frames.map { address in
            PanicContext.Frame(pc: UInt32(truncatingIfNeeded: 0x400D_0000 + address), sp: 0x3FFB_0000)
        }
        let task = fault.isInCallback ? "nimble_host" : "loopTask"
        var context = PanicContext(
            backtrace: frames, faultAddress: UInt32(truncatingIfNeeded: fault.faultAddress), elfHash: elfHash)
        switch fault.kind {
        case .signal(let signal, let access): self = .exception(PanicCause(signal: signal, access), context)
        case .killed(let signal): self = .exception(PanicCause(signal: signal, .unknown), context)
        case .stackOverflow: self = .stackOverflow(task: task, context)
        case .abort: self = .abort(context)
        case .assertion: self = .assertion(fault.message, context)
        case .hung, .blocked:
            if fault.isInCallback { context.core = 0 }
            self = .taskWatchdog(task: task, milliseconds: now.nanoseconds / 1_000_000, context)
        }
    }
}

extension PanicCause {
    /// The chip's exception that corresponds best to a signal of the host; for an unknown access that of a store.
    fileprivate init(signal: Int32, _ access: FirmwareFault.Access) {
        switch signal {
        case 4: self = .illegalInstruction
        case 7: self = .loadStoreAlignment
        case 8: self = .integerDivideByZero
        default:
            switch access {
            case .load: self = .loadProhibited
            case .fetch: self = .instructionFetchProhibited
            case .store, .unknown: self = .storeProhibited
            }
        }
    }
}
