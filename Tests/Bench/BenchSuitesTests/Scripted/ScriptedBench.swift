import BLECentral
import BLECore
import Bench
import BenchExecutor
import Synchronization

/// A bench that is not virtual: a board whose console is posted from one thread, centrals whose stack answers from
/// another, and the machine's clock. It has the abilities of a board on USB with a phone's stack.
actor ScriptedBench: Board, CentralProvider {
    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let events: EventPort<BoardEvent>
    nonisolated let abilities: Set<BenchAbility>
    nonisolated let calculator: ScriptedCalculator
    nonisolated let misbehaviour: ScriptedCentral.Misbehaviour
    /// The thread of the centrals' stack.
    nonisolated let stack = WorkerThread("central")
    /// The adapter of the centrals, by how often one was plugged in; 0: there is none.
    nonisolated let adapter = Atomic(1)
    private var lastAdapter = 1
    private var isPlugged = true
    private var centrals = 0

    init(_ executor: BenchExecutor, lacking: Set<BenchAbility> = [], misbehaviour: ScriptedCentral.Misbehaviour = []) {
        self.executor = executor
        self.misbehaviour = misbehaviour
        events = EventPort(executor)
        let board: Set<BenchAbility> = [.power, .reset, .console, .severalCentrals]
        abilities = board.union(ScriptedCentral.supported.map { .central($0) }).subtracting(lacking)
        calculator = ScriptedCalculator(console: events)
    }

    nonisolated var bench: Bench {
        Bench(name: "scripted", executor: executor, board: self, centrals: self)
    }

    /// Ends the threads.
    nonisolated func stop() {
        calculator.stop()
        stack.stop()
    }

    // MARK: Board

    func restore() {}

    func setPower(_ isOn: Bool) throws {
        try checkPort()
        calculator.setPower(isOn)
    }

    func cutPower() {
        calculator.setPower(false)
    }

    func reset() throws {
        try checkPort()
        calculator.reset()
    }

    /// Lines that a suite types are what happens to the bench's plugs.
    func type(_ bytes: [UInt8]) throws {
        try checkPort()
        switch String(decoding: bytes, as: UTF8.self) {
        case "unplug the adapter\n":
            adapter.store(0, ordering: .relaxed)
            calculator.loseAir()
        case "plug an adapter in\n":
            lastAdapter += 1
            adapter.store(lastAdapter, ordering: .relaxed)
        case "unplug the board\n":
            isPlugged = false
            calculator.setPower(false)
            events.post(.fault(message: Self.noPort))
        default: break
        }
    }

    private static let noPort = "/dev/ttyUSB0: no such device: it was unplugged"

    private struct PortError: Error, CustomStringConvertible {
        var description: String { ScriptedBench.noPort }
    }

    private func checkPort() throws {
        if !isPlugged { throw PortError() }
    }

    // MARK: CentralProvider

    func makeCentral(address: DeviceAddress?) throws -> BenchCentral {
        guard address == nil else { throw UnsupportedByBench(.centralAddresses) }
        centrals += 1
        let central = ScriptedCentral(self, number: centrals)
        try central.checkAdapter()
        return BenchCentral(backend: central, identity: nil)
    }
}
