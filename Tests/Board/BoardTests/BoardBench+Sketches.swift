import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import Synchronization
import Testing
import VirtualBoard

/// What most tests of a sketch begin with.
extension BoardBench {
    /// Runs `body` with a sketch on a powered board, once it has printed `greeting`.
    static func run(
        _ sketch: String, _ nimble: NimBLEChoice = .builtIn, after greeting: String? = nil,
        _ body: @escaping @Sendable (BoardBench, VirtualBoard, BoardLog) async throws -> Void
    ) async throws {
        let firmware = try await SketchBuilds.shared.build(sketch, nimble: nimble)
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            if let greeting {
                try await bench.wait(for: "the sketch") { log.console.hasSuffix(greeting + "\r\n") }
            }
            try await body(bench, board, log)
            try await board.powerOff()
        }
    }

    /// Connects, and lets the board's host make its first requests, of version and features.
    func connect(_ central: HCICentral, to board: VirtualBoard) async throws -> ConnectionID {
        try await connect(central, to: board.bluetoothAddress)
    }

    func connect(_ central: HCICentral, to address: DeviceAddress) async throws -> ConnectionID {
        let connection = try await central.connectAndAccept(to: PeerID(address), within: .seconds(10))
        try await sleep(.milliseconds(200))
        return connection
    }
}

extension HCICentral {
    /// Answers pairings with these passkeys, one after the other, the last one again and again; confirms numbers. Every
    /// event goes to `handler` first.
    nonisolated func answerPairings(
        with passkeys: [UInt32], _ handler: @escaping @Sendable (CentralEvent) -> Void = { _ in }
    ) {
        let rest = Mutex(passkeys)
        events.setHandler(on: executor) { event in
            handler(event)
            guard case .pairingInput(let connection, let input) = event else { return }
            let answer: PairingAnswer
            if case .compareNumbers = input {
                answer = .confirm(true)
            } else {
                let next = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
                answer = next.map { .passkey($0) } ?? .cancel
            }
            self.executor.post {
                self.assumeIsolated { central in
                    do throws(CentralError) {
                        try central.answer(answer, on: connection)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
    }
}
