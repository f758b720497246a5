import BenchTesting
import Testing

private let service = BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
private let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
private let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")

/// Several calls at a time on one bench.
@Suite(.bench(sketch: "Firmware/Calculator")) struct SideBySideTests {
    @Test func centralsConnectAtOnce() async throws {
        try await withBench { bench in
            let (first, second) = (try await bench.central("first"), try await bench.central("second"))
            async let one = first.connect(advertising: service)
            async let other = second.connect(advertising: service)
            #expect(try await [one.read(output), other.read(output)] == [[0], [0]])
        }
    }

    @Test func aScanHearsWhatItsOwnCentralHears() async throws {
        try await withBench { bench in
            let (first, second) = (try await bench.central("first"), try await bench.central("second"))
            async let one: Void = first.scan(advertising: service)
            async let other: Void = second.expectNoAdvertisement(of: BLEUUID(0x1234), for: .seconds(1))
            _ = try await (one, other)
        }
    }

    @Test func expectationsWaitAtOnce() async throws {
        try await withBench { bench in
            let first = try await bench.central("first").connect(advertising: service)
            let second = try await bench.central("second").connect(advertising: service)
            for link in [first, second] { try await link.subscribe(to: output) }
            async let one: Void = first.expectNotification(of: output, [0x36])
            async let other: Void = second.expectNotification(of: output, [0x08])
            async let line: Void = bench.board.expectConsole("Sending response:   08")
            async let never: Void = bench.board.expectConsole("never", within: .milliseconds(500))
            try await first.write([9, 6, 2], to: input)
            try await second.write([5, 3, 0], to: input)
            _ = try await (one, other, line)
            do {
                try await never
                Issue.record("a line that nobody prints")
            } catch let failure as TestFailure {
                #expect(failure.failure.cause == .timedOut)
            }
        }
    }

    @Test func anExpectationIsMetWhileAnotherWaits() async throws {
        try await withBench { bench in
            let start = bench.now
            async let pause: Void = bench.advance(by: .seconds(3))
            try await bench.board.expectConsole("BLE Service is advertising")
            async let line: Void = bench.board.expectConsole("Sending response:   36", within: .seconds(2))
            let link = try await bench.central().connect(advertising: service)
            try await link.write([9, 6, 2], to: input)
            try await line
            #expect(start.duration(to: bench.now) < .seconds(3))
            try await pause
            #expect(start.duration(to: bench.now) == .seconds(3))
        }
    }
}

/// What a test gets wrong about its bench.
@Suite(.bench(sketch: "Firmware/Calculator")) struct MistakeTests {
    @Test(arguments: [0, 5, -1]) func anAddressOfNoOtherCentral(owner: Int) async throws {
        try await withBench { bench in
            let central = try await bench.central("clone", address: .of(owner))
            let failure = await #expect(throws: TestFailure.self) { try await central.address() }
            #expect(failure?.failure.expected == "the address of another central for 'clone'")
            #expect(failure?.failure.got == "'of(\(owner))', which refers to no central with its own address")
        }
    }

    @Test func aCentralOfAnotherBench() async throws {
        try await withBench { outer in
            let central = try await outer.central()
            try await withBench { inner in
                _ = try await inner.central()
                let failure = await #expect(throws: TestFailure.self) {
                    try await inner.board.forgetBonds(with: central)
                }
                #expect(failure?.failure.got == "one of another bench")
            }
        }
    }

    @Test func aCancellationOfTheBodysOwn() async throws {
        await #expect(throws: CancellationError.self) {
            try await withBench { _ in throw CancellationError() }
        }
    }

    @Test func aFilterOfNothingIsNamed() async throws {
        try await withBench { bench in
            try await bench.board.setPower(false)
            let central = try await bench.central()
            let failure = await #expect(throws: TestFailure.self) { try await central.scan(within: .seconds(1)) }
            #expect(failure?.failure.expected == "advertisement within 1 s")
        }
    }
}
