public import BLECentral
import BLECentralHCI
public import BLECore
import BLEHost
import BLEPackets
public import BLERadio
public import Bench
public import BenchExecutor
import BenchModel
public import ESPFlasher
public import ESPImage
import MonotonicTime
public import VirtualBoard

/// The bench with nothing plugged in: a virtual board, and centrals of espbench's own host, on one radio and one clock.
/// It is every part of a ``Bench`` at once.
public actor VirtualBench {
    /// The low 32 bits of the board's MAC addresses.
    private static let boardNumber: UInt32 = 1
    /// The first central's address; the others count on. Static random addresses begin with two ones.
    private static let firstCentralAddress: UInt64 = 0xC0EB_0000_0001

    nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Where the board's events come from.
    public nonisolated let events: EventPort<BoardEvent>

    let board: VirtualBoard
    let radio: Radio
    /// The centrals' controllers; whatever else is on the radio is the board's.
    var centrals: [ControllerID] = []
    /// How the air carries between the board and the centrals.
    var path = RadioPath()
    /// The faults that are planned, by the session's number.
    var faults: [Int: RadioFaultID] = [:]
    /// The cut of the power that is to come.
    var cut: PowerCut?
    /// Somebody near the board who listens to its pairings.
    var eavesdropper: PasskeyEavesdropper?
    /// Whether HCI packets are posted as events.
    var observesPackets = false

    /// A bench whose board is off.
    ///
    /// - Parameters:
    ///   - key: what images are sealed with.
    ///   - flash: what the board's flash holds; `nil`: it is erased.
    ///   - seed: everything random on the bench follows from it.
    /// - Throws: `FlashError`.
    public init(key: HostProgramKey, flash: FlashContents? = nil, seed: UInt64, _ executor: BenchExecutor) throws {
        self.executor = executor
        events = EventPort(executor)
        radio = Radio(executor, seed: seed)
        let configuration = VirtualBoard.Configuration(
            name: "virtual ESP32", flashPath: nil, flashContents: flash, number: Self.boardNumber, key: key,
            seed: seed)
        board = try VirtualBoard(configuration, on: radio, executor)
    }

    /// This kind of bench; its boards run images that are sealed with `key`.
    ///
    /// Its boards can be flashed in advance: one is flashed through its bootloader, and the others get a copy of its
    /// flash.
    public static func kind(key: HostProgramKey) -> BenchKind {
        BenchKind(name: "virtual", pace: .virtual) { seed, executor in
            try VirtualBench(key: key, seed: seed, executor).bench
        } flashed: { layout, executor in
            let model = try VirtualBench(key: key, seed: 0, executor)
            try await model.flash(layout) { _ in }
            let contents = await model.board.flashContents
            return { seed, executor in
                let bench = try VirtualBench(key: key, flash: contents, seed: seed, executor)
                await bench.listen()
                return bench.bench
            }
        }
    }

    /// The bench, as its parts.
    public nonisolated var bench: Bench {
        Bench(name: "virtual", executor: executor, board: self, centrals: self, air: self, storage: self)
    }

    // MARK: Events

    func listen() async {
        await board.setObserver { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
        await observeRadio()
    }

    /// Sees every HCI packet while somebody wants to: each costs.
    func observeRadio() async {
        guard observesPackets || eavesdropper != nil || cut?.isPDU == true else {
            return await radio.setObserver(nil)
        }
        await radio.setObserver { [weak self] seen in
            self?.assumeIsolated { $0.receive(seen) }
        }
    }

    private func receive(_ seen: Radio.Observation) {
        if observesPackets {
            events.post(
                .event(
                    BenchEvent(
                        time: seen.time, source: "controller \(seen.controller.rawValue)",
                        payload: HCIPacketObserved(isFromHost: seen.isFromHost, packet: seen.packet.h4))))
        }
        overhear(seen)
        lookForCut(seen)
    }

    private func receive(_ event: VirtualBoardEvent) {
        switch event {
        case .console(let bytes): events.post(.console(bytes))
        case .crashed(let end):
            let message = end.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            switch end {
            case .restart: break
            case .exception, .abort: post(PanicDetected(message))
            case .taskWatchdog, .interruptWatchdog: post(WatchdogResetDetected(message))
            }
        case .fault(let message): events.post(.fault(message: message))
        case .pin(let number, let isHigh): post(PinChanged(pin: number, isHigh: isHigh))
        case .note(let note):
            post(BootMessage(note.description))
            // The controller of the new boot is another one.
            if note == .applicationStarted, path != RadioPath() {
                executor.post { self.assumeIsolated { $0.applyPath() } }
            }
        case .servo(let signal):
            post(
                ServoMoved(
                    pin: signal.pin, isAttached: signal.isAttached, angle: signal.angle.map { Int($0.rounded()) }))
        case .storage(let end):
            post(StorageChanged("changed"))
            storageWritten(until: end)
        case .powerOn, .powerOff, .button: break
        }
    }

    func post(_ payload: some EventPayload) {
        events.post(.event(BenchEvent(time: executor.now, source: "board", payload: payload)))
    }
}

extension VirtualBench: CentralProvider {
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
}
