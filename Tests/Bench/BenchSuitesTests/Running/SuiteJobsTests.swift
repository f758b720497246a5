import Bench
import BenchExecutor
import BenchModel
import BenchSuites
import MonotonicTime
import Synchronization
import Testing

/// Everything that observers receive of a run.
private final class Items: RunObserver {
    private let items = Mutex<[RunItem]>([])
    private let onItem: @Sendable (RunItem) -> Void

    init(onItem: @escaping @Sendable (RunItem) -> Void = { _ in }) {
        self.onItem = onItem
    }

    var wantsEvents: Bool { true }
    var wantsInstances: Bool { true }

    func receive(_ item: RunItem) {
        items.withLock { $0.append(item) }
        onItem(item)
    }

    var all: [RunItem] { items.withLock { $0 } }

    var events: [BenchEvent] { all.compactMap { if case .event(let event) = $0 { event } else { nil } } }

    /// The items without their events, as text.
    var results: [String] {
        all.compactMap { item in
            if case .event = item { return nil }
            return "\(item)"
        }
    }
}

private struct JobsRun {
    var result: Result<SuiteResult, any Error>
    var items: Items
    var timeline: String
    /// The seeds of the benches, by the order in which they were made.
    var seeds: [UInt64]
}

/// A bench that cannot be made.
private struct NoBench: Error {}

@Suite("Suites with a bench for each case")
struct SuiteJobsTests {
    /// A matrix that begins afresh each time and fails often, one that is larger than a unit and fails early and late, a
    /// `before` that fails, a panic, a case that the bench cannot run, and cases that pass.
    private static let cases = """
        - name: passes
          steps:
          - write: {to: input, bytes: [1, 2]}
          - expect: {notification: output, bytes: [3]}
        - name: reconnects {a}
          each: {a: 0...19}
          steps:
          - disconnect
          - connect: {advertising: service}
          - write: {to: input, bytes: [a]}
          - expect: {notification: output, bytes: [a % 3 * a]}
        - name: adds {a}
          each: {a: 0...4199}
          steps:
          - write: {to: input, bytes: [a & 0xff, a >> 8]}
          - expect: {notification: output, bytes: [(a & 0xff) + (a >> 8) & 0xff]}
        - name: panics {a}
          each: {a: [1, 77, 2]}
          steps:
          - write: {to: input, bytes: [a]}
        - name: has no such service
          before:
          - connect: {advertising: EBC1}
          each: {a: [1, 2]}
          steps:
          - write: {to: input, bytes: [a]}
        - name: presses
          steps:
          - button: {pin: 0, press: 10 ms}
        - name: passes again
          steps:
          - write: {to: input, bytes: [1, 2]}

        """.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()

    private static let behaviour: WriteBehaviour = { bench, write in
        if write.value == [77] {
            bench.panic("Guru", after: .milliseconds(3))
            return .hang
        }
        var answer = write.value.reduce(0, &+)
        // Instances 7 and 4100 of the large matrix.
        if write.value == [7, 0] || write.value == [4, 16] { answer += 1 }
        bench.print("Adding", after: .milliseconds(5))
        bench.notify([answer], central: write.central, after: .milliseconds(10))
        return .acknowledge(after: .milliseconds(30))
    }

    private func run(
        jobs: Int, _ options: RunOptions = RunOptions(), failingBench: Int? = nil, interruptedAt: String? = nil
    ) throws -> JobsRun {
        let suite = try Suite(yaml: suiteHead + Self.cases, file: "fake.yaml")
        let bytes = ByteBox()
        let timeline = TimelineWriter(seed: 0) { bytes.append($0) }
        let seeds = Mutex<[UInt64]>([])
        let jobsToInterrupt = Mutex<SuiteJobs?>(nil)
        let items = Items { item in
            guard case .instanceEnded(let instance) = item, instance.name == interruptedAt else { return }
            jobsToInterrupt.withLock { $0 }?.interrupt()
        }
        let runner = SuiteJobs(
            suite, options: options, recorder: EventRecorder(observers: [timeline, items]), jobs: jobs, pace: .virtual
        ) { seed, executor in
            let count = seeds.withLock { seeds in
                seeds.append(seed)
                return seeds.count
            }
            if count == failingBench { throw NoBench() }
            return FakeBench(executor, lacking: [.buttons, .bootButton], onWrite: Self.behaviour).bench
        }
        jobsToInterrupt.withLock { $0 = runner }
        let result = Result { try BenchExecutor(pace: .real).run { try await runner.run() } }
        try timeline.finish()
        return JobsRun(
            result: result, items: items, timeline: String(decoding: bytes.contents, as: UTF8.self),
            seeds: seeds.withLock { $0 })
    }

    @Test("give the same timeline, results and reports with any number of jobs")
    func sameWithAnyNumberOfJobs() throws {
        let options = RunOptions(keepsInstances: true)
        let alone = try run(jobs: 1, options)
        let result = try alone.result.get()
        #expect(result.cases.map(\.counts.passed) == [1, 6, 4198, 2, 0, 0, 1])
        #expect(result.cases.map(\.counts.failed) == [0, 10, 2, 1, 1, 0, 0])
        #expect(result.cases.map(\.counts.skipped) == [0, 4, 0, 0, 1, 1, 0])
        #expect(result.cases[1].skipReason == "after 10 failures")
        #expect(result.cases[4].skipReason == "its 'before' failed")
        let numbers = result.cases.flatMap(\.instances).map(\.number).filter { $0 > 0 }
        #expect(numbers == Array(1...numbers.count))
        let times = alone.items.events.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        for jobs in [2, 4] {
            let beside = try run(jobs: jobs, options)
            #expect(try beside.result.get() == result)
            #expect(beside.timeline == alone.timeline)
            #expect(beside.items.results == alone.items.results)
            #expect(Set(beside.seeds).isSuperset(of: alone.seeds))
        }
        #expect(Set(alone.seeds).count == alone.seeds.count)
    }

    @Test("end after as many failures as they may have, with any number of jobs")
    func failFast() throws {
        var options = RunOptions()
        options.maximumFailures = 2
        let alone = try run(jobs: 1, options)
        #expect(try alone.result.get().cases.map(\.name) == ["passes", "reconnects {a}"])
        #expect(try alone.result.get().counts.failed == 2)
        for jobs in [2, 4] {
            let beside = try run(jobs: jobs, options)
            #expect(beside.timeline == alone.timeline)
            #expect(beside.items.results == alone.items.results)
        }
    }

    @Test(
        "run a case that is selected as it runs among the others",
        arguments: ["reconnects {a}", "panics {a}", "passes again"])
    func selectedCase(name: String) throws {
        func events(_ run: JobsRun, _ result: CaseResult) -> [BenchEvent] {
            let numbers = result.instances.map(\.number)
            let events = run.items.events.filter { $0.time >= result.started && $0.time <= result.ended }
                .filter { $0.caseNumber == 0 || numbers.contains($0.caseNumber) }
            let first = numbers.first ?? 0
            return events.filter { !($0.payload is SuiteBegan) }.map { event in
                var event = event
                event.time = event.time.advanced(by: .zero - MonotonicInstant.zero.duration(to: result.started))
                if event.caseNumber > 0 { event.caseNumber -= first }
                return event
            }
        }
        var options = RunOptions(keepsInstances: true)
        let whole = try run(jobs: 2, options)
        options.selection = CaseSelection(name: name)
        let selected = try run(jobs: 1, options)
        let among = try #require(try whole.result.get().cases.first { $0.name == name })
        let alone = try #require(try selected.result.get().cases.first)
        #expect(alone.counts == among.counts)
        let expected = events(whole, among)
        #expect(expected.count > 5)
        #expect(events(selected, alone) == expected)
    }

    @Test("that are interrupted keep what came before", arguments: [1, 2, 4])
    func interruption(jobs: Int) throws {
        let run = try run(jobs: jobs, interruptedAt: "adds 4098")
        let result = try run.result.get()
        #expect(result.cases.map(\.name) == ["passes", "reconnects {a}", "adds {a}"])
        let last = try #require(result.cases.last)
        #expect(last.counts.total == 4200)
        #expect(last.counts.skipped > 0)
        #expect(last.skipReason == "the run was interrupted")
        let isAnySkipped = run.items.all.contains { item in
            guard case .instanceEnded(let instance) = item, instance.name.hasPrefix("adds") else { return false }
            return instance.number == 0
        }
        #expect(!isAnySkipped)
        guard case .suiteEnded(result) = run.items.all.last else {
            Issue.record("the suite's end was not reported")
            return
        }
    }

    @Test("without a bench for a case report those before it", arguments: [1, 2])
    func noBench(jobs: Int) throws {
        let run = try run(jobs: jobs, failingBench: 1)
        #expect(throws: NoBench.self) { try run.result.get() }
        #expect(run.items.results.contains { $0.hasPrefix("suiteStarted") })
        #expect(!run.items.results.contains { $0.hasPrefix("suiteEnded") })
    }
}
