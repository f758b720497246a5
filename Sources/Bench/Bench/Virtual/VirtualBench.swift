import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
public import BLERadio
import BenchModel
import Console
public import ESPFlasher
public import ESPImage
public import BenchExecutor
import VirtualBoard

/// The bench with nothing plugged in: a virtual board, and centrals of espbench's own host, on one radio and one clock.
public actor VirtualBench: BenchDevice {
    /// The low 32 bits of the board's MAC addresses.
    private static let boardNumber: UInt32 = 1
    /// The first central's address; the others count on. Static random addresses begin with two ones.
    private static let firstCentralAddress: UInt64 = 0xC0EB_0000_0001

    nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let board: VirtualBoard
    let radio: Radio
    private let recorder: TimelineRecorder
    private let capture: (@Sendable (Radio.Observation) -> Void)?
    /// The centrals' controllers; whatever else is on the radio is the board's.
    var centrals: [ControllerID] = []
    /// How the air carries between the board and the centrals.
    var path = RadioPath()
    /// The faults that a suite has planted, by its number.
    var faults: [Int: RadioFaultID] = [:]
    /// The cut of the power that is to come.
    var cut: PlannedCut?
    /// Somebody near the board who listens to its pairings.
    var eavesdropper: PasskeyEavesdropper?
    private var lines = LineAssembler()
    private var handler: (@Sendable (DeviceEvent) -> Void)?

    /// A bench whose board is off and erased.
    ///
    /// - Parameters:
    ///   - key: what images are sealed with.
    ///   - seed: everything random on the bench follows from it.
    ///   - capture: sees every HCI packet.
    /// - Throws: `FlashError`.
    public init(
        key: HostProgramKey, seed: UInt64, recorder: TimelineRecorder,
        capture: (@Sendable (Radio.Observation) -> Void)? = nil, _ executor: BenchExecutor
    ) throws {
        self.executor = executor
        self.recorder = recorder
        self.capture = capture
        radio = Radio(executor, seed: seed)
        let configuration = VirtualBoard.Configuration(
            name: "virtual ESP32", flashPath: nil, number: Self.boardNumber, key: key, seed: seed)
        board = try VirtualBoard(configuration, on: radio, executor)
    }

    /// Powers the board, writes `layout` through its serial bootloader, verifies it, and switches the board off again.
    ///
    /// - Throws: `FlasherError` or `SerialPortError`.
    public func flash(_ layout: FlashLayout, progress: @escaping @Sendable (FlashProgress) -> Void = { _ in })
        async throws
    {
        await listen()
        let port = try await board.line.open()
        await board.powerOn()
        let flasher = Flasher(port: port, clock: BenchClock(executor))
        try await flasher.connect()
        let found = try await flasher.identify()
        try await flasher.changeBaudRate(to: 921_600, of: found)
        try await flasher.write(layout, to: found, progress: progress)
        await port.close()
        for region in layout.regions {
            record(.flash(bytes: region.bytes.count, address: Int(region.offset)))
        }
        try await setPower(false)
    }

    // MARK: BenchDevice

    /// Says who hears of the board; replaces the former handler.
    public func setEventHandler(_ handler: @escaping @Sendable (DeviceEvent) -> Void) {
        self.handler = handler
    }

    /// Switches the board's supply.
    public func setPower(_ isOn: Bool) async throws {
        if isOn {
            await board.powerOn()
        } else {
            try await board.powerOff()
            lines = LineAssembler()
        }
    }

    /// Pulls EN low and lets it go.
    public func reset() async {
        await board.reset()
    }

    /// Types into the board's console.
    public func type(_ bytes: [UInt8]) async {
        await board.type(bytes)
    }

    /// Presses or releases a button.
    public func setButton(pin: Int, isPressed: Bool) async {
        if isPressed { await board.pressButton(pin: pin) } else { await board.releaseButton(pin: pin) }
    }

    /// A central near the board, powered on.
    public func makeCentral(address: DeviceAddress?) async throws -> BenchCentral {
        let own = Self.firstCentralAddress + UInt64(centrals.count)
        let identity = address ?? DeviceAddress(own, .random)
        // A controller's public address is not used beside a random one; it only has to be its own.
        let transport = await radio.attach(address: DeviceAddress(own & 0x3FFF_FFFF_FFFF, .public))
        let central = HCICentral(executor: executor, transport: transport, address: identity)
        try await central.powerOn()
        centrals.append(transport.id)
        applyPath()
        return BenchCentral(backend: central, identity: identity)
    }

    // MARK: Events

    private func listen() async {
        await board.setObserver { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
        await observeRadio()
    }

    /// Sees every HCI packet while somebody wants to: each costs.
    func observeRadio() async {
        guard recorder.isWriting || capture != nil || eavesdropper != nil || cut?.isPDU == true else {
            return await radio.setObserver(nil)
        }
        await radio.setObserver { [weak self] seen in
            self?.assumeIsolated { $0.receive(seen) }
        }
    }

    private func receive(_ seen: Radio.Observation) {
        capture?(seen)
        if recorder.isWriting {
            recorder.record(
                BenchEvent(
                    time: seen.time, source: "controller \(seen.controller.rawValue)",
                    payload: .hci(
                        isFromHost: seen.isFromHost, packet: [seen.packet.kind.rawValue] + seen.packet.bytes)))
        }
        overhear(seen)
        lookForCut(seen)
    }

    /// Cuts the power as soon as everything of this instant has happened.
    func cutPower() {
        cut = nil
        let board = board
        executor.post {
            self.assumeIsolated { bench in
                board.assumeIsolated { try? $0.powerOff() }
                bench.lines = LineAssembler()
                bench.handler?(.powerCut)
            }
        }
    }

    private func receive(_ event: BoardEvent) {
        switch event {
        case .console(let bytes):
            for line in lines.append(bytes, at: executor.now) {
                handler?(.console(line: line.text))
                if case .console(let isWanted) = cut, isWanted(line.text) { cutPower() }
            }
        case .crashed(let end):
            let message = end.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            switch end {
            case .restart: break
            case .exception, .abort: handler?(.panic(message: message))
            case .taskWatchdog, .interruptWatchdog: handler?(.watchdog(message: message))
            }
        case .fault(let message): handler?(.fault(message: message))
        case .pin(let number, let isHigh): record(.pin(number: number, isHigh: isHigh))
        case .note(let note):
            record(.boot(text: note.description))
            // The controller of the new boot is another one.
            if note == .applicationStarted, path != RadioPath() {
                executor.post { self.assumeIsolated { $0.applyPath() } }
            }
        case .servo(let signal):
            handler?(
                .servo(pin: signal.pin, isAttached: signal.isAttached, angle: signal.angle.map { Int($0.rounded()) }))
        case .storage(let end):
            record(.nvs(text: "changed"))
            storageWritten(until: end)
        case .powerOn, .powerOff, .button: break
        }
    }

    private func record(_ payload: BenchEvent.Payload) {
        recorder.record(BenchEvent(time: executor.now, source: "board", payload: payload))
    }
}
