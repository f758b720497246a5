import BenchTesting
import Testing

@Suite(.bench(sketch: "Firmware/Calculator")) struct CalculatorTests {
    let service = BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
    let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
    let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")

    @Test(arguments: [(9, 6, 2, 0x36), (5, 3, 0, 8), (9, 2, 1, 7), (2, 9, 1, 249), (255, 255, 2, 1)])
    func answers(a: UInt8, b: UInt8, operation: UInt8, answer: UInt8) async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            try await link.subscribe(to: output)
            try await link.write([a, b, operation], to: input)
            try await link.expectNotification(of: output, [answer])
            let digits = String(answer, radix: 16)
            try await bench.board.expectConsole("Sending response:   \(digits.count == 1 ? "0" : "")\(digits)")
            #expect(try await link.read(output) == [answer])
        }
    }

    @Test func doesNotHaveItsInputRead() async throws {
        try await withBench(seed: 5) { bench in
            let link = try await bench.central().connect(advertising: service)
            try await bench.expectError(.attError(0x02)) { try await link.read(input) }
        }
    }

    @Test func startsAnewAfterAReset() async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            try await bench.board.reset()
            try await link.expectDisconnect(within: .seconds(30))
            try await bench.board.expectConsole("BLE Service is advertising", within: .seconds(5))
            try await bench.central().scan(advertising: service, name: "Test Peripheral")
        }
    }
}
