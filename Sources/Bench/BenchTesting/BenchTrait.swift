public import Bench
import BenchExecutor
public import BLECore
import ESPImage
import MonotonicTime
public import Testing

#if canImport(BenchVirtual)
    public import BLEPeripheral
    import BenchVirtual
#endif

/// Gives tests a bench: ``withBench(seed:needs:timeLimit:sourceLocation:_:)`` then makes a fresh one.
///
/// The sketch is built, and where the kind of bench allows it flashed, once for all tests of the process that name it.
public struct BenchTrait: SuiteTrait, TestTrait, TestScoping {
    let setup: BenchSetup

    /// Also the tests in suites within the suite.
    public var isRecursive: Bool { true }

    /// Runs a test with the bench that it asks for; failures of it become issues at the call that failed.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        do {
            try await BenchSetup.$current.withValue(setup) { try await function() }
        } catch let failure as TestFailure {
            failure.record()
        }
    }
}

extension Trait where Self == BenchTrait {
    /// A bench whose board runs a sketch.
    ///
    /// The kind of bench is the one that the environment variable `ESPBENCH_BENCH` names; without it, `virtual`.
    ///
    /// - Parameters:
    ///   - sketch: a folder with an `.ino` file of its name: absolute, or as seen from the folder of the test's file or
    ///     one above it.
    ///   - seed: everything random on the virtual bench follows from it; a test can set another.
    ///   - benches: the kinds of benches to choose from; `nil`: ``BenchRegistry/ofThisMachine()``.
    public static func bench(
        sketch: String, seed: UInt64 = 0,
        benches: (@Sendable () throws -> BenchRegistry)? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        BenchTrait(
            setup: BenchSetup(
                board: .sketches(
                    [TestedSketch(board: BenchBoard.onlyName, name: sketch)], place: sourceLocation,
                    benches: benches ?? BenchRegistry.ofThisMachine, hasOwnBenches: benches != nil), seed: seed))
    }

    /// A bench with several boards on one air, each with a sketch: ``TestBench/board(_:)`` has them by their names, in
    /// whose order they are switched on.
    ///
    /// On a kind of bench with fewer boards the test is cancelled, with that reason.
    ///
    /// - Parameters:
    ///   - boards: names of boards, each with its sketch: a folder as for
    ///     ``bench(sketch:seed:benches:sourceLocation:)``.
    ///   - seed: everything random on the virtual bench follows from it, on each board something else; a test can set
    ///     another.
    ///   - benches: the kinds of benches to choose from; `nil`: ``BenchRegistry/ofThisMachine()``.
    public static func bench(
        boards: KeyValuePairs<String, String>, seed: UInt64 = 0,
        benches: (@Sendable () throws -> BenchRegistry)? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        BenchTrait(
            setup: BenchSetup(
                board: .sketches(
                    boards.map { TestedSketch(board: $0.key, name: $0.value) }, place: sourceLocation,
                    benches: benches ?? BenchRegistry.ofThisMachine, hasOwnBenches: benches != nil), seed: seed))
    }

    #if canImport(BenchVirtual)
        /// A bench on the virtual air whose board is a peripheral written in Swift: for tests of the peripheral, or of
        /// programs that use it. It has power, a reset and bonds; there is no console, no flash and no button.
        ///
        /// - Parameters:
        ///   - definition: makes the peripheral, again whenever it is switched on or reset: what its handlers share
        ///     begins afresh.
        ///   - behaviour: its behaviour where the specification leaves a choice or is violated.
        ///   - seed: everything random on the bench follows from it; a test can set another.
        public static func bench(
            peripheral definition: @escaping @Sendable () -> PeripheralDefinition,
            behaviour: HostBehaviour = .specification, seed: UInt64 = 0
        ) -> Self {
            let kind = VirtualBench.kind(behaviour, peripheral: definition)
            return BenchTrait(setup: BenchSetup(board: .peripheral(kind), seed: seed))
        }
    #endif
}

/// The bench that a test's trait describes.
struct BenchSetup: Sendable {
    /// The setup of the test in progress.
    @TaskLocal static var current: BenchSetup?

    let board: TestedBoard
    let seed: UInt64
}

/// A board of a test, and the sketch that it runs.
struct TestedSketch: Sendable {
    /// The board's name.
    let board: String
    /// The sketch's folder.
    let name: String
}

/// The boards of a test.
enum TestedBoard: Sendable {
    /// Boards that run sketches, which are named as seen from `place`; `hasOwnBenches` says whether the kinds of
    /// benches are the trait's own.
    case sketches(
        [TestedSketch], place: SourceLocation, benches: @Sendable () throws -> BenchRegistry, hasOwnBenches: Bool)
    /// A board that cannot be flashed.
    case peripheral(BenchKind)
}

/// Runs `body` with a fresh bench: the board as it was just flashed, switched on, nobody connected.
///
/// The bench has a thread of its own, on which the body runs, and on the virtual bench a time of its own, which passes as
/// fast as the machine can. So tests run side by side; as many as the machine has processors.
///
/// A failure on the bench becomes an issue of the test, at the call that failed, with what happened before it; the test
/// ends there. `#expect` and `#require` work as everywhere. The bench ends with the body.
///
/// - Parameters:
///   - seed: in place of the trait's.
///   - abilities: what the test needs of a bench; on one without it the test is cancelled, with that reason.
///   - timeLimit: how long the body may take, on the bench's clock. A body that waits for what can never happen ends
///     here, as the board's clock goes on; in virtual time these are seconds.
/// - Throws: what `body` throws; ``TestFailure``, which the trait makes an issue.
@discardableResult
public func withBench<Result: Sendable>(
    seed: UInt64? = nil, needs abilities: Set<BenchAbility> = [], timeLimit: Duration = .seconds(600),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (TestBench) async throws -> Result
) async throws -> Result {
    guard let setup = BenchSetup.current else {
        throw TestSetupError(
            "withBench needs the trait .bench(sketch:), .bench(boards:) or .bench(peripheral:) on the test or its suite"
        )
    }
    // Within the body of another bench, the time of that bench does not advance meanwhile.
    let prepared = try await BenchExecutor.waitElsewhere { try await PreparedBenches.ofProcess.bench(for: setup) }
    let run = TestRun(
        prepared: prepared, seed: seed ?? setup.seed, abilities: abilities, timeLimit: timeLimit,
        sourceLocation: sourceLocation)
    return try await BenchSlots.ofProcess.withSlot(of: prepared.kind) { try await run.run(body) }
}

// A test names UUIDs, securities, servos, instants and failures, and defines peripherals, without an import for each.
@_exported public import BLECentral
@_exported public import BLECore
@_exported public import enum BLEHost.HostEvent
@_exported public import struct BLEHost.AdvertisingParameters
@_exported public import struct BLEHost.ConnectionInfo
@_exported public import struct BLEHost.GATTSendStatus
@_exported public import struct BLEHost.SecurityConfiguration
@_exported public import struct BLEPackets.ATTErrorCode
@_exported public import struct BLEPackets.HCIErrorCode
@_exported public import BLEPeripheral
@_exported public import Bench
@_exported public import BenchModel
@_exported public import MonotonicTime
