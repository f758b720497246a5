import Bench
internal import BenchExecutor
import BenchModel
import BoardParts
internal import BLECentral
internal import Console
import LivePage

/// A bench in use by a live page: its parts, and the models that send their states to the page.
struct LiveBenchRun: Sendable {
    /// The interval of updates of the page.
    private static let interval = Duration.milliseconds(50)

    private let session: BenchSession
    private let boards: [LiveBoardModel]
    private let hub: LiveHub
    private let clock: LiveClockModel
    private let central: Central
    private let phone: LivePhoneModel
    private let air: LiveAirModel

    /// The parts for the page's commands.
    var parts: LiveBench { LiveBench(boards: boards, air: air, phone: phone, clock: clock) }

    /// Begins to use `bench`.
    ///
    /// - Parameters:
    ///   - programs: the programs of its boards, in their order; `hardware` is the text for the boards' hardware.
    ///   - observers: also receive its events.
    init(
        _ bench: Bench, _ programs: [LiveProgram], hardware: String, seed: UInt64, observers: [any RunObserver],
        _ names: GATTNames, _ hub: LiveHub
    ) async throws {
        let observer = LiveObserver()
        let recorder = EventRecorder(observers: observers + [observer])
        let session = BenchSession(on: bench, recorder: recorder)
        self.session = session
        self.hub = hub
        boards = programs.enumerated().map { index, program in
            LiveBoardModel(session, BoardID(index: index), program, hardware: hardware, hub)
        }
        observer.setBoards(boards)
        clock = LiveClockModel(executor: bench.executor, hub: hub)
        for (index, program) in programs.enumerated() {
            await session.setSymbols(program.symbols, of: BoardID(index: index))
            try await session.wire(program.parts, to: BoardID(index: index))
        }
        await session.start()
        let backend = try await bench.centrals.makeCentral(address: nil).backend
        central = Central(backend, on: bench.executor)
        let timeline = CentralTimeline(name: names.characteristic) { [executor = bench.executor] payload in
            recorder.record(BenchEvent(time: executor.now, source: "phone", payload: payload))
        }
        await central.addObserver(timeline.observe)
        try await central.powerOn()
        phone = LivePhoneModel(central, seed: seed, names, hub)
        air = LiveAirModel(phone, bench.air, boards: programs.map(\.name), names, hub)
    }

    /// Starts the boards, and sends all changes to the page until the task is cancelled; then ends the bench.
    func run(_ time: LiveTime) async throws {
        // A board that cannot be started is shown in its current state.
        for board in boards {
            do {
                if session.bench.abilities.contains(.power) {
                    try await board.setPower(true)
                } else if session.bench.abilities.contains(.reset) {
                    try await board.reset()
                }
            } catch {
                await board.fail("\(error)")
            }
        }
        try? await air.listen(true)
        while !Task.isCancelled {
            await publishBoards()
            await phone.publish()
            await air.publish()
            clock.publish()
            try? await time.sleep(Self.interval)
        }
        // The clock may be stopped; ending the bench needs a running clock.
        if clock.executor.speed != nil { clock.executor.speed = 100 }
        await central.close()
        await session.end()
    }

    private func publishBoards() async {
        var states: [BoardState] = []
        for board in boards { states.append(await board.current()) }
        hub.set("boards", states)
    }
}

/// The program of a board on a live page.
struct LiveProgram: Sendable {
    /// The program's name on the page and in the timeline.
    var name: String
    /// Resolves the addresses of a crash.
    var symbols: (any AddressResolver)?
    /// The parts that are wired to the board.
    var parts: [WiredPart] = []
}
