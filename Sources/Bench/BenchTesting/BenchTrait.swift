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

/// Describes the bench of tests; ``withBench(seed:needs:timeLimit:sourceLocation:_:)`` makes a fresh bench.
///
/// The sketch is built once for all tests of the process that name it; it is also flashed only once if the kind of
/// bench allows this.
public struct BenchTrait: SuiteTrait, TestTrait, TestScoping {
    let setup: BenchSetup

    /// True: the trait also applies to tests in nested suites.
    public var isRecursive: Bool { true }

    /// Runs a test with the setup of its bench; a failure of the bench becomes an issue at the call that failed.
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
    /// The environment variable `ESPBENCH_BENCH` names the kind of bench; default: `virtual`.
    ///
    /// - Parameters:
    ///   - sketch: a folder with an `.ino` file of the same name: absolute, or relative to the folder of the test's
    ///     file or one above it.
    ///   - seed: determines all randomness on the virtual bench; a test can set another seed.
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

    /// A bench with several boards on one air, each with a sketch: ``TestBench/board(_:)`` returns a board by its name.
    /// The boards are switched on in the given order.
    ///
    /// On a kind of bench with fewer boards the test is cancelled, with that reason.
    ///
    /// - Parameters:
    ///   - boards: names of boards, each with its sketch: a folder as for
    ///     ``bench(sketch:seed:benches:sourceLocation:)``.
    ///   - seed: determines all randomness on the virtual bench, different for each board; a test can set another seed.
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
        /// programs that use it. The board has power, a reset and bonds, but no console, flash or buttons.
        ///
        /// - Parameters:
        ///   - definition: makes the peripheral; called again whenever the board is switched on or reset, so that state
        ///     shared by the handlers is new.
        ///   - behaviour: the peripheral's behaviour where the specification leaves a choice, and its violations of the
        ///     specification.
        ///   - seed: determines all randomness on the bench; a test can set another seed.
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
    /// Boards that run sketches; the sketches' paths are relative to `place`. `hasOwnBenches`: the trait defines its
    /// own kinds of benches.
    case sketches(
        [TestedSketch], place: SourceLocation, benches: @Sendable () throws -> BenchRegistry, hasOwnBenches: Bool)
    /// A board that cannot be flashed.
    case peripheral(BenchKind)
}

/// Runs `body` with a fresh bench: the board in the state after flashing, switched on, without connections.
///
/// The body runs on the bench's own thread. The virtual bench also has its own clock, which runs as fast as the machine
/// allows. So as many tests run in parallel as the machine has processors.
///
/// A failure on the bench becomes an issue of the test, at the call that failed, with the last events; the test ends
/// there. `#expect` and `#require` work as everywhere. The bench ends with the body.
///
/// - Parameters:
///   - seed: replaces the trait's seed.
///   - abilities: the abilities that the test needs; on a bench that lacks one, the test is cancelled, with that
///     reason.
///   - timeLimit: the time limit of the body, on the bench's clock. It ends a body that waits for an event that never
///     occurs; on a virtual bench this takes only seconds of real time.
/// - Throws: the error of `body`; ``TestFailure``, which the trait turns into an issue.
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
    // In the body of another bench, that bench's time does not advance meanwhile.
    let prepared = try await BenchExecutor.waitElsewhere { try await PreparedBenches.ofProcess.bench(for: setup) }
    let run = TestRun(
        prepared: prepared, seed: seed ?? setup.seed, abilities: abilities, timeLimit: timeLimit,
        sourceLocation: sourceLocation)
    return try await BenchSlots.ofProcess.withSlot(of: prepared.kind) { try await run.run(body) }
}

// Exported so that a test can use UUIDs, security levels, servos, instants, failures and peripherals without importing
// each module.
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
