import BLECentral
import Bench
import BenchExecutor
import BenchModel
import BenchSuites
import MonotonicTime
import Synchronization

/// The run of a suite on a fake bench, with all its results.
struct FakeRun {
    var result: SuiteResult
    var calls: [String]
    var timeline: String

    /// The first failure.
    var failure: Failure? { result.failures.first?.failure }
}

/// The beginning of every suite here: 6 lines, so that the cases begin on line 7.
let suiteHead = """
    suite: Fake
    sketch: Calculator
    uuids: {service: EBC0, input: C1AB, output: "6439"}
    before:
      - connect: {advertising: service}
    cases:

    """

/// What the values of the fake bench mean, for suites with `description: fake.yaml`.
private let fakeDescription = """
    name: fake
    services:
      sum:
        uuid: EBC0
        characteristics:
          output: {uuid: "6439", properties: [read, notify], type: u8, unit: g}
    """

/// Answers a write with the sum of its bytes, in a notification and on the console.
let sum: WriteBehaviour = { bench, write in
    let answer = write.value.reduce(0, &+)
    bench.print("Adding", after: .milliseconds(5))
    bench.notify([answer], central: write.central, after: .milliseconds(10))
    bench.print("Sending response:   \(answer)", after: .milliseconds(15))
    return .acknowledge(after: .milliseconds(30))
}

/// Runs a suite; `cases` follows ``suiteHead``.
func runFake(
    _ cases: String, options: RunOptions = RunOptions(), isAdvertising: Bool = true, reportsAtOnce: Bool = false,
    yaml: String? = nil,
    observers: [any RunObserver] = [], boards: [String] = [BenchBoard.onlyName], lacking: Set<BenchAbility> = [],
    timeFactor: Double = 1,
    interruptedAt interruption: Duration? = nil, advertisements: [Advertisement] = [],
    onWrite: @escaping WriteBehaviour = sum
) throws -> FakeRun {
    let suite = try Suite(yaml: yaml ?? suiteHead + cases, file: "fake.yaml") { _ in fakeDescription }
    let executor = BenchExecutor()
    let fake = FakeBench(executor, boards: boards, lacking: lacking, timeFactor: timeFactor, onWrite: onWrite)
    let bytes = ByteBox()
    let timeline = TimelineWriter(seed: options.run.seed) { bytes.append($0) }
    let session = BenchSession(on: fake.bench, recorder: EventRecorder(observers: [timeline] + observers))
    let runner = SuiteRunner(suite, in: session, options: options)
    if let interruption {
        executor.schedule(at: .zero.advanced(by: interruption)) {
            runner.assumeIsolated { $0.interrupt() }
        }
    }
    let (result, calls) = try executor.run {
        if !isAdvertising { await fake.stopAdvertising() }
        if reportsAtOnce { await fake.reportAtOnce() }
        await fake.advertise(advertisements)
        await session.start()
        let result = await runner.run()
        return (result, await fake.calls)
    }
    try timeline.finish()
    return FakeRun(result: result, calls: calls, timeline: String(decoding: bytes.contents, as: UTF8.self))
}

extension RunOptions {
    /// Options of a run on the fake bench.
    init(
        selection: CaseSelection = .everything, maximumFailuresPerCase: Int = 10, maximumFailures: Int? = nil,
        retries: Int = 0, requiresAll: Bool = false, keepsInstances: Bool = false
    ) {
        self.init(
            run: RunInformation(seed: 0, bench: "fake"), selection: selection,
            maximumFailuresPerCase: maximumFailuresPerCase, maximumFailures: maximumFailures, retries: retries,
            requiresAll: requiresAll, keepsInstances: keepsInstances)
    }
}

final class ByteBox: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func append(_ more: [UInt8]) {
        bytes.withLock { $0.append(contentsOf: more) }
    }

    var contents: [UInt8] { bytes.withLock { $0 } }
}
