public import Bench
public import Testing

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
                sketch: sketch, place: sourceLocation, seed: seed,
                benches: benches ?? BenchRegistry.ofThisMachine, hasOwnBenches: benches != nil))
    }
}

/// What a test's trait says of its bench.
struct BenchSetup: Sendable {
    /// Of the test in progress.
    @TaskLocal static var current: BenchSetup?

    let sketch: String
    /// Where the trait is: sketches are named as seen from there.
    let place: SourceLocation
    let seed: UInt64
    let benches: @Sendable () throws -> BenchRegistry
    /// Whether the kinds of benches are the trait's own.
    let hasOwnBenches: Bool
}
