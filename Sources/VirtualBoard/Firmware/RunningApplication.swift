import BLERadio
import CFirmwareChannel
import ESPImage
import MonotonicTime

/// The sketch while it runs: its process, its Bluetooth, and the way to its controller.
final class RunningApplication {
    let runtime: FirmwareRuntime
    let bluetooth: NimBLEBridge
    let port: RadioPort
    private let elfHash: [UInt8]
    private var baudRate: UInt64 = 115_200
    /// What the sketch set since the board last looked: the levels of output pins, and the power it sends with, in dBm.
    private var pinLevels: [(pin: Int, isHigh: Bool)] = []
    private var transmitPower: Int8?
    /// A hang is noticed when the watchdog's interval is over.
    private var pendingEnd: (end: ApplicationEnd, time: MonotonicInstant)?

    /// Starts the program of `booted`.
    init(
        _ booted: BootedApplication, start: cfc_start, port: RadioPort, now: MonotonicInstant
    ) throws(FirmwareProcessError) {
        runtime = try FirmwareRuntime(program: booted.program.program, start: start, now: now)
        bluetooth = NimBLEBridge(runtime: runtime)
        self.port = port
        elfHash = booted.description?.elfHash ?? []
    }

    /// The largest piece of serial input that goes into one message.
    private static let inputPiece = 4096

    /// Hands bytes from the serial line to the sketch.
    func receive(_ bytes: [UInt8], now: MonotonicInstant) {
        for start in stride(from: 0, to: bytes.count, by: Self.inputPiece) {
            let piece = bytes[start..<min(start + Self.inputPiece, bytes.count)]
            runtime.send(CFC_SERIAL_INPUT, cfc_serial(port: 0, reserved: 0), tail: piece, now: now)
        }
    }

    /// Ends the process.
    func end() {
        runtime.end()
    }

    /// When ``run(now:horizon:_:)`` has something to do.
    var nextDeadline: MonotonicInstant? {
        [runtime.nextDeadline, bluetooth.nextDeadline, pendingEnd?.time].compactMap(\.self).min()
    }

    /// Lets sketch and Bluetooth do what they can now; returns how the sketch ended, if it did.
    func run(now: MonotonicInstant, horizon: MonotonicInstant?, _ console: inout ConsoleQueue) -> ApplicationEnd? {
        if let pendingEnd, pendingEnd.time <= now { return pendingEnd.end }
        if let deadline = bluetooth.nextDeadline, deadline <= now { bluetooth.advance(to: now) }
        sendPackets()
        while let effect = runtime.nextEffect(now: now, horizon: horizon) {
            switch effect {
            case .restart: return .restart
            case .fault(let fault):
                let noticed = now.advanced(by: fault.noticedAfter)
                let end = ApplicationEnd(fault, elfHash: elfHash, noticed)
                guard noticed > now else { return end }
                pendingEnd = (end, noticed)
            case .message(let message):
                if !bluetooth.take(message, now: now) { take(message, &console) }
                sendPackets()
            }
        }
        return nil
    }

    /// Takes what the sketch set on pins, in order.
    func takePinLevels() -> [(pin: Int, isHigh: Bool)] {
        defer { pinLevels.removeAll() }
        return pinLevels
    }

    /// Takes the power that the sketch set, if it did.
    func takeTransmitPower() -> Int8? {
        defer { transmitPower = nil }
        return transmitPower
    }

    private func sendPackets() {
        while let packet = bluetooth.nextOutput() { port.send(packet) }
    }

    private func take(_ message: FirmwareMessage, _ console: inout ConsoleQueue) {
        switch message.type {
        case CFC_FLUSH: runtime.reply()
        case CFC_NVS_OPEN, CFC_NVS_SET, CFC_NVS_GET, CFC_NVS_ERASE, CFC_NVS_ERASE_ALL, CFC_NVS_FREE_ENTRIES:
            // ESP_ERR_NVS_NOT_INITIALIZED
            runtime.reply(status: 0x1101)
        case CFC_PIN_OUTPUT:
            guard let fields = message.fields(cfc_pin.self) else { break }
            pinLevels.append((Int(fields.pin), fields.value != 0))
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
    /// How long the chip takes to notice: a hang, as long as the interval of ESP-IDF's task watchdog.
    fileprivate var noticedAfter: Duration {
        switch kind {
        case .hung, .blocked: .seconds(5)
        case .signal, .abort, .killed: .zero
        }
    }
}

extension ApplicationEnd {
    /// What the chip says of a fault of the host's process.
    fileprivate init(_ fault: FirmwareFault, elfHash: [UInt8], _ now: MonotonicInstant) {
        // Code of the program stands where an ESP32 has its own: addresses from 0x400D0000 on.
        let frames = fault.frames.map { address in
            PanicContext.Frame(pc: UInt32(truncatingIfNeeded: 0x400D_0000 + address), sp: 0x3FFB_0000)
        }
        let context = PanicContext(
            backtrace: frames, faultAddress: UInt32(truncatingIfNeeded: fault.faultAddress), elfHash: elfHash)
        switch fault.kind {
        case .signal(let signal): self = .exception(PanicCause(signal: signal), context)
        case .killed(let signal): self = .exception(PanicCause(signal: signal), context)
        case .abort: self = .abort(context)
        case .hung, .blocked:
            self = .taskWatchdog(task: "loopTask", milliseconds: now.nanoseconds / 1_000_000, context)
        }
    }
}

extension PanicCause {
    /// The exception of the chip that is nearest to a signal of the host.
    fileprivate init(signal: Int32) {
        switch signal {
        case 4: self = .illegalInstruction
        case 7: self = .loadStoreAlignment
        case 8: self = .integerDivideByZero
        default: self = .storeProhibited
        }
    }
}
