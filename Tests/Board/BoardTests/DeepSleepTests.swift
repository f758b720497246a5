import BenchExecutor
import FirmwareBuild
import MonotonicTime
import Testing
import VirtualBoard

/// Deep sleep, what ends it, and the memory that it keeps.
@Suite struct DeepSleepTests {
    private static let firstStart = "reset 1, cause 0, pins 0, starts 1, resets 1\r\n"

    @Test func theTimerEndsIt() async throws {
        try await run { bench, board, log in
            await board.type(Array("t".utf8))
            try await bench.sleep(.seconds(4.9))
            #expect(log.console.hasSuffix(Self.firstStart), "\(log.console)")
            #expect(log.events.contains(.chip(.asleep)))
            #expect(await board.controller == nil, "the radio is off")
            try await bench.sleep(.seconds(1))
            #expect(log.console.contains("rst:0x5 (DEEPSLEEP_RESET),boot:0x13"), "\(log.console)")
            #expect(log.console.hasSuffix("reset 8, cause 4, pins 0, starts 2, resets 2\r\n"), "\(log.console)")
            #expect(log.ends == [])
        }
    }

    @Test func aPinsLevelEndsIt() async throws {
        try await run { bench, board, log in
            await board.type(Array("0".utf8))
            try await bench.sleep(.seconds(100))
            #expect(log.console.hasSuffix(Self.firstStart), "\(log.console)")
            await board.pressButton(pin: 32)
            try await bench.sleep(.seconds(1))
            #expect(log.console.hasSuffix(Self.firstStart), "another pin")
            await board.pressButton(pin: 33)
            try await bench.sleep(.seconds(1))
            #expect(log.console.hasSuffix("reset 8, cause 2, pins 0, starts 2, resets 2\r\n"), "\(log.console)")
            // The button is still pressed: the next sleep ends at once.
            await board.type(Array("0".utf8))
            try await bench.sleep(.seconds(1))
            #expect(log.console.hasSuffix("reset 8, cause 2, pins 0, starts 3, resets 3\r\n"), "\(log.console)")
        }
    }

    @Test func severalPinsEndIt() async throws {
        try await run { bench, board, log in
            await board.type(Array("1".utf8))
            try await bench.sleep(.seconds(1))
            await board.pressButton(pin: 32)
            try await bench.sleep(.seconds(1))
            #expect(log.console.hasSuffix(Self.firstStart), "all of them have to be low: \(log.console)")
            await board.pressButton(pin: 33)
            try await bench.sleep(.seconds(1))
            #expect(
                log.console.hasSuffix("reset 8, cause 3, pins 300000000, starts 2, resets 2\r\n"), "\(log.console)")
        }
    }

    @Test func aResetOfTheChipKeepsOnlyWhatIsNotInitialized() async throws {
        try await run { bench, board, log in
            await board.type(Array("t".utf8))
            try await bench.sleep(.seconds(7))
            await board.type(Array("r".utf8))
            try await bench.sleep(.seconds(1))
            #expect(log.console.hasSuffix("reset 3, cause 0, pins 0, starts 1, resets 3\r\n"), "\(log.console)")
            try await board.powerOff()
            await board.powerOn()
            try await bench.sleep(.seconds(1))
            #expect(log.console.hasSuffix(Self.firstStart), "\(log.console)")
        }
    }

    private func run(
        _ body: @escaping @Sendable (BoardBench, VirtualBoard, BoardLog) async throws -> Void
    ) async throws {
        let firmware = try await SketchBuilds.shared.build("SleepsDeeply")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the sketch") { log.console.hasSuffix(Self.firstStart) }
            try await body(bench, board, log)
            try await board.powerOff()
        }
    }
}
