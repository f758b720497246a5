import BLECentral
import Bench
import BenchModel
import BenchSuites
import MonotonicTime
import Synchronization
import Testing

@Suite("Running suites")
struct SuiteRunnerTests {
    @Test("connects once for a whole matrix, and every instance passes")
    func matrix() throws {
        let run = try runFake(
            """
              - name: "{a} and {b}"
                each: {a: 0...99, b: [1, 2]}
                steps:
                  - write: {to: input, bytes: [a, b], response: false}
                  - expect: {notification: output, bytes: [a + b]}
                  - expect: {console: "Sending response:   {a + b}"}
            """)
        #expect(run.failure == nil)
        #expect(run.result.counts.passed == 200)
        #expect(run.calls == ["power off", "power on", "0: connect", "0: disconnect"])
    }

    @Test("accepts a notification before the write response, and one before its step")
    func eitherOrder() throws {
        let run = try runFake(
            """
              - name: x
                steps:
                  - write: {to: input, bytes: [1, 2]}
                  - advance: 100 ms
                  - expect: {notification: output, bytes: [3]}
                  - write: {to: input, bytes: [1, 3], response: false}
                  - write: {to: input, bytes: [1, 4], response: false}
                  - expect: {notification: output, bytes: [4]}
                  - expect: {notification: output, bytes: [5]}
                  - expect: {nothing: 100 ms, of: notification}
            """)
        #expect(run.failure == nil)
    }

    @Test("runs 'before' for each case, and again after an instance that changed the state")
    func state() throws {
        let run = try runFake(
            """
              - {name: writes, each: {a: 1...3}, steps: [write: {to: input, bytes: [a]}]}
              - {name: disconnects, each: {a: 1...2}, steps: [disconnect]}
              - {name: alone, before: [], steps: [expect: {console: BLE Service is advertising}]}
            """)
        #expect(run.failure == nil)
        let connected = ["power off", "power on", "0: connect", "0: disconnect"]
        #expect(run.calls == connected + connected + connected + ["power off", "power on"])
    }

    @Test("keeps events after a time-out for the next step")
    func afterTimeout() throws {
        let run = try runFake(
            """
              - name: x
                steps:
                  - expect: {nothing: 100 ms}
                  - write: {to: input, bytes: [2]}
                  - expect: {notification: output, bytes: [2]}
                  - expect: {console: "Sending response:   2"}
            """)
        #expect(run.failure == nil)
    }

    @Test("recovers after a failure, with a fresh board and a fresh link")
    func recovery() throws {
        let run = try runFake(
            """
              - name: fails for {a}
                each: {a: 1...3}
                steps:
                  - write: {to: input, bytes: [a]}
                  - expect: {notification: output, bytes: [3]}
            """)
        #expect(run.result.counts.failed == 2)
        #expect(run.result.failures.map(\.name) == ["fails for 1", "fails for 2"])
        #expect(run.calls.count { $0 == "power on" } == 3)
    }

    @Test("runs 'after' also after a failure")
    func after() throws {
        let run = try runFake(
            "",
            yaml: suiteHead.replacing("cases:", with: "after: [console: bye]\ncases:") + """
                  - {name: fails, steps: [read: {from: output, bytes: [1]}]}
                  - {name: passes, steps: [read: {from: output, bytes: [0]}]}
                """)
        #expect(run.result.counts.failed == 1)
        #expect(run.calls.count { $0 == "type bye" } == 2)
    }

    @Test("skips the remaining instances after too many failures, and reports it")
    func tooManyFailures() throws {
        let run = try runFake(
            """
              - {name: "{a}", each: {a: 0...9}, steps: [read: {from: output, bytes: [1]}]}
              - {name: last, steps: [read: {from: output, bytes: [0]}]}
            """, options: RunOptions(maximumFailuresPerCase: 3))
        #expect(run.result.cases[0].counts.failed == 3)
        #expect(run.result.cases[0].counts.skipped == 7)
        #expect(run.result.cases[0].skipReason == "after 3 failures")
        #expect(run.result.cases[1].counts.passed == 1)
    }

    @Test("skips the remaining instances when 'before' fails")
    func beforeFails() throws {
        let run = try runFake(
            "  - {name: '{a}', each: {a: 0...9}, steps: [read: output]}", isAdvertising: false)
        #expect(run.result.counts.failed == 1)
        #expect(run.result.counts.skipped == 9)
        #expect(run.result.cases[0].skipReason == "its 'before' failed")
        #expect(run.failure?.position == SourcePosition(line: 5, column: 5))
        #expect(
            run.failure?.expected == "a connection to an advertisement with 'service' (EBC0) within 5 s")
        #expect(run.failure?.got.hasPrefix("heard no advertisement; ") == true)
    }

    @Test("keeps events of several centrals separate")
    func centrals() throws {
        let run = try runFake(
            """
              - name: two
                steps:
                  - connect: {name: Test Peripheral, as: second}
                  - write: {to: input, bytes: [4], on: second, response: false}
                  - write: {to: input, bytes: [5], response: false}
                  - expect: {notification: output, bytes: [5]}
                  - expect: {notification: output, bytes: [4], on: second}
                  - expect: {nothing: 50 ms, of: [notification, disconnect]}
            """)
        #expect(run.failure == nil)
        #expect(run.calls.contains("1: connect"))
    }

    @Test("runs only the named instance")
    func selection() throws {
        let cases =
            "  - {name: 'reads {a}', each: {a: 0...9}, steps: [read: output]}\n  - {name: x, steps: [advance: 0 ms]}"
        #expect(
            try runFake(cases, options: RunOptions(selection: CaseSelection(name: "reads 7"))).result.counts.total == 1)
        #expect(
            try runFake(cases, options: RunOptions(selection: CaseSelection(name: "reads {a}"))).result.counts.total
                == 10)
        #expect(
            try runFake(cases, options: RunOptions(selection: CaseSelection(name: "nobody"))).result.counts.total == 0)
    }

    @Test("runs a sample of a matrix, and says of how many")
    func sample() throws {
        let cases = "  - {name: 'reads {a}', tags: [many], each: {a: 0...99}, steps: [read: output]}"
        let result = try runFake(cases, options: RunOptions(selection: CaseSelection(sampleSize: 5))).result.cases[0]
        #expect(result.counts.passed == 5 && result.sampledFrom == 100 && result.tags == ["many"])
    }

    @Test("ends after the given number of failures")
    func maximumFailures() throws {
        let cases = """
              - {name: a, steps: [read: {from: output, bytes: [0]}]}
              - {name: "b {n}", each: {n: 0...4}, steps: [read: {from: output, bytes: [n]}]}
              - {name: c, steps: [read: {from: output, bytes: [1]}]}
            """
        let counts = try runFake(cases, options: RunOptions(maximumFailures: 1)).result.cases.map(\.counts)
        #expect(counts.map(\.passed) == [1, 1] && counts.map(\.failed) == [0, 1] && counts.map(\.skipped) == [0, 3])
        #expect(try runFake(cases, options: RunOptions(maximumFailures: 5)).result.counts.failed == 5)
    }

    @Test("gives the same timeline, byte for byte")
    func determinism() throws {
        let cases = """
              - name: "{a}"
                each: {a: 0...9}
                steps:
                  - write: {to: input, bytes: [a]}
                  - expect: {notification: output, bytes: [a]}
            """
        let first = try runFake(cases)
        #expect(first.timeline == (try runFake(cases)).timeline)
        #expect(first.timeline.split(separator: "\n").count > 60)
        #expect(
            first.timeline.contains(
                #""source":"first","kind":"notification","case":10,"attribute":18,"name":"output","value":"09"}"#))
        #expect(first.timeline.contains(#""source":"suite","kind":"case","case":10,"name":"9"}"#))
    }

    @Test("reports its progress")
    func progress() throws {
        let observer = ProgressObserver()
        _ = try runFake("  - {name: n, each: {a: 0...1023, b: 0...1}, steps: [advance: 0 ms]}", observers: [observer])
        #expect(observer.seen == ["started Fake", "1024/2048", "2048/2048", "n: 2048", "ended 2048"])
    }

    @Test("keeps and reports each instance on request, with the number of its events")
    func instances() throws {
        let observer = ProgressObserver(wantsInstances: true)
        let cases = """
              - {name: "reads {a}", each: {a: 0...1}, steps: [read: {from: output, bytes: [a]}]}
              - {name: others, before: [], steps: [advance: 0 ms]}
            """
        let run = try runFake(
            cases, options: RunOptions(maximumFailuresPerCase: 1, keepsInstances: true), observers: [observer])
        let instances = run.result.cases.flatMap(\.instances)
        #expect(instances.map(\.name) == ["reads 0", "reads 1", "others"])
        #expect(instances.map(\.number) == [1, 2, 3])
        #expect(instances[0].verdict == .passed)
        #expect(run.failure.map { instances[1].verdict == .failed($0) } == true)
        #expect(observer.seen.filter { $0.hasPrefix("instance") } == instances.map { "instance \($0.name)" })
        #expect(run.timeline.contains(#""kind":"case","case":2,"name":"reads 1"}"#))
        #expect(try runFake(cases).result.cases.allSatisfy(\.instances.isEmpty))
    }
}

/// Records the reports of a run.
private final class ProgressObserver: RunObserver {
    private let items = Mutex<[String]>([])
    let wantsInstances: Bool

    init(wantsInstances: Bool = false) {
        self.wantsInstances = wantsInstances
    }

    var seen: [String] { items.withLock { $0 } }

    func receive(_ item: RunItem) {
        let text: String
        switch item {
        case .suiteStarted(let suite): text = "started \(suite.name)"
        case .event: text = "an event that nobody wanted"
        case .advanced(let completed, let suite): text = "\(completed)/\(suite.instanceCount)"
        case .instanceEnded(let instance): text = "instance \(instance.name)"
        case .caseEnded(let result, _): text = "\(result.name): \(result.counts.passed)"
        case .suiteEnded(let result): text = "ended \(result.counts.total)"
        }
        items.withLock { $0.append(text) }
    }
}
