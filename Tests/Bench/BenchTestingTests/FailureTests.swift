import BenchTesting
import Foundation
import Synchronization
import Testing

private let service = BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")
private let input = BLEUUID(literal: "C1AB2C55-7914-4140-B85B-879C5E252FE5")
private let output = BLEUUID(literal: "643954A4-A6CC-455C-825C-499190CE7DB0")

/// Failures of tests: each is reported once, at the failed call, and does not affect the next test.
@Suite(.bench(sketch: "Firmware/Calculator")) struct FailureTests {
    private func failure<Value: Sendable>(
        timeLimit: Duration = .seconds(600), _ body: @escaping @Sendable (TestBench) async throws -> Value
    ) async throws -> TestFailure {
        try #require(await #expect(throws: TestFailure.self) { _ = try await withBench(timeLimit: timeLimit, body) })
    }

    /// The bench of another test, after one that failed.
    private func aFreshBenchWorks() async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            #expect(try await link.read(output) == [0])
        }
    }

    @Test func aFailedExpectationIsReportedAtItsCallWithThePrecedingEvents() async throws {
        let line = #_sourceLocation.line + 5
        let failure = try await failure { bench in
            let link = try await bench.central().connect(advertising: service)
            try await link.subscribe(to: output)
            try await link.write([9, 6, 2], to: input)
            try await link.expectNotification(of: output, [0x37])
        }
        #expect(failure.sourceLocation.line == line)
        #expect(failure.failure.cause == .assertion)
        #expect(failure.failure.expected == "a notification of \(output) with 0x37 (55) within 1 s")
        #expect(failure.failure.got.hasPrefix("0x36 (54), "))
        #expect(failure.description.contains("Sending response:   36"))
        try await aFreshBenchWorks()
    }

    @Test func anIssueHasTheSourceLocationOfTheCall() async throws {
        let failure = try await failure { bench in try await bench.board.expectConsole("no such line") }
        withKnownIssue {
            failure.record()
        } matching: { issue in
            issue.sourceLocation == failure.sourceLocation && issue.comments.description.contains("no such line")
                && issue.comments.description.contains("BLE Service is advertising")
        }
    }

    @Test func expectationsInTheBodyAreRecordedForTheTest() async throws {
        try await withKnownIssue {
            try await withBench { bench in
                let link = try await bench.central().connect(advertising: service)
                #expect(try await link.read(output) == [1])
            }
        } matching: {
            $0.description.contains("link.read(output)")
        }
    }

    @Test func aMissingErrorIsAFailure() async throws {
        let failure = try await failure { bench in
            let link = try await bench.central().connect(advertising: service)
            try await bench.expectError(.attError(0x05)) { try await link.read(output) }
        }
        #expect(failure.failure.got == "no error")
    }

    @Test func aButtonHeldToTheEndThatTheSketchCannotNoticeIsAFailure() async throws {
        let failure = try await failure { bench in
            try await bench.board.expectConsole("BLE Service is advertising")
            try await bench.board.setButton(pin: 27, isPressed: true)
        }
        #expect(failure.failure.expected == "the firmware to notice the button held on pin 27")
        try await aFreshBenchWorks()
    }

    // MARK: Bodies that do not end

    @Test func aBodyThatWaitsOutsideTheBenchEndsAtItsTimeLimit() async throws {
        let failure = try await failure(timeLimit: .seconds(20)) { _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        #expect(
            failure.failure.got
                == "after 20 s on the bench's clock it waited for something that is not on the bench, such as Task.sleep: "
                + "bench.advance(by:) lets the bench's time pass, bench.waitElsewhere stops it")
        try await aFreshBenchWorks()
    }

    @Test func aBodyThatWaitsOnAnIdleBenchIsADeadlock() async throws {
        let failure = try await failure { bench in
            try await bench.board.setPower(false)
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        #expect(failure.failure.got.contains("nothing else is scheduled on the bench"))
        try await aFreshBenchWorks()
    }

    @Test func aLongWaitEndsAtTheTimeLimitAtItsCall() async throws {
        let line = #_sourceLocation.line + 2
        let failure = try await failure(timeLimit: .seconds(20)) { bench in
            try await bench.board.expectConsole("never", within: .seconds(1000))
        }
        #expect(failure.sourceLocation.line == line)
        #expect(failure.failure.got == "after 20 s on the bench's clock this call still waited")
    }

    @Test func aCancelledTestEnds() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await withBench(timeLimit: .seconds(1_000_000_000)) { bench in
                start.yield()
                try await bench.board.expectConsole("never", within: .seconds(1_000_000_000))
            }
        }
        for await _ in started { break }
        task.cancel()
        let failure = try #require(await #expect(throws: TestFailure.self) { try await task.value })
        #expect(failure.failure.got == "it was interrupted")
        try await aFreshBenchWorks()
    }

    // MARK: Bodies that leave something behind

    @Test func aBodyThatThrowsDuringAPairingDoesNotAffectTheNextTest() async throws {
        struct Thrown: Error {}
        await #expect(throws: Thrown.self) {
            try await withBench { bench in
                let link = try await bench.central().connect(advertising: service)
                async let pairing = link.pair(passkey: .unanswered)
                try await bench.advance(by: .milliseconds(20))
                if bench.seed == 0 { throw Thrown() }
                _ = try await pairing
            }
        }
        try await aFreshBenchWorks()
    }

    @Test func aCallThatIsNotAwaitedFailsWithTheBench() async throws {
        let line = #_sourceLocation.line + 3
        let failure = try await failure { bench in
            // On the bench's executor, so that it begins before time passes.
            Task(executorPreference: bench.session.bench.executor) { try await bench.board.expectConsole("never") }
            try await bench.advance(by: .milliseconds(20))
        }
        #expect(failure.sourceLocation.line == line)
        #expect(failure.failure.got == "a call that did not: await it")
    }

    @Test func aBenchUsedAfterItsBodyIsAnError() async throws {
        let kept = Mutex<TestBench?>(nil)
        try await withBench { bench in kept.withLock { $0 = bench } }
        let bench = try #require(kept.withLock { $0 })
        let failure = try #require(await #expect(throws: TestFailure.self) { try await bench.board.reset() })
        #expect(failure.failure.got == "the bench of a withBench that has ended: use it only within its body")
    }
}

@Suite struct SetupTests {
    @Test func aTestWithoutTheTraitIsAnError() async throws {
        let error = await #expect(throws: TestSetupError.self) { try await withBench { _ in } }
        #expect(
            error?.description
                == "withBench needs the trait .bench(sketch:), .bench(boards:) or .bench(peripheral:) on the test or its suite"
        )
    }

    @Test(.bench(sketch: "Firmware/Nothing")) func aMissingSketchIsNamed() async throws {
        let error = await #expect(throws: TestSetupError.self) { try await withBench { _ in } }
        #expect(error?.description.hasPrefix("no sketch 'Firmware/Nothing'") == true)
    }
}

/// A crash that no call of the test has reported.
@Suite(.bench(sketch: "Tests/Board/Sketches/CrashInSetup")) struct CrashTests {
    @Test func aCrashThatNoCallReportsFailsTheTest() async throws {
        let failure = try #require(
            await #expect(throws: TestFailure.self) {
                try await withBench { bench in await bench.session.advance(by: .seconds(2)) }
            })
        #expect(failure.failure.cause == .panic)
    }

    @Test func aCrashThatTheTestExpectsIsNoFailure() async throws {
        try await withBench { bench in
            let failure = await #expect(throws: TestFailure.self) { try await bench.advance(by: .seconds(2)) }
            #expect(failure?.failure.cause == .panic)
        }
    }
}

/// Values that the board's Bluetooth host could not send. NimBLE-Arduino tells the sketch only.
@Suite(
    .bench(sketch: "Tests/Board/Sketches/Floods"),
    .disabled(
        if: ProcessInfo.processInfo.environment["ESPBENCH_NIMBLE"] != nil,
        "ESPBENCH_NIMBLE is set: the library tells the sketch only")
) struct LostValueTests {
    @Test func aFailureTellsOfValuesThatWereNotSent() async throws {
        let value = BLEUUID(0xA001)
        let failure = try #require(
            await #expect(throws: TestFailure.self) {
                try await withBench { bench in
                    let link = try await bench.central().connect(advertising: BLEUUID(0xA000))
                    try await link.subscribe(to: value)
                    try await link.write([1], to: value)
                    for _ in 0..<300 { try await link.expectNotification(of: value) }
                }
            })
        #expect(failure.failure.cause == .timedOut)
        #expect(failure.failure.got.contains("the board's Bluetooth host did not send 2"), "\(failure.failure.got)")
    }
}
