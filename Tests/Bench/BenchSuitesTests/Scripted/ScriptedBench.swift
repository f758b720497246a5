import BLECentral
import BLECore
import Bench
import BenchExecutor

/// A bench that is not virtual: a board whose console comes from a thread, centrals whose stack answers from another,
/// and the machine's clock. It can do what a board on USB and a phone's stack can, and no more.
actor ScriptedBench: Board, CentralProvider {
    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let events: EventPort<BoardEvent>
    nonisolated let abilities: Set<BenchAbility>
    nonisolated let calculator: ScriptedCalculator
    /// The thread of the centrals' stack.
    nonisolated let stack = WorkerThread("central")
    private var centrals = 0

    init(_ executor: BenchExecutor, lacking: Set<BenchAbility> = []) {
        self.executor = executor
        events = EventPort(executor)
        let board: Set<BenchAbility> = [.power, .reset, .console]
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

    func setPower(_ isOn: Bool) {
        calculator.setPower(isOn)
    }

    func cutPower() {
        calculator.setPower(false)
    }

    func reset() {
        calculator.reset()
    }

    // MARK: CentralProvider

    func makeCentral(address: DeviceAddress?) throws -> BenchCentral {
        guard address == nil else { throw UnsupportedByBench(.centralAddresses) }
        centrals += 1
        return BenchCentral(backend: ScriptedCentral(self, number: centrals), identity: nil)
    }
}
