public import BLECore
import BoardParts
public import BLERadio
internal import CFirmwareChannel
public import ESPChips
public import ESPImage
import MonotonicTime
public import SerialPort
public import BenchExecutor

/// A virtual ESP32: flashed through its serial line, it boots the flashed image, runs the sketch in a child process,
/// and is a Bluetooth peripheral on a ``Radio``.
public actor VirtualBoard {
    /// The parameters of a board.
    public struct Configuration: Sendable {
        /// The serial port's name in messages.
        public var name: String
        /// The file with the flash contents; `nil`: in memory.
        public var flashPath: String?
        /// The initial contents of a flash in memory; `nil`: erased.
        public var flashContents: FlashContents?
        /// The low 32 bits of its MAC addresses.
        public var number: UInt32
        /// The MAC address; `nil`: one with ``number``.
        public var macAddress: [UInt8]?
        /// The key with which images must be sealed; `nil`: no image is run.
        public var key: HostProgramKey?
        /// The seed of all random numbers of the board.
        public var seed: UInt64
        /// The model of the chip; only an ESP32 runs sketches, the others are flashed and read.
        public var chip = Chip.esp32
        /// The size of its flash chip in bytes: a power of two.
        public var flashSize = 4 << 20
        /// True if the eFuses restrict the ROM loader to writing the flash.
        public var hasSecureDownload = false
        /// The operations that take time while the board is in its loader.
        public var loaderPace = LoaderPace.flash
        /// The processors for its firmware; shared by boards that run at the same time.
        public var processors: Processors

        /// All fields.
        public init(
            name: String, flashPath: String?, flashContents: FlashContents? = nil, number: UInt32,
            key: HostProgramKey?, seed: UInt64, processors: Processors = Processors()
        ) {
            self.name = name
            self.flashPath = flashPath
            self.flashContents = flashContents
            self.number = number
            self.key = key
            self.seed = seed
            self.processors = processors
        }
    }

    /// The executor of the bench.
    public nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let configuration: Configuration
    private let identity: ChipIdentity
    let machine: BoardMachine
    private(set) var storage: BoardStorage
    /// The number of storage changes already reported to the observer.
    private var reportedChanges = 0
    let radio: Radio
    private var random: SeededRandom
    // `@exclusivity(unchecked)`: read several times per packet, so run-time checks would dominate the cost; the
    // compiler's static checks remain.
    @exclusivity(unchecked) private(set) var application: RunningApplication?
    private var formerEnd: ApplicationEnd?
    /// The RTC memory as the last program left it.
    private var retained = RetainedMemory()
    /// The end of the deep sleep that the last program began.
    private var sleep = cfc_sleep.endless
    /// The cause of the last wake-up, unless it was the timer.
    private var wakeUp: WakeUp?
    @exclusivity(unchecked) private var console = ConsoleQueue()
    /// The parts, and everything else at the chip's pins.
    @exclusivity(unchecked) var parts: WiredParts
    /// The parts as they were wired.
    var wiredParts: [WiredPart] = []
    let partSeeds: SeededRandom
    /// The devices at the UARTs other than the console.
    var farEnds = [FarEnd](repeating: FarEnd(), count: VirtualBoard.uarts.count)
    /// The transaction of a master outside on an I²C bus.
    var pendingTransfer: PendingTransfer?
    private var alarm: Alarm
    /// Made at the first start of a program.
    private lazy var handOver = HandOver(configuration.processors)
    private var isProcessing = false
    private var reportedFlashFault = false
    private(set) var observer: (@Sendable (VirtualBoardEvent) -> Void)?
    private lazy var serialLine = BoardLine(configuration.name, owner: self, on: executor)

    /// A board without power, whose controllers are attached to `radio`.
    ///
    /// - Throws: ``FlashError`` when the flash file cannot be used.
    public init(_ configuration: Configuration, on radio: Radio, _ executor: BenchExecutor) throws(FlashError) {
        self.configuration = configuration
        self.executor = executor
        self.radio = radio
        random = SeededRandom(seed: configuration.seed).fork("board \(configuration.number)")
        var identity = ChipIdentity(
            number: configuration.number, flashSize: configuration.flashSize, chip: configuration.chip)
        identity.hasSecureDownload = configuration.hasSecureDownload
        if let address = configuration.macAddress { identity.macAddress = address }
        self.identity = identity
        let flash = try NORFlash(
            path: configuration.flashPath, size: configuration.flashSize, contents: configuration.flashContents,
            random: random.fork("flash"))
        machine = BoardMachine(
            flash: flash, identity: identity, key: configuration.key, pace: configuration.loaderPace)
        storage = BoardStorage(flash)
        // Sketches run only on an ESP32.
        let pins = ChipPins(configuration.chip) ?? .esp32
        partSeeds = random.fork("parts")
        parts = WiredParts(pins, random: random.fork("analog"))
        alarm = Alarm(executor)
    }

    /// The board's public Bluetooth address: the base address plus 2, as on Espressif's chips.
    public nonisolated var bluetoothAddress: DeviceAddress {
        DeviceAddress(identity.macAddress.reduce(0) { $0 << 8 | UInt64($1) } + 2, .public)
    }

    /// Sets the observer of events, called in order on the executor; replaces the previous one.
    public func setObserver(_ observer: @escaping @Sendable (VirtualBoardEvent) -> Void) {
        self.observer = observer
    }

    /// The first error of the flash file: after a failed write the board's changes are no longer stored.
    public var flashFault: FlashError? { machine.flash.fault }

    /// The contents of a flash in memory; `nil` for a flash file.
    public var flashContents: FlashContents? { machine.flash.contents }

    /// The chip's heap when the sketch gave back its last turn; `nil`: no application runs.
    public var heap: HeapUse? { application?.runtime.heap }

    /// The tasks of the sketch at this moment; `nil`: no application runs. The sketch does not notice the question.
    public func tasks() -> [FirmwareTask]? { application?.runtime.tasks() }

    /// The bytes that the sketch has printed to `Serial` while it was not begun.
    public var lostOutput: Int { application?.runtime.lostOutput ?? 0 }

    /// The board's serial line, for its clients.
    public var line: BoardLine { serialLine }

    // MARK: Supply and reset

    /// Powers the board on.
    public func powerOn() {
        observer?(.powerOn)
        parts.setPower(true, at: executor.now)
        machine.powerOn(at: executor.now)
        processPendingWork()
    }

    /// Powers the board off at once.
    ///
    /// - Throws: ``FlashError`` when the flash file cannot be written.
    public func powerOff() throws(FlashError) {
        observer?(.powerOff)
        defer { processPendingWork() }
        try machine.powerOff(at: executor.now)
        parts.setPower(false, at: executor.now)
        console.removeAll()
        reopenStorage()
    }

    /// Lets the supply's voltage drop below the limit of the brownout detector for a moment: ESP-IDF reports it on the
    /// console and resets the chip. This works only while a program runs: without one, a chip simply starts again.
    public func brownOut() {
        if application != nil {
            finish(.brownout, executor.now)
        } else {
            machine.pressReset(at: executor.now)
        }
        processPendingWork()
    }

    /// Pulls EN low and releases it, as the board's reset button does.
    public func reset() {
        machine.pressReset(at: executor.now)
        processPendingWork()
    }

    /// The console output that a boot from flash would print now before the sketch runs; does not boot.
    public var bootLog: [UInt8] { machine.bootLog }

    /// Sends console input, bypassing the serial line's client.
    public func type(_ bytes: [UInt8]) {
        machine.receive(bytes, hasModemLines: true, at: executor.now)
        processPendingWork()
    }

    /// Presses a button between a pin and ground; pin 0 has the board's BOOT button.
    ///
    /// - Returns: the reason if the program certainly cannot notice the press: the chip lacks the pin, or the program
    ///   drives it.
    @discardableResult
    public func pressButton(pin: Int = 0) -> String? {
        setButton(pin, isPressed: true)
    }

    /// Releases a button.
    ///
    /// - Returns: the reason if the program certainly did not notice the press: the pin has not been an input, or has
    ///   no pull-up.
    @discardableResult
    public func releaseButton(pin: Int = 0) -> String? {
        setButton(pin, isPressed: false)
    }

    /// Releases all buttons.
    public func releaseAllButtons() {
        for pin in parts.drivers.pressed.sorted() { _ = setButton(pin, isPressed: false) }
    }

    /// The pins that the running program uses as inputs, in order.
    public var inputPins: [Int] { application?.pins.usedInputs ?? [] }

    private func setButton(_ pin: Int, isPressed: Bool) -> String? {
        if let fault = PinDrivers.fault(of: pin) { return fault }
        if isPressed, application?.pins.isDriven(pin) == true {
            return "pin \(pin) is an output of the sketch, which the button would connect to ground"
        }
        guard parts.drivers.setPressed(isPressed, pin: pin) else { return nil }
        observer?(.button(pin: pin, isPressed: isPressed))
        if pin == PinDrivers.bootPin { machine.setBootPressed(isPressed, at: executor.now) }
        tellDrive(of: pin)
        wakeByPins()
        let isUnnoticed = !isPressed && parts.drivers.takeRecent(pin)
        processPendingWork()
        guard isUnnoticed else { return nil }
        if machine.isAsleep { return "the chip sleeps, and pin \(pin) does not wake it" }
        guard let application else {
            return pin == PinDrivers.bootPin
                ? nil
                : "no sketch ran while the button was pressed: let the chip start before, as with 'advance: 100 ms'"
        }
        if !application.pins.wasInput(pin) {
            return "pin \(pin) is not an input: the sketch has not called pinMode(\(pin), INPUT_PULLUP)"
        }
        if pin == PinDrivers.bootPin || application.pins.wasPulledUp(pin) { return nil }
        return
            "pin \(pin) has no pull-up, and reads LOW with and without the button: pinMode(\(pin), INPUT_PULLUP) switches one on, where the pin has it (not 34 to 39)"
    }

    /// Tells the sketch what a button, or the serial port's lines, drive at a pin.
    private func tellDrive(of pin: Int) {
        guard !parts.driverChanged(pin) else { return }
        application?.setPin(pin, drive: parts.drivers.drive(of: pin), now: executor.now)
    }

    /// Ends a deep sleep that waits for a pin's level.
    func wakeByPins() {
        guard machine.isAsleep else { return }
        let now = executor.now
        guard let found = sleep.wakeUp({ parts.drive(of: $0, at: now) }) else { return }
        // The press has had its effect.
        parts.drivers.forgetRecent()
        parts.pinsWokeChip()
        wakeUp = found
        machine.wake(at: executor.now)
    }

    /// Erases the board's non-volatile storage at once, as a flasher does; a running sketch then finds it empty.
    ///
    /// - Throws: ``FlashError`` when the flash file cannot be written.
    public func eraseNVS() throws(FlashError) {
        try storage.erase(now: executor.now)
    }

    // MARK: Events

    /// Runs all parts until none has work left at this instant, and sets the alarm for the next deadline.
    func processPendingWork() {
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        let now = executor.now
        machine.advance(to: now)
        advanceParts(to: now)
        var isBusy = true
        while isBusy {
            isBusy = false
            for action in machine.drainActions() {
                isBusy = true
                perform(action, now)
            }
            while let bytes = console.popDue(at: now) {
                isBusy = true
                machine.applicationWrote(bytes, at: now)
            }
            if let application {
                application.setLevels(parts.takeLevels(at: now), now: now)
                // The sketch must not run ahead of bytes that arrive at its UARTs, or of what its parts do.
                let horizon = MonotonicInstant.earliest(executor.horizon, nextFarEndDeadline, parts.nextDeadline)
                let end = application.run(now: now, horizon: horizon, &console, &parts)
                forwardOutputs(application)
                endTransfer(application)
                if exchangeWithFarEnds(application, now) { isBusy = true }
                reportStorageChanges(now)
                if let end {
                    isBusy = true
                    finish(end, now)
                }
            }
        }
        if application == nil { dropFromFarEnds(now) }
        storage.advance(to: now)
        if let fault = flashFault, !reportedFlashFault {
            reportedFlashFault = true
            observer?(.fault(fault.description))
        }
        let deadline = MonotonicInstant.earliest(
            .earliest(machine.nextDeadline, console.nextDeadline, application?.nextDeadline, storage.writesCompleted),
            nextFarEndDeadline, parts.nextDeadline)
        alarm.set(
            deadline,
            { [weak self] in
                self?.assumeIsolated { board in
                    board.alarm.fired()
                    board.processPendingWork()
                }
            })
    }

    private func reportStorageChanges(_ now: MonotonicInstant) {
        while reportedChanges < storage.changes {
            reportedChanges += 1
            observer?(.storage(until: storage.writesCompleted ?? now))
        }
    }

    /// Passes on the sketch's outputs other than console and packets.
    private func forwardOutputs(_ application: RunningApplication) {
        for event in application.drainEvents() { observer?(event) }
        // Set before the controller gets the host's first command, which arrives as a separate event.
        if let personality = application.drainPersonality() {
            let port = application.port
            radio.assumeIsolated { $0.setPersonality(personality, of: port) }
        }
        if let power = application.drainTransmitPower() {
            let port = application.port
            radio.assumeIsolated { $0.setTransmitPower(power, of: port) }
        }
    }

    private func perform(_ action: BoardMachine.Action, _ now: MonotonicInstant) {
        switch action {
        case .send(let bytes):
            observer?(.console(bytes))
            let line = serialLine
            line.assumeIsolated { $0.deliver(bytes) }
        case .startApplication(let booted, let reason):
            start(booted, reason, now)
        case .stopApplication:
            stopApplication()
        case .deliver(let bytes):
            application?.receive(bytes, now: now)
        case .chip(let event):
            observer?(.chip(event))
            if event == .asleep { wakeByPins() }
        }
    }

    private func start(_ booted: BootedApplication, _ reason: ResetReason, _ now: MonotonicInstant) {
        stopApplication()
        reopenStorage()
        guard booted.program.isRunnable, booted.program.layoutVersion == CFC_LAYOUT_VERSION else {
            let fault =
                "the image is for \(booted.program.abi), channel \(booted.program.layoutVersion); this espbench runs "
                + "\(HostProgram.runnableABIs.joined(separator: " and ")), channel \(CFC_LAYOUT_VERSION): build and flash the sketch again"
            machine.applicationWrote(Array("espbench: \(fault)\r\n".utf8), at: now)
            observer?(.fault(fault))
            return
        }
        let wakeUp = reason == .deepSleep ? self.wakeUp ?? .timer : .none
        self.wakeUp = nil
        let port = radio.assumeIsolated { $0.attach(address: bluetoothAddress) }
        port.setReceiver { [weak self] packet in
            self?.assumeIsolated { board in
                guard board.application?.port === port else { return }
                board.application?.receive(packet, now: board.executor.now)
                board.processPendingWork()
            }
        }
        do {
            application = try RunningApplication(
                booted,
                start: cfc_start(reason, after: formerEnd, wakeUp, identity, seed: random.next(), now: now),
                retained: retained.after(reason), handOver, storage: storage, port: port, address: bluetoothAddress,
                now: now)
            for uart in Self.uarts where !farEnds[uart - 1].isClearToSend {
                application?.setClearToSend(false, uart: uart, now: now)
            }
            for pin in parts.drivers.driven where !parts.isWired(pin) {
                application?.setPin(pin, drive: parts.drivers.drive(of: pin), now: now)
            }
            for pin in parts.answeredPins { application?.setAnswered(pin, now: now) }
            parts.applicationStarts()
        } catch {
            radio.assumeIsolated { $0.detach(port) }
            observer?(.fault("\(error)"))
        }
    }

    /// The flash may have changed since the last program's start.
    private func reopenStorage() {
        storage = BoardStorage(machine.flash)
        reportedChanges = 0
    }

    private func stopApplication() {
        guard let application else { return }
        application.terminate()
        cancelTransfer()
        for pin in application.pins.driven { observer?(.pin(pin, isHigh: nil)) }
        for pin in application.signalled.sorted() { observer?(.pwm(pin, nil)) }
        parts.forgetNoticed(application.pins)
        parts.chipStops(at: executor.now)
        reportParts()
        parts.drivers.forgetRecent()
        retained = application.retained
        sleep = application.sleep
        let port = application.port
        radio.assumeIsolated { $0.detach(port) }
        console.removeAll()
        for index in farEnds.indices { farEnds[index].close() }
        self.application = nil
    }

    private func finish(_ end: ApplicationEnd, _ now: MonotonicInstant) {
        // The reset discards the UART's FIFO, as on the chip; the panic handler flushes it first.
        for bytes in console.removeAllChunks() where end != .restart { machine.applicationWrote(bytes, at: now) }
        stopApplication()
        formerEnd = end
        machine.applicationEnded(end, wakeUp: sleep.timerEnd(after: now), at: now)
        // Flushes console output before reporting the crash.
        for action in machine.drainActions() { perform(action, now) }
        if end.context != nil { observer?(.crashed(end)) }
    }
}

extension VirtualBoard: BoardLineOwner {
    /// The client of the serial line sent bytes.
    public func lineReceived(_ bytes: [UInt8], hasModemLines: Bool) {
        machine.receive(bytes, hasModemLines: hasModemLines, at: executor.now)
        processPendingWork()
    }

    /// The client of the serial line set its rate.
    public func lineConfigured(baudRate: Int) {
        machine.setClientRate(baudRate)
    }

    /// The client of the serial line set DTR and RTS.
    public func lineChanged(_ lines: ModemLines) {
        machine.setModemLines(lines, at: executor.now)
        linesChanged()
    }

    /// The client of the serial line has closed it.
    public func lineClosed(hasModemLines: Bool) {
        machine.clientClosed(hasModemLines: hasModemLines, at: executor.now)
        linesChanged()
    }

    private func linesChanged() {
        if parts.drivers.setLinesPullBoot(machine.linesPullIO0) {
            let pin = PinDrivers.bootPin
            tellDrive(of: pin)
            wakeByPins()
        }
        processPendingWork()
    }
}
