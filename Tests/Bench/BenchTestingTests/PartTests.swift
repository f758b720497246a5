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

/// What must be red although the state, or something like it, was there at some time.
@Suite(.bench(sketch: "Tests/Board/Sketches/Outputs")) struct FormerPartStateTests {
    /// Steps after the start, and the reason of the failure; `nil`: they pass.
    private static let cases: [(part: String, expected: StatePattern, got: String?)] = [
        // Lit from setup() on: `off` was the state before any program ran.
        ("{part: led, pin: 25}", .text(part: "x", reading: "state", "off"), "it became on"),
        ("{part: led, pin: 25}", .text(part: "x", reading: "state", "on"), nil),
        ("{part: relay, pin: 25}", .text(part: "x", reading: "state", "off"), "it became on"),
        // A pin that is an output, but has no pulses.
        (
            "{part: servo, pin: 27}", .number(part: "x", reading: "angle", 0...1),
            "the sketch has sent it no pulses: pin 27"
        ),
        (
            "{part: led, pin: 14}", .text(part: "x", reading: "state", "off"),
            "the sketch has not driven pin 14"
        ),
        // It was never addressed.
        ("{part: ssd1306}", .text(part: "x", reading: "power", "off"), "the sketch has not addressed it on its bus"),
        // It blinks for 5 ms in each second, and is dark now.
        ("{part: led, pin: 26}", .text(part: "x", reading: "state", "on"), "it became off"),
    ]

    @Test(arguments: cases.indices) func aFormerStateIsNone(_ index: Int) async throws {
        let (part, expected, got) = Self.cases[index]
        let run = { @Sendable () async throws in
            try await withBench { bench in
                try await bench.board.wire("x: \(part)")
                try await bench.board.expectConsole("ready")
                try await bench.advance(by: .milliseconds(300))
                try await bench.board.expect(expected, within: .milliseconds(100))
            }
        }
        guard let got else { return try await run() }
        let failure = try await #require(#expect(throws: TestFailure.self) { try await run() })
        #expect(failure.failure.got.hasPrefix(got), "\(failure.failure.got)")
    }

    /// After a reset the pins that the former program drove prove nothing.
    @Test func aNewProgramHasDrivenNothing() async throws {
        try await withBench { bench in
            try await bench.board.wire("x: {part: led, pin: 25}")
            try await bench.board.expectConsole("ready")
            try await bench.board.reset()
            let failure = try await #require(
                #expect(throws: TestFailure.self) {
                    try await bench.board.expect(
                        .text(part: "x", reading: "state", "off"), within: .milliseconds(20))
                })
            #expect(!failure.failure.got.isEmpty)
        }
    }
}

/// A sketch as an I²C slave in tests in Swift.
@Suite(.bench(sketch: "Tests/Board/Sketches/Slave")) struct SlaveTests {
    @Test func aSlaveIsWrittenToAndRead() async throws {
        try await withBench { bench in
            try await bench.board.expectConsole("ready")
            try await bench.board.transfer(address: 0x28, write: [2, 0x99])
            #expect(try await bench.board.transfer(address: 0x28, read: 3) == [0x99, 0x44, 0x11])
            try await bench.board.expectNoAcknowledgement(ofAddress: 0x29)
        }
        await #expect(throws: TestFailure.self) {
            try await withBench { bench in
                try await bench.board.expectConsole("ready")
                try await bench.board.transfer(address: 0x30, write: [1])
            }
        }
    }
}
