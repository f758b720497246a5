import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import BenchExecutor
import CentralConformance
import Testing

/// The clients on our own host, on the virtual air. `Scripts/test-vm-bluetooth` runs the same cases with BlueZ.
@Suite struct ClientConformanceTests {
    @Test(arguments: ClientConformance.cases) func virtualTime(_ test: ClientConformance.Case) async throws {
        let executor = BenchExecutor()
        let outcome = try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let world = try await ConformanceWorld.start(on: executor, hasClientPeers: true)
            let port = await world.radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let central = Central(HCICentral(executor: executor, transport: port), on: executor)
            try await central.powerOn()
            let outcome = await ClientConformance(central, patience: .seconds(60)).run(test)
            await central.close()
            return outcome
        }
        executor.discardEvents()
        guard case .passed = outcome else {
            Issue.record("\(test.name): \(outcome)")
            return
        }
    }

    @Test func casesHaveNamesOfTheirOwn() {
        #expect(Set(ClientConformance.cases.map(\.name)).count == ClientConformance.cases.count)
    }
}

extension ClientConformance.Case: CustomTestStringConvertible {
    /// The name.
    public var testDescription: String { name }
}
