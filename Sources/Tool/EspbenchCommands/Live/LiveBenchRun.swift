internal import BLECentral
import Bench
internal import BenchExecutor
import BenchModel
internal import Console
import LivePage
import MonotonicTime

/// A bench in use by a live page: its parts, and what tells the page of them.
struct LiveBenchRun: Sendable {
    /// How often the page is told.
    private static let interval = Duration.milliseconds(50)

    private let session: BenchSession
    private let board: LiveBoardModel
    private let clock: LiveClockModel
    private let central: Central
    private let phone: LivePhoneModel
    private let air: LiveAirModel

    /// The parts for the page's commands.
    var parts: LiveBench { LiveBench(board: board, air: air, phone: phone, clock: clock) }

    /// Begins to use `bench`.
    ///
    /// - Parameters:
    ///   - name: its board's, and `hardware` what runs it.
    ///   - observers: get its events, too.
    init(
        _ bench: Bench, name: String, hardware: String, symbols: (any AddressResolver)?, seed: UInt64,
        observers: [any RunObserver], _ hub: LiveHub
    ) async throws {
        let observer = LiveObserver()
        let recorder = EventRecorder(observers: observers + [observer])
        session = BenchSession(on: bench, recorder: recorder)
        board = LiveBoardModel(session, name: name, hardware: hardware, hub)
        observer.setBoard(board)
        clock = LiveClockModel(executor: bench.executor, hub: hub)
        await session.setSymbols(symbols)
        await session.start()
        let backend = try await bench.centrals.makeCentral(address: nil).backend
        central = Central(RecordingCentral(backend, recorder, bench.executor), on: bench.executor)
        try await central.powerOn()
        phone = LivePhoneModel(central, seed: seed, hub)
        air = LiveAirModel(central, hub)
    }

    /// Starts the board, and tells the page of everything until the task is cancelled; then everything is put away.
    func run(_ time: LiveTime) async throws {
        // A board that cannot be started is shown as it is.
        do {
            if session.bench.abilities.contains(.power) {
                try await board.setPower(true)
            } else if session.bench.abilities.contains(.reset) {
                try await board.reset()
            }
        } catch {
            await board.fail("\(error)")
        }
        try? await air.listen(true)
        while !Task.isCancelled {
            await board.publish()
            await phone.publish()
            await air.publish()
            clock.publish()
            try? await time.sleep(Self.interval)
        }
        // Time may stand; ending takes some.
        if clock.executor.speed != nil { clock.executor.speed = 100 }
        await central.close()
        await session.end()
    }
}
