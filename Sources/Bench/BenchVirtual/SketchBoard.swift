import BLECore
import BLERadio
import Bench
import BoardParts
import BenchExecutor
import BenchModel
import MonotonicTime
import ESPFlasher
import ESPImage
import VirtualBoard

/// The virtual ESP32 as the board of a bench.
actor SketchBoard {
    private nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let air: VirtualAir
    private let board: VirtualBoard
    /// The board's identifier on the air.
    private let id: BoardID
    nonisolated let events: EventPort<BoardEvent>

    /// A board without power.
    ///
    /// - Parameters:
    ///   - id: the board's identifier on the air, which determines its addresses and random numbers.
    ///   - key: the key with which images are sealed.
    ///   - flash: the contents of the board's flash; `nil`: erased.
    ///   - macAddress: the MAC address; `nil`: one that `id` determines.
    ///   - processors: the processors on which its firmware runs.
    /// - Throws: `FlashError`.
    init(
        _ id: BoardID = .first, key: HostProgramKey, flash: FlashContents?, seed: UInt64, macAddress: [UInt8]? = nil,
        _ processors: Processors, on air: VirtualAir
    ) throws {
        self.air = air
        self.id = id
        executor = air.executor
        // The first board shares the air's port, so that the events of both are in order.
        events = id == .first ? air.events : EventPort(air.executor)
        var configuration = VirtualBoard.Configuration(
            name: "virtual ESP32", flashPath: nil, flashContents: flash, number: UInt32(id.index + 1), key: key,
            seed: seed, processors: processors)
        configuration.macAddress = macAddress
        board = try VirtualBoard(configuration, on: air.radio, executor)
    }

    /// The contents of the flash.
    var flashContents: FlashContents? {
        get async { await board.flashContents }
    }

    /// Begins to post the board's events.
    func observe() async {
        await board.setObserver { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
    }

    private func receive(_ event: VirtualBoardEvent) {
        switch event {
        case .console(let bytes): events.post(.console(bytes))
        case .crashed(let end):
            if let crash = Self.crash(end) { post(crash) }
        case .notificationRefused(let handle): post(NotificationRefused(EventAttribute(handle: handle)))
        case .bluetoothHost(let name): post(BluetoothHostStarted(host: name))
        case .fault(let message): events.post(.fault(message: message))
        case .pin(let number, let isHigh):
            let pin = PinChanged(pin: number, isHigh: isHigh ?? false, isDriven: isHigh != nil)
            events.post(.pin(pin, executor.now))
        case .pwm(let pin, let signal):
            post(
                PWMChanged(
                    pin: pin,
                    signal: signal.map {
                        PWMChanged.Signal(
                            millihertz: Int(clamping: $0.millihertz), duty: Int(($0.duty * 1e6).rounded()))
                    }))
        case .analog(let pin, let value, let millivolts):
            post(AnalogRead(pin: pin, value: value, millivolts: millivolts))
        case .analogOutput(let pin, let value): post(AnalogWritten(pin: pin, value: value.map(Int.init)))
        case .i2c(let transaction):
            post(
                I2CTransferred(
                    address: transaction.address, part: transaction.part, written: transaction.written,
                    read: transaction.read, status: transaction.status, isSlave: transaction.isSlave,
                    signal: transaction.hertz == 0
                        ? nil
                        : I2CTransferred.Signal(
                            data: transaction.data, clock: transaction.clock, hertz: transaction.hertz,
                            nanoseconds: Int64(transaction.duration.wholeNanoseconds))))
        case .spi(let written, let read): post(SPITransferred(written: written, read: read))
        case .part(let name, let reading, let value): post(PartChanged(name, reading, value))
        case .partMisused(let name, let fault): post(PartMisused(part: name, fault: fault))
        case .conflict(let pin, let fault): post(PinConflict(pin: pin, fault: fault))
        case .pinIgnored(let number, let reason): post(PinCallIgnored(pin: number, reason: reason))
        case .chip(let note):
            post(note == .applicationStarted ? .applicationStarted : BootMessage(note.description))
            // A new boot has a new controller.
            if note == .applicationStarted { air.assumeIsolated { $0.controllerChanged() } }
        case .servo(let signal):
            post(
                ServoMoved(
                    pin: signal.pin, isAttached: signal.isAttached, angle: signal.angle.map { Int($0.rounded()) }))
        case .uart(let port, let bytes): post(UARTBytesReceived(port: port, bytes: bytes))
        case .storage(let end):
            post(StorageChanged("changed"))
            air.assumeIsolated { $0.storageWritten(of: id, until: end) }
        case .powerOn, .powerOff, .button: break
        }
    }
}

extension SketchBoard {
    private nonisolated func post(_ payload: some EventPayload) {
        events.post(.event(BenchEvent(time: executor.now, source: BenchBoard.onlyName, payload: payload)))
    }

    /// A crash as the timeline records it; `nil` for an end without a crash.
    private static func crash(_ end: ApplicationEnd) -> (any CrashEvent)? {
        guard let context = end.context else { return nil }
        let place = CrashPlace(
            task: context.task.isEmpty ? nil : context.task, core: context.core, isInInterrupt: context.isInInterrupt)
        return switch end {
        case .taskWatchdog, .interruptWatchdog: WatchdogResetDetected(end.summary, at: place)
        case .hang: HangDetected(end.summary, at: place)
        case .sanitizer: SanitizerReported(end.summary, at: place)
        default: PanicDetected(end.summary, at: place)
        }
    }
}

extension SketchBoard: BoardOnAir {
    nonisolated var abilities: Set<BenchAbility> {
        [.power, .brownout, .reset, .flash, .console, .buttons, .bootButton]
    }

    nonisolated var noticesCrashes: Bool { true }

    nonisolated var bluetoothAddress: DeviceAddress? { board.bluetoothAddress }

    nonisolated func advertises(from address: DeviceAddress) -> Bool {
        board.assumeIsolated { $0.advertises(from: address) }
    }

    var controller: ControllerID? { board.assumeIsolated { $0.controller } }

    /// Powers the board, writes `layout` through its serial bootloader, verifies it, and switches the board off again.
    ///
    /// - Throws: `FlasherError` or `SerialPortError`.
    func flash(_ layout: FlashLayout, progress: @escaping @Sendable (FlashProgress) -> Void) async throws {
        await observe()
        let port = try await board.line.open()
        await board.powerOn()
        let flasher = Flasher(port: port, clock: BenchClock(executor))
        let found = try await flasher.open(SessionOptions(baudRate: 921_600))
        try await flasher.write(layout, to: found, progress: progress)
        await port.close()
        for region in layout.regions {
            post(FlashWritten(count: region.bytes.count, address: Int(region.offset)))
        }
        try await setPower(false)
    }

    func restore() async throws {
        await air.restore(id)
        await board.releaseAllButtons()
        await board.restoreFarEnds()
        await board.restoreParts()
        try await board.eraseNVS()
    }

    func setPower(_ isOn: Bool) async throws {
        if isOn { await board.powerOn() } else { try await board.powerOff() }
    }

    func cutPower() throws {
        try board.assumeIsolated { try $0.powerOff() }
    }

    func brownOut() async { await board.brownOut() }

    func reset() async { await board.reset() }

    func type(_ bytes: [UInt8]) async { await board.type(bytes) }

    func send(_ bytes: [UInt8], uart: Int) async throws {
        guard await board.send(bytes, uart: uart) else {
            throw UARTRefusal(
                VirtualBoard.uarts.contains(uart)
                    ? "the far end of UART \(uart) has no room for \(bytes.count) bytes: 16 MiB wait there at most"
                    : "there is no UART \(uart) beside the console: the chip has 1 and 2")
        }
    }

    func wire(uart: Int, watchesRTS: Bool?, clearToSend: Bool?) async {
        await board.wire(uart: uart, watchesRTS: watchesRTS, clearToSend: clearToSend)
    }

    func setButton(pin: Int, isPressed: Bool) async throws {
        let reason =
            if isPressed { await board.pressButton(pin: pin) } else { await board.releaseButton(pin: pin) }
        if let reason { throw ButtonWithoutEffect(reason) }
    }

    func eraseNVS() async throws { try await board.eraseNVS() }

    func bonds() async -> [DeviceAddress] { await board.bonds }

    func forgetBonds(with peer: DeviceAddress?) async throws { try await board.forgetBonds(with: peer) }
}

extension SketchBoard {
    nonisolated var knowsTasks: Bool { true }

    func tasks() async -> BoardTasks? {
        guard let tasks = await board.tasks() else { return nil }
        return BoardTasks(
            tasks: tasks.map { task in
                let state: BoardTasks.Task.State =
                    switch task.state {
                    case .running, .ready: .runs
                    case .blocked(let end): .waits(until: end)
                    case .suspended: .suspended
                    }
                return BoardTasks.Task(name: task.name, state: state, addresses: task.addresses)
            }, lostOutput: await board.lostOutput)
    }
}

extension SketchBoard: Instruments {
    nonisolated var instrumentAbilities: Set<BenchAbility> { [.servo, .outputPins, .pwm, .uarts] }

    var inputPins: [Int] {
        get async { await board.inputPins }
    }

    var heap: BoardHeap? {
        get async {
            await board.heap.map { BoardHeap(size: $0.size, free: $0.free, minimumFree: $0.minimumFree) }
        }
    }
}

extension SketchBoard: BoardWorld {
    nonisolated var worldAbilities: Set<BenchAbility> { [.parts, .i2cMaster] }

    func transfer(_ request: I2CMasterRequest) async throws -> I2CMasterAnswer { try await board.transfer(request) }

    func wire(_ parts: [WiredPart]) async throws { try await board.wire(parts) }

    func set(_ part: String, _ quantity: String, to course: QuantityCourse) async throws {
        try await board.set(part, quantity, to: course)
    }

    func setPlugged(_ part: String, _ isPlugged: Bool) async throws { try await board.setPlugged(part, isPlugged) }

    func plan(_ fault: BusFault, of part: String, number: Int) async throws {
        try await board.plan(fault, of: part, number: number)
    }

    func busFaultsToCome() async -> [Int: String] { await board.busFaultsToCome }

    func clearBusFaults() async { await board.clearBusFaults() }

    var unnoticedPart: (part: String, reason: String)? {
        get async { await board.unnoticedPart }
    }

    func reading(_ part: String, _ reading: String?) async -> PartReading? { await board.reading(part, reading) }
}

extension PartChanged {
    /// A reading as suites write it.
    init(_ part: String, _ reading: PartKind.Reading, _ value: PartReading) {
        self.init(
            part: part, reading: reading.name, value: value.text(reading.form), thousandths: value.thousandths,
            digest: value.digest)
    }
}

/// Bytes that the far end of a UART refused, with the reason.
private struct UARTRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
