import BLECentral
import BLECentralHCI
import BLECore
import BLEDescriptions
import BLEHost
import BLEPackets
import BLERadio
import BLESimulation
import Bench
import BenchExecutor
import BenchModel
import MonotonicTime

/// A board on the air, and the faults planned for it.
struct PlacedBoard {
    /// The board's name.
    let name: String
    /// The board; the bench owns it.
    weak var board: (any BoardOnAir)?
    /// The path loss and packet loss between the board and all others.
    var path = RadioPath()
    /// The planned cut of its power.
    var cut: PowerCut?
    /// An eavesdropper near the board who receives its pairings.
    var eavesdropper: PasskeyEavesdropper?

    /// The board's controller; `nil` while it has none.
    var controller: ControllerID? { board?.assumeIsolated { $0.controller } }
}

/// The air of the virtual bench, and the centrals on it.
actor VirtualAir {
    /// The first central's address; the next ones are numbered consecutively.
    private static let firstCentralAddress: UInt64 = 0xC0EB_0000_0001

    nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The port for events of the air and of the first board.
    nonisolated let events: EventPort<BoardEvent>
    nonisolated let radio: Radio

    /// The boards, which the bench owns.
    private(set) var boards: [PlacedBoard] = []
    /// The centrals' controllers; every other controller on the radio belongs to a board or a simulated peripheral.
    var centrals: [ControllerID] = []
    /// The planned faults, by the session's number.
    var faults: [Int: RadioFaultID] = [:]
    /// Simulated peripherals, and their controllers.
    var simulations: [(peripheral: SimulatedPeripheral, port: RadioPort)] = []
    /// The seed of the random values of simulated peripherals.
    let seed: UInt64
    /// True if an eavesdropper near each board receives its pairings.
    var isEavesdropping = false
    /// True if HCI packets are posted as events.
    var observesPackets = false

    /// An air without devices; `seed` determines all its randomness.
    init(seed: UInt64, _ executor: BenchExecutor) {
        self.executor = executor
        self.seed = seed
        events = EventPort(executor)
        radio = Radio(executor, seed: seed)
    }

    /// The bench of this air with these boards.
    func bench(with boards: [BenchBoard]) async -> Bench {
        self.boards = boards.map { PlacedBoard(name: $0.name, board: $0.board as? any BoardOnAir) }
        await observeRadio()
        return Bench(name: "virtual", executor: executor, boards: boards, centrals: self, air: self)
    }

    /// Cancels the planned power cut of a board, and forgets the pairings overheard near it.
    func restore(_ board: BoardID) async {
        withBoard(board) { board in
            board.cut = nil
            if board.eavesdropper != nil { board.eavesdropper = PasskeyEavesdropper() }
        }
        await observeRadio()
    }

    /// Changes the state of a board on the air; does nothing for a board that exists only for flashing.
    func withBoard(_ board: BoardID, _ change: (inout PlacedBoard) -> Void) {
        guard boards.indices.contains(board.index) else { return }
        change(&boards[board.index])
    }

    /// The board of a controller that does not belong to a central.
    func board(of controller: ControllerID) -> BoardID? {
        guard !centrals.contains(controller), !simulations.contains(where: { $0.port.id == controller }) else {
            return nil
        }
        guard boards.count > 1 else { return .first }
        return boards.firstIndex { $0.controller == controller }.map(BoardID.init(index:))
    }

    // MARK: Events

    /// Starts or stops posting every HCI packet, and every controller that appears or disappears, as an event.
    func setPacketObservation(_ isOn: Bool) async {
        observesPackets = isOn
        await observeControllers()
        await observeRadio()
    }

    /// Observes HCI packets only while an observer needs them, since each observation takes time.
    func observeRadio() async {
        guard observesPackets || isEavesdropping || boards.contains(where: { $0.cut?.isPDU == true }) else {
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
                ControllerAdded(address: "\(address)", company: Int(company), board: name(ofBoardAt: address)),
                of: change.controller, at: change.time)
        case .removed: post(ControllerRemoved(), of: change.controller, at: change.time)
        }
    }

    /// The name of the board with this address, if there are several boards.
    private func name(ofBoardAt address: DeviceAddress) -> String? {
        guard boards.count > 1 else { return nil }
        return boards.first { $0.board?.bluetoothAddress == address }?.name
    }

    private func post(_ payload: some EventPayload, of controller: ControllerID, at instant: MonotonicInstant) {
        events.post(
            .event(BenchEvent(time: instant, source: "controller \(controller.rawValue)", payload: payload)))
    }

    /// Handles a new controller of a board, which must be observed like the former one.
    func controllerChanged() {
        guard boards.contains(where: { $0.path != RadioPath() }) else { return }
        executor.post { self.assumeIsolated { $0.applyPaths() } }
    }
}

extension VirtualAir: CentralProvider {
    nonisolated var abilities: Set<BenchAbility> {
        Set(CentralAbility.allCases.map(BenchAbility.central)).union([.centralAddresses, .severalCentrals])
    }

    func makeCentral(address: DeviceAddress?) async throws -> BenchCentral {
        let own = Self.firstCentralAddress + UInt64(centrals.count)
        let identity = address ?? DeviceAddress(own, .random)
        // The central uses a random address, so the public address only has to be unique. The controller receives
        // extended advertising, as phones do. A board's firmware chooses the kind of its controller later, when it
        // starts.
        let transport = await radio.attach(
            address: DeviceAddress(own & 0x3FFF_FFFF_FFFF, .public), personality: .extended)
        let central = HCICentral(executor: executor, transport: transport, address: identity)
        try await central.powerOn()
        centrals.append(transport.id)
        applyPaths()
        return BenchCentral(backend: central, identity: identity)
    }
}
