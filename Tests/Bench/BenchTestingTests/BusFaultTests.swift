import Bench
import BenchModel
import BenchTesting
import BoardParts
import Testing

/// Faults of I²C buses, and pulses, through the whole stack.
@Suite(.bench(sketch: "Tests/Board/Sketches/BusFaults")) struct BusFaultTests {
    private func run(_ body: @escaping @Sendable (TestBoard) async throws -> Void) async throws {
        try await withBench { bench in
            try await bench.board.wire("climate: {part: bme280}")
            try await bench.board.expectConsole("ready")
            try await body(bench.board)
        }
    }

    private func failure(_ body: @escaping @Sendable (TestBoard) async throws -> Void) async throws -> BenchFailure {
        try await #require(#expect(throws: TestFailure.self) { try await run(body) }).failure
    }

    /// What the sketch prints for a command.
    private static let faults: [(fault: BusFault, command: String, lines: [String])] = [
        (BusFault(.noAcknowledgement(byte: nil)), "p", ["probed 2 in 0 ms", "probed 0 in 0 ms"]),
        (BusFault(.noAcknowledgement(byte: 2)), "w", ["wrote 4 in 0 ms", "wrote 0 in 0 ms"]),
        (
            BusFault(.noAcknowledgement(byte: nil), transaction: 2, isRepeated: true), "p",
            ["probed 0 in 0 ms", "probed 2 in 0 ms", "probed 2 in 0 ms"]
        ),
        (BusFault(.invertedBit(4, byte: 1, isWritten: false)), "i", ["id 70 in 0 ms", "id 60 in 0 ms"]),
        // Register 0xC0 has no identification.
        (BusFault(.invertedBit(4, byte: 1, isWritten: true)), "i", ["id 00 in 0 ms", "id 60 in 0 ms"]),
        (BusFault(.stretchedClock(.milliseconds(20))), "i", ["id 60 in 20 ms", "id 60 in 0 ms"]),
        // Beyond Wire's time-out.
        (BusFault(.stretchedClock(.seconds(2))), "i", ["id 00 in 50 ms", "id 60 in 0 ms"]),
        (BusFault(.heldData(for: .milliseconds(30))), "i", ["id 60 in 29 ms", "id 60 in 0 ms"]),
        (BusFault(.heldData(for: nil)), "p", ["probed 5 in 50 ms", "probed 5 in 50 ms"]),
    ]

    @Test(arguments: faults.indices) func aSketchMeetsTheFault(_ index: Int) async throws {
        let (fault, command, lines) = Self.faults[index]
        try await run { board in
            try await board.plan(fault, of: "climate")
            for line in lines {
                try await board.type(command)
                try await board.expectConsole(line)
            }
        }
    }

    @Test func aHeldLineIsLow() async throws {
        try await run { board in
            try await board.type("d")
            try await board.expectConsole(matching: "sda 1")
            try await board.plan(BusFault(.heldData(for: .milliseconds(40))), of: "climate")
            try await board.type("d")
            try await board.expectConsole(matching: "sda 0")
            try await board.type("i")
            try await board.expectConsole(matching: "id 60")
            try await board.type("d")
            try await board.expectConsole(matching: "sda 1")
        }
    }

    /// A green case must have met its fault.
    @Test func aFaultThatDoesNotComeIsAFailure() async throws {
        let missing = try await failure { board in
            try await board.plan(BusFault(.noAcknowledgement(byte: 9)), of: "climate")
            try await board.type("w")
            try await board.expectConsole(matching: "wrote 0")
        }
        #expect(missing.got == "it did not: transaction 1 with the part had no byte 9 that was written")
        // A fault whose time is over does not come with a later one.
        let over = try await failure { board in
            try await board.plan(BusFault(.heldData(for: .microseconds(1))), of: "climate")
            try await board.type("i")
            try await board.expectConsole(matching: "id 60")
        }
        #expect(over.got.hasPrefix("it did not: there was no transaction on the bus in that time"), "\(over.got)")
        let unknown = try await failure { try await $0.plan(BusFault(.heldData(for: nil)), of: "weather") }
        #expect(unknown.got == "there is no part 'weather'")
    }

    @Test func pulsesAreCountedExactly() async throws {
        let three = PulsePattern(pin: 26, count: 3...3, width: 95_000...105_000)
        try await run { board in
            try await board.type("b")
            try await board.expect(three, within: .seconds(1))
            try await board.expect(PulsePattern(pin: 26, count: 0...0), within: .seconds(1))
        }
        // A tone before a reset is not one after it.
        try await run { board in
            try await board.type("t")
            try await board.expectConsole(matching: "in 1")
            try await board.reset()
            try await board.expectConsole("ready")
            try await board.type("b")
            try await board.expect(three, within: .seconds(1))
        }
        let wrong: [(command: String, pattern: PulsePattern, got: String)] = [
            ("B", three, "4 pulses: "),
            ("bh", three, "3 pulses, and one that has not ended"),
            ("b", PulsePattern(pin: 26, count: 3...3, width: 90_000...95_000), "pulse 1 of 3 is "),
            ("b", PulsePattern(pin: 25, count: 0...0), "the sketch has not made it an output"),
            ("t", PulsePattern(pin: 26, count: 0...0), "it has or had a PWM signal"),
            ("h", PulsePattern(pin: 26, count: 0...0), "0 pulses, and one that has not ended"),
        ]
        for (command, pattern, got) in wrong {
            let failure = try await failure { board in
                try await board.type(command)
                try await board.expect(pattern, within: .seconds(1))
            }
            #expect(failure.got.hasPrefix(got), "\(failure.got)")
        }
    }
}
