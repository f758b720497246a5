public import BLECore
public import Bench
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
                board: .sketch(
                    sketch, place: sourceLocation, benches: benches ?? BenchRegistry.ofThisMachine,
                    hasOwnBenches: benches != nil), seed: seed))
    }

    #if canImport(BenchVirtual)
        /// A bench on the virtual air whose board is a peripheral written in Swift: for tests of what is to talk to such
        /// a peripheral, or of the peripheral itself. It has power, a reset and bonds; there is no console, no flash and
        /// no button.
        ///
        /// - Parameters:
        ///   - definition: makes the peripheral, anew whenever it is switched on or reset: what its handlers share
        ///     begins afresh.
        ///   - behaviour: how it takes what the specification leaves open or forbids.
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

/// What a test's trait says of its bench.
struct BenchSetup: Sendable {
    /// Of the test in progress.
    @TaskLocal static var current: BenchSetup?

    let board: TestedBoard
    let seed: UInt64
}

/// What a test's board is.
enum TestedBoard: Sendable {
    /// A board that runs a sketch, which is named as seen from `place`; `hasOwnBenches` says whether the kinds of benches
    /// are the trait's own.
    case sketch(
        String, place: SourceLocation, benches: @Sendable () throws -> BenchRegistry, hasOwnBenches: Bool)
    /// A board that cannot be flashed.
    case peripheral(BenchKind)
}
