import BenchTesting
import Synchronization
import Testing

private let service = BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
private let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
private let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")

@Suite(.bench(sketch: "Firmware/Calculator", seed: 7)) struct WithBenchTests {
    @Test func returnsTheResultOfTheBody() async throws {
        let value = try await withBench { bench in
            try await bench.central().connect(advertising: service).read(output)
        }
        #expect(value == [0])
    }

    @Test func theSeedIsThatOfTheTraitOrOfTheCall() async throws {
        #expect(try await withBench { $0.seed } == 7)
        #expect(try await withBench(seed: 9) { $0.seed } == 9)
    }

    /// The time at which a peer is found depends on the seed only.
    @Test func theSameSeedGivesTheSameRun() async throws {
        func connected(_ seed: UInt64) async throws -> MonotonicInstant {
            try await withBench(seed: seed) { bench in
                _ = try await bench.central().connect(advertising: service)
                return bench.now
            }
        }
        let instants = [try await connected(1), try await connected(2), try await connected(3)]
        #expect(Set(instants).count > 1)
        #expect(try await connected(2) == instants[1])
    }

    @Test func eachBenchIsFresh() async throws {
        for _ in 0..<2 {
            try await withBench { bench in
                let link = try await bench.central().connect(advertising: service)
                #expect(try await link.read(output) == [0])
                try await link.write([9, 6, 2], to: input)
                try await bench.board.expectConsole("Sending response:   36")
            }
        }
    }

    @Test func virtualTimeStopsWhileATestWaitsElsewhere() async throws {
        try await withBench { bench in
            let start = bench.now
            let answer = try await bench.waitElsewhere {
                try await Task.sleep(for: .milliseconds(50))
                return 42
            }
            #expect(answer == 42 && bench.now == start)
        }
    }

    @Test func expectReadComparesTheValue() async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            try await link.expectRead(of: output, [0])
            let failure = await #expect(throws: TestFailure.self) { try await link.expectRead(of: output, [1]) }
            #expect(failure?.failure.expected == "643954A4-A6CC-455C-825C-499190CE7DB0 to be 0x01 (1)")
            #expect(failure?.failure.got == "0x00 (0)")
        }
    }

    @Test func benchesCanBeNested() async throws {
        try await withBench { outer in
            try await withBench { inner in
                _ = try await inner.central().connect(advertising: service)
            }
            _ = try await outer.central().connect(advertising: service)
        }
    }

    @Test func centralsHaveNames() async throws {
        try await withBench { bench in
            let first = try await bench.central()
            let second = try await bench.central("second", usesPrivacy: true)
            #expect(try await bench.central().address() == first.address())
            #expect(try await second.address() != first.address())
        }
    }

    @Test func uuidNamesAreShown() async throws {
        let failure = try #require(
            await #expect(throws: TestFailure.self) {
                try await withBench { bench in
                    try await bench.setNames([output: "output"])
                    let link = try await bench.central().connect(advertising: service)
                    try await link.expectNotification(of: output, [1], within: .milliseconds(50))
                }
            })
        #expect(failure.failure.expected == "a notification of output with 0x01 (1) within 50 ms")
    }
}
