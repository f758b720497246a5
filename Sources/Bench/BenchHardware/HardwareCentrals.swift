import BLECentral
import BLECentralBackends
import BLECore
import Bench
import BenchExecutor
import BenchModel
import ESPFlasher
import MonotonicTime

/// The centrals of a bench on hardware: those of the Bluetooth stack at an address.
actor HardwareCentrals: CentralProvider {
    private nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let abilities: Set<BenchAbility>
    private let address: CentralAddress
    private let board: SerialBoard
    private var random: SeededRandom
    /// The stack that was opened first: the first central's, or every central's where there is one at a time.
    private var first: BenchCentral?
    /// The stacks that were opened, as long as somebody uses them.
    private var opened: [Opened] = []
    /// Whether their HCI packets are posted as events.
    private var observesPackets = false
    /// The number of the last stack whose packets are posted.
    private var lastController = 0
    /// The peers that the stack had bonds with when the bench was opened.
    private let formerBonds: Set<DeviceAddress>

    /// Opens the stack at `address`.
    ///
    /// - Throws: `CentralOpenError` or `CentralError`.
    static func open(_ address: CentralAddress, for board: SerialBoard, seed: UInt64) async throws -> HardwareCentrals {
        var random = SeededRandom(seed: seed).fork("centrals")
        let identity = address.takesIdentity ? random.identity() : nil
        let backend = try await CentralBackends.open(address, on: board.executor, identity: identity)
        try await backend.powerOn()
        var bonds: Set<DeviceAddress> = []
        if backend.abilities.contains(.bondList) { bonds = Set(try await backend.bonds().map(\.identity)) }
        let first = BenchCentral(backend: backend, identity: identity)
        return HardwareCentrals(address, board, random, first, bonds)
    }

    private init(
        _ address: CentralAddress, _ board: SerialBoard, _ random: SeededRandom, _ first: BenchCentral,
        _ bonds: Set<DeviceAddress>
    ) {
        self.address = address
        self.board = board
        self.random = random
        self.first = first
        opened = [Opened(first.backend)]
        formerBonds = bonds
        executor = board.executor
        var abilities = Set(first.backend.abilities.map(BenchAbility.central))
        if address.takesIdentity { abilities.formUnion([.centralAddresses, .severalCentrals]) }
        self.abilities = abilities
    }

    func makeCentral(address given: DeviceAddress?) async throws -> BenchCentral {
        guard given == nil || address.takesIdentity else { throw UnsupportedByBench(.centralAddresses) }
        if given == nil, var central = first.take(), await Self.isAvailable(central.backend) {
            if !address.takesIdentity { first = central }
            central.foreignBonds = foreignBonds
            return central
        }
        let identity = given ?? (address.takesIdentity ? random.identity() : nil)
        let backend = try await CentralBackends.open(address, on: executor, identity: identity)
        try await backend.powerOn()
        opened.removeAll { $0.backend == nil }
        opened.append(Opened(backend))
        if observesPackets { await observe(backend) }
        let central = BenchCentral(backend: backend, identity: identity, foreignBonds: foreignBonds)
        if !address.takesIdentity { first = central }
        return central
    }

    /// Whether a stack is still there: its adapter may be unplugged, its daemon gone.
    private static func isAvailable(_ backend: any CentralBackend) async -> Bool {
        do throws(CentralError) {
            try await backend.stopScanning()
            return true
        } catch {
            return error.code != .unavailable
        }
    }

    /// Bonds that the user's machine had before, but for one with the board: that has none of its keys any more.
    private var foreignBonds: Set<DeviceAddress> {
        formerBonds.subtracting([board.bluetoothAddress].compactMap { $0 })
    }

    // MARK: Packets

    func setPacketObservation(_ isOn: Bool) async {
        observesPackets = isOn
        for backend in opened.compactMap(\.backend) { await observe(backend) }
    }

    /// Posts the packets of a stack, where it shows them: some do to the system's administrator only.
    private func observe(_ backend: any CentralBackend) async {
        guard let backend = backend as? any PacketObserving else { return }
        guard observesPackets else {
            try? await backend.setPacketObserver(nil)
            return
        }
        lastController += 1
        let (events, executor, source) = (board.events, executor, "controller \(lastController)")
        try? await backend.setPacketObserver { event in
            let payload: any EventPayload =
                switch event {
                case .added(let address, let company):
                    ControllerAdded(address: "\(address)", company: Int(company))
                case .packet(let packet, let isFromHost): HCIPacketObserved(isFromHost: isFromHost, packet: packet)
                case .removed: ControllerRemoved()
                }
            events.post(.event(BenchEvent(time: executor.now, source: source, payload: payload)))
        }
    }

    // MARK: End

    /// Stacks of the system keep their bonds.
    nonisolated var outlivesBench: Bool { true }

    func closeStacks() async {
        for stack in opened { await stack.backend?.close() }
        opened = []
        first = nil
    }

    private struct Opened {
        weak var backend: (any CentralBackend)?

        init(_ backend: any CentralBackend) { self.backend = backend }
    }
}

extension CentralAddress {
    /// Whether each central has a controller of its own, with an address that is chosen here: behind `espbench serve`
    /// each connection has one.
    fileprivate var takesIdentity: Bool {
        if case .h4(.tcp) = self { true } else { false }
    }
}

extension SerialBoard {
    /// The chip's public Bluetooth address; `nil` where the chip does not tell.
    fileprivate nonisolated var bluetoothAddress: DeviceAddress? {
        let mac = identity.macAddress
        guard mac.count == 6 else { return nil }
        // The base address is the Wi-Fi station's; Bluetooth's is the second after it ("MAC Address", ESP-IDF
        // Programming Guide, miscellaneous system APIs).
        return DeviceAddress(mac.reduce(0) { $0 << 8 | UInt64($1) } + 2, .public)
    }
}

extension SeededRandom {
    /// A static random address (Core 5.4, Vol 6 Part B 1.3.2.1).
    fileprivate mutating func identity() -> DeviceAddress {
        DeviceAddress(0xC000_0000_0000 | next() & 0x3FFF_FFFF_FFFF, .random)
    }
}
