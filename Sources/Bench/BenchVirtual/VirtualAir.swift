import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
import BLERadio
import Bench
import BenchExecutor
import BenchModel
import MonotonicTime

/// The air of the virtual bench, and the centrals on it.
actor VirtualAir {
    /// The first central's address; the others count on. Static random addresses begin with two ones.
    private static let firstCentralAddress: UInt64 = 0xC0EB_0000_0001

    nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Where events of the board and of the air go.
    nonisolated let events: EventPort<BoardEvent>
    nonisolated let radio: Radio

    /// The board, which the bench holds.
    weak var board: (any BoardOnAir)?
    /// The centrals' controllers; whatever else is on the radio is the board's.
    var centrals: [ControllerID] = []
    /// How the air carries between the board and the centrals.
    var path = RadioPath()
    /// The faults that are planned, by the session's number.
    var faults: [Int: RadioFaultID] = [:]
    /// The planned power cut.
    var cut: PowerCut?
    /// An eavesdropper near the board who receives its pairings.
    var eavesdropper: PasskeyEavesdropper?
    /// Whether HCI packets are posted as events.
    var observesPackets = false

    /// An air with nothing on it; everything random follows from `seed`.
    init(seed: UInt64, _ executor: BenchExecutor) {
        self.executor = executor
        events = EventPort(executor)
        radio = Radio(executor, seed: seed)
    }

    /// The bench of this air with `board` on it.
    func bench(with board: some BoardOnAir, instruments: (any Instruments)? = nil) async -> Bench {
        self.board = board
        await observeRadio()
        return Bench(
            name: "virtual", executor: executor, board: board, centrals: self, air: self, storage: board,
            instruments: instruments)
    }

    /// Plans nothing any more, and has overheard nothing.
    func restore() async {
        cut = nil
        if eavesdropper != nil { eavesdropper = PasskeyEavesdropper() }
        await observeRadio()
    }

    // MARK: Events

    /// Whether every HCI packet, and every controller that comes or goes, is posted as an event.
    func setPacketObservation(_ isOn: Bool) async {
        observesPackets = isOn
        await observeControllers()
        await observeRadio()
    }

    /// Observes every HCI packet while that is needed: each costs.
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
            post(
                HCIPacketObserved(isFromHost: seen.isFromHost, packet: seen.packet.h4), of: seen.controller,
                at: seen.time)
        }
        overhear(seen)
        checkPowerCut(seen)
    }

    /// Observes the controllers while packets are observed.
    func observeControllers() async {
        guard observesPackets else { return await radio.setControllerObserver(nil) }
        await radio.setControllerObserver { [weak self] change in
            self?.assumeIsolated { $0.receive(change) }
        }
    }

    private func receive(_ change: Radio.ControllerChange) {
        switch change.kind {
        case .added(let address, let company):
            post(
                ControllerAdded(address: "\(address)", company: Int(company)), of: change.controller, at: change.time)
        case .removed: post(ControllerRemoved(), of: change.controller, at: change.time)
        }
    }

    private func post(_ payload: some EventPayload, of controller: ControllerID, at instant: MonotonicInstant) {
        events.post(
            .event(BenchEvent(time: instant, source: "controller \(controller.rawValue)", payload: payload)))
    }

    /// Posts an event of the board, of now.
    nonisolated func post(_ payload: some EventPayload) {
        events.post(.event(BenchEvent(time: executor.now, source: "board", payload: payload)))
    }

    /// The board has another controller, which must be heard as the former one was.
    func controllerChanged() {
        guard path != RadioPath() else { return }
        executor.post { self.assumeIsolated { $0.applyPath() } }
    }
}

extension VirtualAir: CentralProvider {
    nonisolated var abilities: Set<BenchAbility> {
        Set(CentralAbility.allCases.map(BenchAbility.central)).union([.centralAddresses, .severalCentrals])
    }

    func makeCentral(address: DeviceAddress?) async throws -> BenchCentral {
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
