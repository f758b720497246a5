import BenchTesting
import Testing

/// Levels of output pins in tests in Swift.
@Suite(.bench(sketch: "Tests/Board/Sketches/Outputs")) struct OutputPinTests {
    @Test func aLevelIsExpectedForATime() async throws {
        try await withBench { bench in
            try await bench.board.expectPin(26, isHigh: true)
            try await bench.board.expectPin(26, isHigh: false, for: .milliseconds(900))
            try await bench.board.expectPin(25, isHigh: true, for: .seconds(2))
        }
    }

    @Test func anotherLevelOrTimeIsAFailure() async throws {
        for (pin, isHigh, time, got) in [
            (26, false, 3, "it became high, after "), (14, true, 0, "the sketch has not made it an output"),
        ] {
            let failure = try await #require(
                #expect(throws: TestFailure.self) {
                    try await withBench { bench in
                        try await bench.board.expectConsole("ready")
                        try await bench.board.expectPin(pin, isHigh: isHigh, for: .seconds(time))
                    }
                })
            #expect(failure.failure.got.hasPrefix(got), "\(failure.failure.got)")
        }
    }
}
