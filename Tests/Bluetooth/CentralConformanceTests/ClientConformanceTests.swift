import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import BenchExecutor
import CentralConformance
import Synchronization
import Testing

/// The clients on our own host, on the virtual air. `Scripts/test-vm-bluetooth` runs the same cases with BlueZ.
@Suite struct ClientConformanceTests {
    @Test(arguments: ClientConformance.cases) func virtualTime(_ test: ClientConformance.Case) async throws {
        let outcome = try await run { await $0.run(test) }
        guard case .passed = outcome else {
            Issue.record("\(test.name): \(outcome)")
            return
        }
    }

    @Test func severalAtATime() async throws {
        let outcomes = try await run { suite in
            let outcomes = Mutex<[String: Conformance.Outcome]>([:])
            await suite.run { _ in
                true
            } report: { test, outcome, _ in
                outcomes.withLock { $0[test.name] = outcome }
            }
            return outcomes.withLock { $0 }
        }
        #expect(outcomes.count == ClientConformance.cases.count)
        for case (let name, .failed(let why)) in outcomes { Issue.record("\(name): \(why)") }
    }

    @Test func casesHaveNamesOfTheirOwn() {
        #expect(Set(ClientConformance.cases.map(\.name)).count == ClientConformance.cases.count)
    }

    private func run<Result: Sendable>(
        _ body: @escaping @Sendable (ClientConformance) async -> Result
    ) async throws -> Result {
        let executor = BenchExecutor()
        defer { executor.discardEvents() }
        return try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let world = try await ConformanceWorld.start(on: executor, hasClientPeers: true)
            let port = await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let central = Central(HCICentral(executor: executor, transport: port), on: executor)
            try await central.powerOn()
            let result = await body(ClientConformance(central, patience: .seconds(60)))
            await central.close()
            return result
        }
    }
}

extension ClientConformance.Case: CustomTestStringConvertible {
    /// The name.
    public var testDescription: String { name }
}
