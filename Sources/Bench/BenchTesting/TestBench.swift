public import Bench
import BenchExecutor
import BenchModel
public import MonotonicTime
public import Testing

/// The bench of a test: its board or boards, centrals, and time. Valid until the body of `withBench` ends.
///
/// Expectations are as strict as those of suites (`Firmware/SUITES.md`): each event satisfies one expectation, even an
/// event that occurred before the call; the next notification of a characteristic must be the expected one; console
/// lines are searched, and those before the expected one are skipped permanently. A crash of the firmware fails the
/// call in progress at once.
public struct TestBench: Sendable {
    /// The underlying session, for functions that this type lacks, such as faults on the air. Failures of the session
    /// have the source location of `withBench`.
    public let session: BenchSession
    /// Determines all randomness on the virtual bench.
    public let seed: UInt64
    let calls: CallTracker

    init(_ session: BenchSession, seed: UInt64, _ calls: CallTracker) {
        self.session = session
        self.seed = seed
        self.calls = calls
    }

    /// The only board, or the first of several.
    public var board: TestBoard { TestBoard(bench: self, id: .first) }

    /// The board of this name, on a bench with several boards.
    ///
    /// - Throws: ``TestFailure`` when there is none.
    public func board(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> TestBoard {
        let boards = session.bench.boards
        guard let index = boards.firstIndex(where: { $0.name == name }) else {
            let names = boards.map(\.name).joined(separator: ", ")
            throw failure("a board named '\(name)'", got: "the boards \(names)", sourceLocation)
        }
        return TestBoard(bench: self, id: BoardID(index: index))
    }

    /// The abilities of the bench.
    public var abilities: Set<BenchAbility> { session.bench.abilities }

    /// The instant on the bench's clock.
    public var now: MonotonicInstant { session.now }

    /// The central of this name; it is made by the first call that names it.
    ///
    /// - Parameters:
    ///   - name: the name in its events and failures.
    ///   - address: its identity address.
    ///   - usesPrivacy: whether it shows resolvable private addresses.
    public func central(
        _ name: String = "first", address: CentralDescription.Address = .own, usesPrivacy: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TestCentral {
        let description = CentralDescription(name: name, address: address, usesPrivacy: usesPrivacy)
        let id = try await call(sourceLocation) { session in await session.central(description) }
        return TestCentral(bench: self, id: id)
    }

    /// Lets time pass.
    public func advance(by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await call(sourceLocation) { session in
            await session.advance(by: duration)
            await session.skipStates()
        }
    }

    /// Waits for an event outside the bench, e.g. of a file or another program; the bench's virtual time does not
    /// advance meanwhile. `body` must not wait for the bench.
    public func waitElsewhere<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await BenchExecutor.waitElsewhere(body)
    }

    /// Names UUIDs: failures and events then show the names.
    public func setNames(
        _ names: [BLEUUID: String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await call(sourceLocation) { session in await session.setNames(names, showsOthers: true) }
    }

    /// Marks the beginning of the test's steps: ``expectNothing(of:for:sourceLocation:)`` checks the events from here
    /// on.
    public func beginSteps(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await call(sourceLocation) { session in await session.beginSteps() }
    }

    /// Expects no event of these classes during `duration`, and no unexpected one since
    /// ``beginSteps(sourceLocation:)``.
    ///
    /// - Parameter board: the board whose console and servos are checked; `nil`: any board.
    public func expectNothing(
        of classes: Set<EventClass> = Set(EventClass.allCases), by board: TestBoard? = nil, for duration: Duration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(.nothing(classes, of: board?.id), duration, sourceLocation)
    }

    /// Expects that `body` fails with this error of the central's stack, e.g. `.attError(0x05)`.
    ///
    /// - Throws: ``TestFailure`` when it does not fail or fails otherwise.
    public func expectError<Value>(
        _ code: CentralError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Value
    ) async throws {
        do {
            _ = try await body()
        } catch let error as TestFailure where error.failure.error?.code == code {
            return
        } catch let error as TestFailure {
            throw failure(code.name, got: error.failure.got, sourceLocation)
        }
        throw failure(code.name, got: "no error", sourceLocation)
    }

    func failure(_ expected: String, got: String, _ sourceLocation: SourceLocation) -> TestFailure {
        TestFailure(BenchFailure(.assertion, expected: expected, got: got), session, sourceLocation)
    }

    // MARK: Calls

    func expect(
        _ expectation: BenchExpectation, _ timeout: Duration, _ sourceLocation: SourceLocation
    ) async throws {
        try await call(sourceLocation) { session throws(BenchFailure) in
            try await session.expect(expectation, within: timeout)
        }
    }

    /// Calls the session; a failure gets the source location of the call.
    @discardableResult
    func call<Value: Sendable>(
        _ sourceLocation: SourceLocation,
        _ body: (BenchSession) async throws(BenchFailure) -> Value
    ) async throws -> Value {
        guard let number = calls.add(sourceLocation) else {
            throw TestFailure(
                BenchFailure(
                    .benchFault, expected: "a bench in use",
                    got: "the bench of a withBench that has ended: use it only within its body"),
                session, sourceLocation)
        }
        defer { calls.remove(number) }
        do throws(BenchFailure) {
            let value = try await body(session)
            if let crash = await session.failure { throw crash }
            return value
        } catch {
            var failure = error
            if let crash = await session.failure {
                calls.reportCrash()
                // The crash is the cause, whichever error the call has thrown.
                if crash.cause != failure.cause {
                    failure.cause = crash.cause
                    failure.got = crash.got
                }
            }
            throw TestFailure(failure, session, sourceLocation)
        }
    }
}
