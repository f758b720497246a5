import BLECore
import BoardParts
import BLEPackets
import BLERadio
internal import CFirmwareChannel
import ESPImage
import MonotonicTime

/// A running sketch: its process, its Bluetooth host, and the connection to its controller.
final class RunningApplication {
    let runtime: FirmwareRuntime
    let bluetooth: NimBLEBridge
    /// Replaces ``bluetooth`` if the sketch brings its own host.
    let hci: FirmwareHCI
    let port: RadioPort
    private let elfHash: [UInt8]
    private(set) var baudRate: UInt64 = 115_200
    /// Changes of pins, and reports of the sketch, since the last call of ``drainEvents()``.
    @exclusivity(unchecked) private var events: [VirtualBoardEvent] = []
    /// The transmit power in dBm, if the sketch set one since the last call of ``drainTransmitPower()``.
    private var transmitPower: Int8?
    private var storageCalls: StorageCalls
    /// The answer to a storage call, sent when the flash has completed the operation.
    private var pendingAnswer: (answer: StorageCalls.Answer, time: MonotonicInstant)?
    /// The modes that the program has given to the chip's pins.
    private(set) var pins = PinModes()
    /// The I²C buses on which it is the slave.
    var slaves = ChipSlaves()
    /// The pins with a PWM signal.
    private(set) var signalled: Set<Int> = []
    /// The memory that survives into the next start, and the end of a deep sleep.
    private(set) var retained: RetainedMemory
    private(set) var sleep = cfc_sleep.endless
    /// The sketch's outputs to its UARTs other than the console, since the last call of ``drainUARTOutputs()``.
    private var uartOutputs: [(uart: Int, output: UARTOutput)] = []
    /// The start time of its program.
    private let started: MonotonicInstant

    /// Starts the program of `booted`.
    init(
        _ booted: BootedApplication, start: cfc_start, retained: RetainedMemory, _ handOver: HandOver,
        storage: BoardStorage, port: RadioPort, address: DeviceAddress, now: MonotonicInstant
    ) throws(FirmwareProcessError) {
        runtime = try FirmwareRuntime(booted.program, start: start, handOver, now: now)
        started = now
        self.retained = retained
        for part in retained.parts { runtime.send(CFC_RTC_MEMORY, part.fields, tail: part.bytes[...], now: now) }
        bluetooth = NimBLEBridge(runtime: runtime, storage: storage)
        hci = FirmwareHCI(runtime: runtime, address: address)
        storageCalls = StorageCalls(storage)
        self.port = port
        elfHash = booted.description?.elfHash ?? []
    }

    /// The largest chunk of serial input in one message.
    private static let inputPiece = 4096

    /// The largest amount of serial input queued for the sketch's next turn: more than a large receive buffer.
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

    /// Passes bytes that have arrived at a UART other than the console.
    func receive(_ bytes: ArraySlice<UInt8>, uart: Int, now: MonotonicInstant) {
        let room = max(0, Self.inputLimit - runtime.queuedByteCount)
        runtime.send(
            CFC_SERIAL_INPUT, cfc_serial(port: UInt32(uart), reserved: 0), tail: bytes.prefix(room), now: now)
    }

    /// Tells the sketch's UART whether the far end asserts CTS.
    func setClearToSend(_ isGiven: Bool, uart: Int, now: MonotonicInstant) {
        runtime.send(CFC_SERIAL_CLEAR, cfc_serial_line(port: UInt32(uart), is_active: isGiven ? 1 : 0), now: now)
    }

    /// Sends the sketch the level of a driven pin, as `CFC_PIN_…`.
    func setPin(_ pin: Int, drive: Int, now: MonotonicInstant) {
        runtime.send(CFC_PIN_INPUT, cfc_pin(pin: UInt32(pin), value: UInt32(drive)), now: now)
    }

    /// Sends the sketch the levels of pins that are wired to parts.
    func setLevels(_ levels: [cfc_level], now: MonotonicInstant) {
        for start in stride(from: 0, to: levels.count, by: Int(CFC_MAXIMUM_LEVELS)) {
            let piece = levels[start..<min(start + Int(CFC_MAXIMUM_LEVELS), levels.count)]
            runtime.send(CFC_PIN_LEVELS, bytes: Self.bytes(piece)[...], now: now)
        }
    }

    /// Tells the sketch that a part answers its changes of a pin.
    func setAnswered(_ pin: Int, now: MonotonicInstant) {
        runtime.send(CFC_PIN_ANSWERED, cfc_pin(pin: UInt32(pin), value: 1), now: now)
    }

    private static func bytes(_ levels: ArraySlice<cfc_level>) -> [UInt8] {
        levels.withUnsafeBufferPointer { Array(UnsafeRawBufferPointer($0)) }
    }

    private static func bytes(of fields: some BitwiseCopyable) -> [UInt8] {
        withUnsafeBytes(of: fields) { Array($0) }
    }

    /// Receives a packet from the controller.
    func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        if hci.isOpen {
            hci.receive(packet, now: now)
        } else {
            bluetooth.receive(packet, now: now)
        }
    }

    /// Kills the process.
    func terminate() {
        runtime.terminate()
    }

    /// The time at which ``run(now:horizon:_:)`` is due.
    var nextDeadline: MonotonicInstant? {
        .earliest(runtime.nextDeadline, bluetooth.nextDeadline, pendingAnswer?.time)
    }

    /// Runs sketch and Bluetooth host up to `now`; returns how the sketch ended, if it did.
    func run(
        now: MonotonicInstant, horizon: MonotonicInstant?, _ console: inout ConsoleQueue, _ parts: inout WiredParts
    ) -> ApplicationEnd? {
        if let deadline = bluetooth.nextDeadline, deadline <= now { bluetooth.advance(to: now) }
        if let pendingAnswer, pendingAnswer.time <= now {
            self.pendingAnswer = nil
            runtime.reply(status: pendingAnswer.answer.status, pendingAnswer.answer.bytes)
        }
        sendPackets()
        while let effect = runtime.nextEffect(now: now, horizon: horizon) {
            switch effect {
            case .restart: return .restart
            case .deepSleep: return .deepSleep
            case .fault(let fault):
                return ApplicationEnd(fault, elfHash: elfHash, afterStart: started.duration(to: now))
            case .message(let message) where message.type == CFC_PIN_OUTPUT:
                // By far the most frequent message: no packet or answer follows from it.
                handle(message, &console, &parts)
                if !parts.isEmpty { events += parts.drainEvents() }
            case .message(let message):
                if let answer = storageCalls.answer(message, now: now) {
                    reply(answer, now)
                } else if !hci.handle(message), !bluetooth.handle(message, now: now) {
                    handle(message, &console, &parts)
                    if !parts.isEmpty { events += parts.drainEvents() }
                }
                sendPackets()
                for attribute in bluetooth.refusals { events.append(.notificationRefused(attribute: attribute)) }
                bluetooth.refusals.removeAll(keepingCapacity: true)
            }
        }
        return nil
    }

    /// Removes and returns the events, in order.
    func drainEvents() -> [VirtualBoardEvent] {
        defer { events.removeAll() }
        return events
    }

    /// An output of the sketch to a UART.
    enum UARTOutput {
        case open(rate: Int)
        case bytes(ArraySlice<UInt8>, from: MonotonicInstant)
        case ready(Bool)
        case watchesCTS(Bool)
    }

    /// Removes and returns the sketch's outputs to its UARTs other than the console, in order.
    func drainUARTOutputs() -> [(uart: Int, output: UARTOutput)] {
        guard !uartOutputs.isEmpty else { return [] }
        defer { uartOutputs.removeAll(keepingCapacity: true) }
        return uartOutputs
    }

    /// Removes and returns the transmit power that the sketch set, if any.
    func drainTransmitPower() -> Int8? {
        defer { transmitPower = nil }
        return transmitPower
    }

    /// Removes and returns the kind of controller that the sketch's own Bluetooth host has asked for, if any.
    func drainPersonality() -> ControllerPersonality? { hci.drainPersonality() }

    private func reply(_ answer: StorageCalls.Answer, _ now: MonotonicInstant) {
        if let end = storageCalls.storage.writesCompleted, end > now {
            pendingAnswer = (answer, end)
        } else {
            runtime.reply(status: answer.status, answer.bytes)
        }
    }

    private func sendPackets() {
        while let packet = hci.nextOutput() ?? bluetooth.nextOutput() { port.send(packet) }
    }

    private func handle(
        _ message: FirmwareMessage, _ console: inout ConsoleQueue, _ parts: inout WiredParts
    ) {
        switch message.type {
        case CFC_FLUSH: runtime.reply()
        case CFC_NIMBLE: events.append(.bluetoothHost(String(decoding: message.payload, as: UTF8.self)))
        case CFC_SLEEP:
            guard let fields = message.fields(cfc_sleep.self) else { break }
            sleep = fields
        case CFC_KEEP_MEMORY:
            guard let fields = message.fields(cfc_rtc_memory.self) else { break }
            retained.keep(fields, Array(message.tail(after: cfc_rtc_memory.self)))
        case CFC_PIN_MODE:
            guard let fields = message.fields(cfc_pin.self) else { break }
            pins.set(Int(fields.pin), mode: fields.value)
        case CFC_PIN_IGNORED:
            guard let fields = message.fields(cfc_pin.self) else { break }
            events.append(.pinIgnored(Int(fields.pin), PinModes.reason(fields)))
        case CFC_PIN_OUTPUT, CFC_PIN_DRIVEN:
            guard let fields = message.fields(cfc_pin.self) else { break }
            let (pin, value) = (Int(fields.pin), Int(fields.value))
            events.append(.pin(pin, isHigh: value == CFC_PIN_FLOATING ? nil : value == CFC_PIN_HIGH))
            if parts.isWired(pin) {
                let drive: PinDrive = value == CFC_PIN_FLOATING ? .floating : value == CFC_PIN_HIGH ? .high : .low
                parts.chipDrives(pin, [TimedDrive(message.time, drive)])
            }
            guard message.type == CFC_PIN_DRIVEN else { break }
            let levels = parts.takeLevels(at: message.time).prefix(Int(CFC_MAXIMUM_LEVELS))
            runtime.reply(Self.bytes(of: cfc_number(value: Int32(levels.count))) + Self.bytes(levels))
        case CFC_PWM:
            guard let fields = message.fields(cfc_pwm.self) else { break }
            let isAttached = fields.is_attached != 0 && fields.millihertz > 0
            let duty = min(Double(fields.duty) / Double(UInt32(1) << min(fields.bits, 20)), 1)
            set(isAttached ? PWMSignal(millihertz: fields.millihertz, duty: duty) : nil, message, fields.pin, &parts)
        case CFC_ANALOG_READ:
            guard let fields = message.fields(cfc_analog_read.self) else { break }
            runtime.reply(Self.bytes(of: parts.convert(fields, at: message.time)))
        case CFC_ANALOG_OUTPUT:
            guard let fields = message.fields(cfc_pin.self) else { break }
            events.append(.analogOutput(Int(fields.pin), UInt8(exactly: fields.value)))
        case CFC_TOUCH_READ:
            guard let fields = message.fields(cfc_number.self) else { break }
            runtime.reply(Self.bytes(of: cfc_number(value: parts.touch(Int(fields.value)))))
        case CFC_I2C:
            guard let fields = message.fields(cfc_i2c.self) else { break }
            let (status, result, read) = parts.transact(fields, message.tail(after: cfc_i2c.self), at: message.time)
            runtime.reply(status: Int32(status), Self.bytes(of: result) + read)
        case CFC_I2C_SLAVE, CFC_I2C_TRANSFERRED: slaves.handle(message)
        case CFC_SPI:
            guard let fields = message.fields(cfc_spi.self) else { break }
            let bytes = message.tail(after: cfc_spi.self)
            // No part is on this bus: nothing drives MISO, and its pull-up gives ones.
            let read = [UInt8](repeating: 0xFF, count: fields.miso == 255 ? 0 : bytes.count)
            events.append(.spi(written: Array(bytes), read: read))
            runtime.reply([UInt8](repeating: 0xFF, count: bytes.count))
        case CFC_PULSES:
            guard let fields = message.fields(cfc_pulses.self) else { break }
            send(message.tail(after: cfc_pulses.self), to: Int(fields.pin), at: message.time, &parts)
        case CFC_SERVO:
            guard let fields = message.fields(cfc_servo.self) else { break }
            events.append(.servo(ServoSignal(fields)))
            parts.chipSends(PWMSignal(fields), pin: Int(fields.pin), at: message.time)
        case CFC_BLE_TX_POWER:
            guard let fields = message.fields(cfc_tx_power.self) else { break }
            transmitPower = Int8(clamping: fields.advertising)
        case CFC_SERIAL_BEGIN:
            guard let fields = message.fields(cfc_serial_begin.self) else { break }
            if fields.port != 0 {
                uartOutputs.append((Int(fields.port), .open(rate: Int(fields.baud))))
            } else if fields.baud > 0 {
                baudRate = UInt64(fields.baud)
            }
        case CFC_SERIAL_READY:
            guard let fields = message.fields(cfc_serial_line.self) else { break }
            uartOutputs.append((Int(fields.port), .ready(fields.is_active != 0)))
        case CFC_SERIAL_FLOW:
            guard let fields = message.fields(cfc_serial_line.self) else { break }
            uartOutputs.append((Int(fields.port), .watchesCTS(fields.is_active != 0)))
        case CFC_SERIAL_OUTPUT:
            guard let fields = message.fields(cfc_serial_output.self) else { break }
            let bytes = message.tail(after: cfc_serial_output.self)
            let start = MonotonicInstant(nanoseconds: Int64(clamping: fields.line_ns))
            guard fields.port == 0 else {
                uartOutputs.append((Int(fields.port), .bytes(ArraySlice(bytes), from: start)))
                break
            }
            let time = UInt64(bytes.count) * 10_000_000_000 / baudRate
            console.append(bytes, from: start, to: start.advanced(by: .nanoseconds(Int64(clamping: time))))
        default: break
        }
    }
}

extension RunningApplication {
    /// A pin's new PWM signal.
    private func set(_ signal: PWMSignal?, _ message: FirmwareMessage, _ pin: UInt32, _ parts: inout WiredParts) {
        if signal == nil { signalled.remove(Int(pin)) } else { signalled.insert(Int(pin)) }
        events.append(.pwm(Int(pin), signal))
        parts.chipSends(signal, pin: Int(pin), at: message.time)
    }

    /// A transmission of the RMT peripheral.
    private func send(
        _ bytes: ArraySlice<UInt8>, to pin: Int, at start: MonotonicInstant, _ parts: inout WiredParts
    ) {
        guard parts.isWired(pin) else { return }
        var changes: [TimedDrive] = []
        var time = start
        bytes.withUnsafeBytes { bytes in
            let size = MemoryLayout<cfc_pulse>.size
            for offset in stride(from: 0, through: bytes.count - size, by: size) {
                let pulse = bytes.loadUnaligned(fromByteOffset: offset, as: cfc_pulse.self)
                changes.append(TimedDrive(time, pulse.level == 0 ? .low : .high))
                time = time.advanced(by: .nanoseconds(Int64(pulse.duration_ns)))
            }
        }
        parts.chipDrives(pin, changes)
    }
}

extension PWMSignal {
    /// The pulses of a servo's pin; `nil`: it is detached, or has no pulses.
    fileprivate init?(_ servo: cfc_servo) {
        guard servo.is_attached != 0, servo.pulse_ns > 0, servo.period_ns > 0 else { return nil }
        self.init(
            millihertz: 1_000_000_000_000 / UInt64(servo.period_ns),
            duty: Double(servo.pulse_ns) / Double(servo.period_ns))
    }
}

extension cfc_start {
    /// The first message to a sketch.
    ///
    /// - Parameters:
    ///   - reason: the ROM's reset reason.
    ///   - former: the end of the previous run: ESP-IDF keeps it over a reset, but the ROM does not know it.
    ///   - wakeUp: the cause of the wake-up from deep sleep.
    init(
        _ reason: ResetReason, after former: ApplicationEnd?, _ wakeUp: WakeUp, _ identity: ChipIdentity,
        seed: UInt64, now: MonotonicInstant
    ) {
        self.init()
        reset_reason = UInt32(Self.espReason(reason, after: former))
        wakeup_cause = UInt32(wakeUp.cause)
        wakeup_pins = wakeUp.pins
        flash_size = UInt32(identity.flashSize)
        timer_zero_ns = UInt64(now.nanoseconds)
        random_seed = seed
        cpu_frequency_mhz = 240
        chip_revision = 300
        chip_cores = 2
        withUnsafeMutableBytes(of: &mac) { $0.copyBytes(from: identity.macAddress.prefix(6)) }
        withUnsafeMutableBytes(of: &chip_model) { $0.copyBytes(from: "ESP32-D0WD-V3".utf8) }
    }

    /// `esp_reset_reason_t` (ESP-IDF, `port/soc/esp32/reset_reason.c`).
    private static func espReason(_ reason: ResetReason, after former: ApplicationEnd?) -> Int {
        switch reason {
        case .powerOn: CFC_RESET_POWER_ON
        case .deepSleep: CFC_RESET_DEEP_SLEEP
        case .timerGroup1Watchdog: CFC_RESET_INTERRUPT_WATCHDOG
        case .rtcWatchdog: CFC_RESET_WATCHDOG
        case .software, .softwareCPU:
            switch former {
            case .exception, .abort, .assertion, .stackOverflow, .panic, .sanitizer: CFC_RESET_PANIC
            case .taskWatchdog: CFC_RESET_TASK_WATCHDOG
            case .interruptWatchdog: CFC_RESET_INTERRUPT_WATCHDOG
            case .brownout: CFC_RESET_BROWNOUT
            case .restart, .deepSleep, .hang, nil: CFC_RESET_SOFTWARE
            }
        default: CFC_RESET_UNKNOWN
        }
    }
}
