import BenchTesting
import Synchronization
import Testing

private let service = BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
private let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
private let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")

/// Two boards with one sketch on one air.
@Suite(.bench(boards: ["left": "Firmware/Calculator", "right": "Firmware/Calculator"], seed: 3))
struct SeveralBoardsTests {
    @Test func aCentralUsesBothOneAfterTheOther() async throws {
        try await withBench { bench in
            let (left, right) = (try bench.board("left"), try bench.board("right"))
            for (board, other) in [(left, right), (right, left)] {
                let link = try await bench.central().connect(advertising: service, board: board)
                try await link.subscribe(to: output)
                try await link.write([9, 6, 2], to: input)
                try await link.expectNotification(of: output, [0x36])
                try await board.expectConsole("Sending response:   36")
                try await bench.beginSteps()
                try await bench.expectNothing(of: [.console], by: other, for: .milliseconds(100))
                try await link.disconnect()
                try await bench.advance(by: .milliseconds(500))
                try await board.expectConsole("BLE Client Disconnected")
            }
        }
    }

    @Test func eachHasItsOwnPower() async throws {
        try await withBench { bench in
            let (left, right) = (try bench.board("left"), try bench.board("right"))
            let one = try await bench.central("one").connect(advertising: service, board: left)
            let other = try await bench.central("other").connect(advertising: service, board: right)
            try await left.setPower(false)
            try await one.expectDisconnect(reason: 0x08, within: .seconds(30))
            try await other.write([1, 2, 0], to: input)
            try await right.expectConsole("Sending response:   03")
            #expect(try await other.read(output) == [3])
            try await left.setPower(true)
            try await left.expectConsole("BLE Service is advertising", within: .seconds(5))
        }
    }

    @Test func aBoardThatThereIsNotIsAFailure() async throws {
        try await withBench { bench in
            let failure = #expect(throws: TestFailure.self) { try bench.board("middle") }
            #expect(failure?.failure.got == "the boards left, right")
        }
    }

    /// Everything that happens follows from the seed, also what the two boards do to each other on the air.
    @Test func theSameSeedGivesTheSameTimeline() async throws {
        func timeline(_ seed: UInt64) async throws -> [BenchEvent] {
            try await withBench(seed: seed) { bench in
                for (name, board) in [("one", "left"), ("other", "right")] {
                    let link = try await bench.central(name).connect(
                        advertising: service, board: try bench.board(board))
                    try await link.write([1, 2, 0], to: input)
                    try await bench.board(board).expectConsole("Sending response:   03")
                }
                return bench.session.recorder.recentEvents
            }
        }
        let first = try await timeline(1)
        #expect(Set(first.map(\.source)).isSuperset(of: ["left", "right", "one", "other"]))
        #expect(!first.contains { $0.source == "board" || $0.source == "console" })
        #expect(try await timeline(1) == first)
        #expect(try await timeline(2).map(\.time) != first.map(\.time))
    }
}

@Suite(.bench(boards: ["calculator": "Firmware/Calculator", "faulty": "Tests/Board/Sketches/AbortInCallback"]))
struct CrashOfOneBoardTests {
    @Test func isNamedAndTheOtherBoardRunsOn() async throws {
        try await withBench { bench in
            let good = try await bench.central("good").connect(advertising: service)
            let bad = try await bench.central("bad").connect(advertising: BLEUUID(0xA000))
            try await good.write([1, 2, 0], to: input)
            try await bench.board("calculator").expectConsole("Sending response:   03")
            let failure = await #expect(throws: TestFailure.self) {
                try await bad.write([1], to: BLEUUID(0xA001))
                try await bench.advance(by: .seconds(5))
            }
            #expect(failure?.failure.cause == .panic)
            #expect(failure?.failure.got.hasPrefix("a panic of 'faulty': abort() was called") == true)
            await bench.session.beginCase()
            try await good.write([2, 2, 0], to: input)
            try await bench.board("calculator").expectConsole("Sending response:   04")
            try await bench.board("faulty").expectConsole(matching: "^rst:|Rebooting", within: .seconds(5))
        }
    }
}
