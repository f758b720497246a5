import BLECentral
import BLECentralBackends
import BLECore
import Bench
import BenchExecutor
import BenchModel
import ESPFlasher
import MonotonicTime

/// The centrals of a bench on hardware, provided by the Bluetooth stacks at its addresses.
///
/// A stack that gives each central its own controller and address provides any number of centrals. Every other stack
/// provides one central, which the cases share one after the other.
actor HardwareCentrals: CentralProvider {
    private nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let abilities: Set<BenchAbility>
    nonisolated let limit: Int?
    private let board: SerialBoard
    private var random: SeededRandom
    /// The stacks opened when the bench was opened.
    private var stacks: [Stack]
    /// The stacks opened later, as long as they are in use.
    private var opened: [Opened] = []
    /// True if HCI packets are posted as events.
    private var observesPackets = false
    /// The number of the last stack whose packets are posted.
    private var lastController = 0

    /// A stack with one central at a time.
    private struct Stack {
        let address: CentralAddress
        var central: BenchCentral
        /// The peers that had bonds with the stack when the bench was opened.
        let formerBonds: Set<DeviceAddress>
        var isTaken = false
    }

    /// Opens the stacks at `addresses`, at least one.
    ///
    /// - Throws: `CentralOpenError` or `CentralError`.
    static func open(_ addresses: [CentralAddress], for board: SerialBoard, seed: UInt64) async throws
        -> HardwareCentrals
    {
        var random = SeededRandom(seed: seed).fork("centrals")
        var stacks: [Stack] = []
        do {
            for address in addresses {
                let identity = address.takesIdentity ? random.identity() : nil
                let backend = try await CentralBackends.open(address, on: board.executor, identity: identity)
                stacks.append(
                    Stack(
                        address: address, central: BenchCentral(backend: backend, identity: identity), formerBonds: []))
                try await backend.powerOn()
                guard backend.abilities.contains(.bondList) else { continue }
                stacks[stacks.count - 1] = Stack(
                    address: address, central: BenchCentral(backend: backend, identity: identity),
                    formerBonds: Set(try await backend.bonds().map(\.identity)))
            }
        } catch {
            for stack in stacks { await stack.central.backend.close() }
            throw error
        }
        return HardwareCentrals(stacks, board, random)
    }

    private init(_ stacks: [Stack], _ board: SerialBoard, _ random: SeededRandom) {
        self.stacks = stacks
        self.board = board
        self.random = random
        executor = board.executor
        let common = stacks.dropFirst().reduce(stacks.first?.central.backend.abilities ?? []) { common, stack in
            common.intersection(stack.central.backend.abilities)
        }
        var abilities = Set(common.map(BenchAbility.central))
        let takesIdentities = stacks.count == 1 && stacks.allSatisfy(\.address.takesIdentity)
        if takesIdentities { abilities.insert(.centralAddresses) }
        if takesIdentities || stacks.count > 1 { abilities.insert(.severalCentrals) }
        self.abilities = abilities
        limit = takesIdentities ? nil : stacks.count
    }

    func makeCentral(address: DeviceAddress?) async throws -> BenchCentral {
        guard let limit else { return try await makeCentral(identity: address) }
        guard address == nil else { throw UnsupportedByBench(.centralAddresses) }
        guard let index = stacks.firstIndex(where: { !$0.isTaken }) else {
            throw UnsupportedByBench(.centrals(limit + 1))
        }
        stacks[index].isTaken = true
        if await !Self.isAvailable(stacks[index].central.backend) {
            let stack = stacks[index]
            let backend = try await CentralBackends.open(
                stack.address, on: executor, identity: stack.central.identity)
            try await backend.powerOn()
            stacks[index].central.backend = backend
            if observesPackets { await observe(backend) }
        }
        var central = stacks[index].central
        central.foreignBonds = foreignBonds(of: stacks[index])
        return central
    }

    func releaseCentrals() {
        for index in stacks.indices where limit != nil { stacks[index].isTaken = false }
    }

    /// A central with a controller of its own; the first central uses the stack that was opened with the bench.
    private func makeCentral(identity given: DeviceAddress?) async throws -> BenchCentral {
        guard let stack = stacks.first else { throw UnsupportedByBench(.severalCentrals) }
        if given == nil, !stack.isTaken {
            stacks[0].isTaken = true
            if await Self.isAvailable(stack.central.backend) { return stack.central }
        }
        let identity = given ?? random.identity()
        let backend = try await CentralBackends.open(stack.address, on: executor, identity: identity)
        try await backend.powerOn()
        opened.removeAll { $0.backend == nil }
        opened.append(Opened(backend))
        if observesPackets { await observe(backend) }
        return BenchCentral(backend: backend, identity: identity)
    }

    /// True if a stack is still available: its adapter may be unplugged, or its daemon stopped.
    private static func isAvailable(_ backend: any CentralBackend) async -> Bool {
        do throws(CentralError) {
            try await backend.stopScanning()
            return true
        } catch {
            return error.code != .unavailable
        }
    }

    /// Bonds that the user's machine had before, except a bond with the board, which no longer has the key.
    private func foreignBonds(of stack: Stack) -> Set<DeviceAddress> {
        stack.formerBonds.subtracting([board.bluetoothAddress].compactMap { $0 })
    }

    // MARK: Packets

    func setPacketObservation(_ isOn: Bool) async {
        observesPackets = isOn
        for backend in stacks.map(\.central.backend) + opened.compactMap(\.backend) { await observe(backend) }
    }

    /// Posts the packets of a stack, if it permits this: some stacks show packets only to an administrator.
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

    /// A system's Bluetooth stack keeps its bonds.
    nonisolated var outlivesBench: Bool { true }

    func closeStacks() async {
        for stack in stacks { await stack.central.backend.close() }
        for stack in opened { await stack.backend?.close() }
        stacks = []
        opened = []
    }

    private struct Opened {
        weak var backend: (any CentralBackend)?

        init(_ backend: any CentralBackend) { self.backend = backend }
    }
}

extension CentralAddress {
    /// True if each central has its own controller, with an address chosen by the bench: `espbench serve` provides one
    /// per connection.
    fileprivate var takesIdentity: Bool {
        if case .h4(.tcp) = self { true } else { false }
    }
}

extension SerialBoard {
    /// The chip's public Bluetooth address; `nil` where the chip does not report it.
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
