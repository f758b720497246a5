import Bench
import BenchModel
import BenchSuites
import MonotonicTime
import Synchronization
import Testing

@Suite("Runs again on a bench with a real radio")
struct RetryTests {
    /// Answers as `sum` does, but the first `count` writes are not answered by a notification.
    private static func deaf(_ count: Int) -> WriteBehaviour {
        let left = Mutex(count)
        return { bench, write in
            let isLost = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isLost ? .acknowledge(after: .milliseconds(1)) : sum(bench, write)
        }
    }

    private static let cases = """
          - name: "adds {a}"
            each: {a: 1...3}
            steps:
              - write: {to: input, bytes: [a]}
              - expect: {notification: output, bytes: [a], within: 1 s}
        """

    @Test("begin on a fresh board, and count a case that passes then as passed at a retry, with its failures")
    func passes() throws {
        let run = try runFake(
            Self.cases, options: RunOptions(retries: 2, keepsInstances: true), onWrite: Self.deaf(2))
        #expect(run.result.counts.passed == 3 && run.result.counts.failed == 0 && run.result.counts.retried == 1)
        let result = run.result.cases[0]
        let retried = try #require(result.retried.first)
        #expect(result.retried.count == 1 && retried.name == "adds 1")
        #expect(retried.parameters.map(\.value) == [1])
        #expect(([retried.failure] + retried.formerFailures).map(\.cause) == [.timedOut, .timedOut])
        #expect(result.instances.map(\.formerFailures.count) == [2, 0, 0])
        #expect(result.instances.allSatisfy { $0.verdict == .passed })
        #expect(run.calls.count { $0 == "power on" } == 3, "a fresh board for each run")
    }

    @Test("fail a case that fails each time, once, with the failures before")
    func fails() throws {
        let run = try runFake(Self.cases, options: RunOptions(retries: 1), onWrite: Self.deaf(3))
        #expect(run.result.counts.failed == 1 && run.result.counts.passed == 2 && run.result.counts.retried == 1)
        let failure = try #require(run.result.failures.first)
        #expect(failure.name == "adds 1" && failure.formerFailures.count == 1)
        #expect(run.result.cases[0].retried.map(\.name) == ["adds 2"])
    }

    @Test("are none for a crash of the firmware")
    func crash() throws {
        let crash: WriteBehaviour = { bench, _ in
            bench.panic("Guru Meditation Error", after: .milliseconds(1))
            return .hang
        }
        let run = try runFake(Self.cases, options: RunOptions(maximumFailuresPerCase: 1, retries: 3), onWrite: crash)
        #expect(run.failure?.cause == .panic)
        #expect(run.result.failures.first?.formerFailures.isEmpty == true)
        #expect(run.calls.count { $0 == "power on" } == 1)
    }

    @Test("are none without the policy")
    func none() throws {
        let run = try runFake(Self.cases, onWrite: Self.deaf(1))
        #expect(run.result.counts.failed == 1 && run.result.counts.retried == 0)
    }
}

@Suite("Benches that are slower than suites say")
struct TimeFactorTests {
    private static let late: WriteBehaviour = { bench, _ in
        bench.notify([1], after: .milliseconds(2500))
        return .acknowledge(after: .milliseconds(1))
    }

    private static let cases = """
          - name: late
            steps:
              - write: {to: input, bytes: [1]}
              - expect: {notification: output, bytes: [1], within: 1 s}
        """

    @Test("have so much more time for what is expected, and failures say so")
    func expectations() throws {
        #expect(try runFake(Self.cases, timeFactor: 3, onWrite: Self.late).failure == nil)
        let failure = try runFake(Self.cases, timeFactor: 2, onWrite: Self.late).failure
        #expect(failure?.cause == .timedOut)
        #expect(failure?.expected == "a notification of output with 0x01 (1) within 2 s (2 × 1 s)")
        #expect(try runFake(Self.cases, onWrite: Self.late).failure?.expected.hasSuffix("within 1 s") == true)
    }

    @Test("do not wait longer for what must not happen")
    func nothing() throws {
        let run = try runFake(
            """
              - name: silent
                steps:
                  - write: {to: input, bytes: [1]}
                  - expect: {nothing: 1 s, of: notification}
              - name: hidden
                before: []
                steps: [scan: {name: Nobody, absent: 2 s}]
            """, timeFactor: 10, onWrite: Self.late)
        #expect(run.failure == nil)
        #expect(run.result.cases[0].started.duration(to: run.result.cases[0].ended) < .seconds(2.5))
    }

    @Test("have more time to find and connect a board")
    func connections() throws {
        let failure = try runFake("  - {name: a, steps: [read: output]}\n", isAdvertising: false, timeFactor: 1.5)
            .failure
        #expect(failure?.expected.hasSuffix("within 7.5 s (1.5 × 5 s)") == true)
    }
}
