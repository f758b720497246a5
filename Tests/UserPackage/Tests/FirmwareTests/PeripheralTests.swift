import BenchTesting
import Testing

private let service = BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
private let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
private let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")

/// The calculator, as a peripheral written in Swift.
private func calculator() -> PeripheralDefinition {
    PeripheralDefinition(
        name: "Swift Calculator",
        services: [
            ServiceDefinition(
                service,
                [
                    CharacteristicDefinition(output, [.read, .notify], value: [0]),
                    CharacteristicDefinition(input, .write, maximumLength: 3) { request, _, peripheral in
                        guard request.count == 3 else { throw ATTErrorCode.invalidAttributeValueLength }
                        let (a, b) = (request[0], request[1])
                        switch request[2] {
                        case 0: try peripheral.update([a &+ b], of: output)
                        case 1: try peripheral.update([a &- b], of: output)
                        case 2: try peripheral.update([a &* b], of: output)
                        default: throw ATTErrorCode.valueNotAllowed
                        }
                    },
                ])
        ])
}

/// A peripheral in Swift in the place of a board: for tests of what talks to it before there is firmware.
@Suite(.bench(peripheral: calculator)) struct PeripheralTests {
    @Test(arguments: [(9, 6, 2, 0x36), (5, 3, 0, 8), (2, 9, 1, 249)] as [(UInt8, UInt8, UInt8, UInt8)])
    func answers(a: UInt8, b: UInt8, operation: UInt8, answer: UInt8) async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            try await link.subscribe(to: output)
            try await link.write([a, b, operation], to: input)
            try await link.expectNotification(of: output, [answer])
            try await bench.expectError(.attError(0x0D)) { try await link.write([1, 2], to: input) }
            try await bench.expectError(.attError(0x13)) { try await link.write([1, 2, 9], to: input) }
        }
    }

    /// A case about the console is skipped: the peripheral has none.
    @Test func runsSuitesInYAML() async throws {
        try await withBench { bench in
            let result = try await bench.runSuite("Suites/peripheral.yaml")
            #expect(result.counts.passed == 258 && result.counts.skipped == 1)
        }
    }
}
