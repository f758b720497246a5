public import BLECore
public import BLERadio
import CFirmwareChannel
public import ESPImage
import MonotonicTime
public import SerialPort
public import BenchExecutor

/// A virtual ESP32: flashed through its serial line, it boots what was flashed, runs the sketch in a process of its own,
/// and is a Bluetooth peripheral on a ``Radio``.
public actor VirtualBoard {
    /// What makes a board the one it is.
    public struct Configuration: Sendable {
        /// What the board's serial port is called in messages.
        public var name: String
        /// The file that holds the flash; `nil`: in memory.
        public var flashPath: String?
        /// What a flash in memory holds at first; `nil`: it is erased.
        public var flashContents: FlashContents?
        /// The low 32 bits of its MAC addresses.
        public var number: UInt32
        /// What images must be sealed with to be run; `nil`: none is.
        public var key: HostProgramKey?
        /// Seeds everything random on the board.
        public var seed: UInt64

        /// All fields.
        public init(
            name: String, flashPath: String?, flashContents: FlashContents? = nil, number: UInt32,
            key: HostProgramKey?, seed: UInt64
        ) {
            self.name = name
            self.flashPath = flashPath
            self.flashContents = flashContents
            self.number = number
            self.key = key
            self.seed = seed
        }
    }

    static let flashSize = 4 << 20

    /// The executor of the bench.
    public nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let configuration: Configuration
    private let identity: ChipIdentity
    let machine: BoardMachine
    private(set) var storage: BoardStorage
    /// How many changes of the storage the observer has heard of.
    private var toldChanges = 0
    private let radio: Radio
    private var random: SeededRandom
    private(set) var application: RunningApplication?
    private var formerEnd: ApplicationEnd?
    private var console = ConsoleQueue()
    private var drivers = PinDrivers()
    private var alarm: Alarm
    private var isSettling = false
    private var reportedFlashFault = false
    private var observer: (@Sendable (VirtualBoardEvent) -> Void)?
    private lazy var serialLine = BoardLine(configuration.name, owner: self, on: executor)

    /// A board without power, in reach of `radio`.
    ///
    /// - Throws: ``FlashError`` when the flash file cannot be used.
    public init(_ configuration: Configuration, on radio: Radio, _ executor: BenchExecutor) throws(FlashError) {
        self.configuration = configuration
        self.executor = executor
        self.radio = radio
        random = SeededRandom(seed: configuration.seed).fork("board \(configuration.number)")
        identity = ChipIdentity(number: configuration.number, flashSize: Self.flashSize)
        let flash = try NORFlash(
            path: configuration.flashPath, size: Self.flashSize, contents: configuration.flashContents,
            random: random.fork("flash"))
        machine = BoardMachine(flash: flash, identity: identity, key: configuration.key)
        storage = BoardStorage(flash)
        alarm = Alarm(executor)
    }

    /// The address under which the board advertises: Espressif's chips add 2 to their base address.
    public nonisolated var bluetoothAddress: DeviceAddress {
        DeviceAddress(identity.macAddress.reduce(0) { $0 << 8 | UInt64($1) } + 2, .public)
    }

    /// Says who hears of events, in order, on the executor; replaces the former observer.
    public func setObserver(_ observer: @escaping @Sendable (VirtualBoardEvent) -> Void) {
        self.observer = observer
    }

    /// The first fault of the file with the flash: from then on what the board writes is not kept.
    public var flashFault: FlashError? { machine.flash.fault }

    /// What the flash holds, where it is in memory.
    public var flashContents: FlashContents? { machine.flash.contents }

    /// The board's serial line, for its clients.
    public var line: BoardLine { serialLine }

    // MARK: Supply and reset

    /// Gives the board power.
    public func powerOn() {
        observer?(.powerOn)
        machine.powerOn(at: executor.now)
        settle()
    }

    /// Takes the power away, in the middle of whatever the board does.
    ///
    /// - Throws: ``FlashError`` when the flash file cannot be written.
    public func powerOff() throws(FlashError) {
        observer?(.powerOff)
        defer { settle() }
        try machine.powerOff(at: executor.now)
        console.removeAll()
        forgetStorage()
    }

    /// Pulls EN low and lets it go, as the button on the board does.
    public func reset() {
        machine.pressReset(at: executor.now)
        settle()
    }

    /// What a start from flash prints before the sketch runs: as it would now, without a start.
    public var bootLog: [UInt8] { machine.bootLog }

    /// Types into the console, past the serial line's client.
    public func type(_ bytes: [UInt8]) {
        machine.receive(bytes, hasModemLines: true, at: executor.now)
        settle()
    }

    /// Presses a button between a pin and ground; pin 0 has the board's BOOT button.
    public func pressButton(pin: Int = 0) {
        setButton(pin, isPressed: true)
    }

    /// Lets a button go.
    public func releaseButton(pin: Int = 0) {
        setButton(pin, isPressed: false)
    }

    /// Lets every button go.
    public func releaseAllButtons() {
        for pin in drivers.pressed.sorted() { setButton(pin, isPressed: false) }
    }

    private func setButton(_ pin: Int, isPressed: Bool) {
        guard (0..<64).contains(pin), drivers.setPressed(isPressed, pin: pin) else { return }
        observer?(.button(pin: pin, isPressed: isPressed))
        if pin == PinDrivers.bootPin { machine.setBootPressed(isPressed, at: executor.now) }
        application?.setPin(pin, drive: drivers.drive(of: pin), now: executor.now)
        settle()
    }

    /// Erases the board's non-volatile storage at once, as a flasher does; a running sketch finds it empty.
    ///
    /// - Throws: ``FlashError`` when the flash file cannot be written.
    public func eraseNVS() throws(FlashError) {
        try storage.erase(now: executor.now)
    }

    // MARK: Events

    /// Lets every part do what it can now, until none has anything left, and sets the alarm for what comes next.
    func settle() {
        guard !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        let now = executor.now
        machine.advance(to: now)
        var isBusy = true
        while isBusy {
            isBusy = false
            for action in machine.takeActions() {
                isBusy = true
                perform(action, now)
            }
            while let bytes = console.popDue(at: now) {
                isBusy = true
                machine.applicationWrote(bytes, at: now)
            }
            if let application {
                let end = application.run(now: now, horizon: executor.horizon, &console)
                passOn(application)
                tellChanges(now)
                if let end {
                    isBusy = true
                    finish(end, now)
                }
            }
        }
        storage.advance(to: now)
        if let fault = flashFault, !reportedFlashFault {
            reportedFlashFault = true
            observer?(.fault(fault.description))
        }
        let deadlines = [
            machine.nextDeadline, console.nextDeadline, application?.nextDeadline, storage.settled,
        ]
        alarm.set(deadlines.compactMap(\.self).min()) { [weak self] in
            self?.assumeIsolated { board in
                board.alarm.fired()
                board.settle()
            }
        }
    }

    private func tellChanges(_ now: MonotonicInstant) {
        while toldChanges < storage.changes {
            toldChanges += 1
            observer?(.storage(until: storage.settled ?? now))
        }
    }

    /// What the sketch did to the world outside besides its console and its packets.
    private func passOn(_ application: RunningApplication) {
        for event in application.takePinEvents() { observer?(event) }
        if let power = application.takeTransmitPower() {
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
        case .note(let note):
            observer?(.note(note))
        }
    }

    private func start(_ booted: BootedApplication, _ reason: ResetReason, _ now: MonotonicInstant) {
        stopApplication()
        forgetStorage()
        guard booted.program.abi == HostProgram.nativeABI, booted.program.layoutVersion == CFC_LAYOUT_VERSION else {
            let fault =
                "the image is for \(booted.program.abi), channel \(booted.program.layoutVersion); this espbench runs "
                + "\(HostProgram.nativeABI), channel \(CFC_LAYOUT_VERSION): build and flash the sketch again"
            machine.applicationWrote(Array("espbench: \(fault)\r\n".utf8), at: now)
            observer?(.fault(fault))
            return
        }
        let port = radio.assumeIsolated { $0.attach(address: bluetoothAddress) }
        port.setReceiver { [weak self] packet in
            self?.assumeIsolated { board in
                guard board.application?.port === port else { return }
                board.application?.bluetooth.receive(packet, now: board.executor.now)
                board.settle()
            }
        }
        do {
            application = try RunningApplication(
                booted, start: cfc_start(reason, after: formerEnd, identity, seed: random.next(), now: now),
                storage: storage, port: port, now: now)
            for pin in drivers.driven { application?.setPin(pin, drive: drivers.drive(of: pin), now: now) }
        } catch {
            radio.assumeIsolated { $0.detach(port) }
            observer?(.fault("\(error)"))
        }
    }

    /// What the last program knew of the flash may be no more.
    private func forgetStorage() {
        storage = BoardStorage(machine.flash)
        toldChanges = 0
    }

    private func stopApplication() {
        guard let application else { return }
        application.end()
        let port = application.port
        radio.assumeIsolated { $0.detach(port) }
        console.removeAll()
        self.application = nil
    }

    private func finish(_ end: ApplicationEnd, _ now: MonotonicInstant) {
        // What is still in the UART is lost with the reset, as on the chip; the panic handler flushes it first.
        for bytes in console.takeAll() where end != .restart { machine.applicationWrote(bytes, at: now) }
        stopApplication()
        formerEnd = end
        machine.applicationEnded(end, at: now)
        // Its last words come before the word of it.
        for action in machine.takeActions() { perform(action, now) }
        if end != .restart { observer?(.crashed(end)) }
    }
}

extension VirtualBoard: BoardLineOwner {
    /// The client of the serial line sent bytes.
    public func lineReceived(_ bytes: [UInt8], hasModemLines: Bool) {
        machine.receive(bytes, hasModemLines: hasModemLines, at: executor.now)
        settle()
    }

    /// The client of the serial line set DTR and RTS.
    public func lineChanged(_ lines: ModemLines) {
        machine.setModemLines(lines, at: executor.now)
        linesChanged()
    }

    /// The client of the serial line has gone.
    public func lineLeft(hasModemLines: Bool) {
        machine.clientLeft(hasModemLines: hasModemLines, at: executor.now)
        linesChanged()
    }

    private func linesChanged() {
        if drivers.setLinesPullBoot(machine.linesPullIO0) {
            let pin = PinDrivers.bootPin
            application?.setPin(pin, drive: drivers.drive(of: pin), now: executor.now)
        }
        settle()
    }
}
