import Bench
import BenchModel
import BenchTesting
import BoardParts
import Testing

/// Parts in tests in Swift.
@Suite(.bench(sketch: "Firmware/Climate")) struct PartTests {
    private static let parts = """
        sensor: {part: bme280}
        battery: {part: divider, pin: 34}
        led: {part: led, pin: 26}
        """

    @Test func partsAreWiredSetAndExpected() async throws {
        try await withBench { bench in
            try await bench.board.wire(Self.parts)
            try await bench.board.set("sensor", "temperature", to: 29)
            try await bench.board.expectConsole(matching: #"^Measurement 1: 29\.0\d C"#)
            try await bench.board.setPlugged("sensor", false)
            #expect(await bench.board.reading("led") == .word("off"))
        }
    }

    @Test func whatIsNotSoIsAFailure() async throws {
        let failure = try await #require(
            #expect(throws: TestFailure.self) {
                try await withBench { bench in
                    try await bench.board.wire(Self.parts)
                    try await bench.board.expect(
                        .text(part: "led", reading: "state", "on"), within: .milliseconds(200))
                }
            })
        #expect(failure.failure.expected.hasPrefix("led.state on"), "\(failure.failure)")
        await #expect(throws: TestFailure.self) {
            try await withBench { bench in try await bench.board.wire("led: {part: lad, pin: 26}") }
        }
    }
}
