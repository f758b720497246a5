import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import BenchExecutor
import CentralConformance
import Testing

/// The conformance of our own host, in virtual and in real time. `Scripts/test-vm-bluetooth` runs the same cases with
/// BlueZ. They run on threads of their own: one that waits in real time would keep Swift's few from all other tests.
@Suite(.serialized) struct HCIConformanceTests {
    @Test(arguments: Conformance.cases) func virtualTime(_ test: Conformance.Case) async throws {
        try await run(test, BenchExecutor())
    }

    @Test(arguments: Conformance.cases) func realTime(_ test: Conformance.Case) async throws {
        try await run(test, BenchExecutor(pace: .real))
    }

    @Test func casesHaveNamesOfTheirOwn() {
        #expect(Set(Conformance.cases.map(\.name)).count == Conformance.cases.count)
    }

    private func run(_ test: Conformance.Case, _ executor: BenchExecutor) async throws {
        let outcome = try await executor.runOnThread {
            let world = try await ConformanceWorld.start(on: executor)
            let port = await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let central = HCICentral(executor: executor, transport: port)
            let suite = Conformance(central, on: executor, patience: .seconds(10))
            try await central.powerOn()
            return await suite.run(test)
        }
        executor.discardEvents()
        guard case .passed = outcome else {
            Issue.record("\(test.name): \(outcome)")
            return
        }
    }
}

extension Conformance.Case: CustomTestStringConvertible {
    /// The name.
    public var testDescription: String { name }
}
