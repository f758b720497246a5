import Bench
import BenchModel
import BenchSuites
import Testing

@Suite("Running links without discovery, new centrals and repeated steps")
struct SuiteRunnerEarlyLinkTests {
    @Test("uses the attributes of the last discovery by any central")
    func withoutDiscovery() throws {
        let run = try runFake(
            """
              - name: a
                steps:
                  - connect: {advertising: service, as: second, discover: false}
                  - write: {to: input, bytes: [1, 2], on: second}
                  - expect: {notification: output, bytes: [3], on: second}
                  - subscribe: {to: output, on: second}
            """)
        #expect(run.failure == nil)
        // The subscription is a write: the central has not discovered services on this link.
        #expect(run.calls.contains("1: write 0013 [1, 0]") && !run.calls.contains { $0.hasPrefix("1: subscribe") })
        #expect(run.timeline.split(separator: "\n").count { $0.contains("discovered") } == 1)
    }

    @Test("finds a board that a scan reports once, before it has been started")
    func advertisementAtOnce() throws {
        let run = try runFake("  - {name: a, steps: [read: output]}", reportsAtOnce: true)
        #expect(run.failure == nil && run.result.counts.passed == 1)
    }

    @Test("fails if no central has discovered the board")
    func nothingKnown() throws {
        let run = try runFake(
            "",
            yaml: suiteHead.replacing("connect: {", with: "connect: {discover: false, ") + """
                  - name: a
                    steps:
                      - write: {to: input, bytes: [1]}
                """)
        let failure = try #require(run.failure)
        #expect(failure.got == "a link without discovery, and no central has discovered the board before")
    }

    @Test("creates a new central for each connection with address new, and repeats steps")
    func strangers() throws {
        let run = try runFake(
            "",
            yaml: suiteHead.replacing("cases:", with: "centrals: {stranger: {address: new}}\ncases:") + """
                  - name: a
                    each: {n: 3...3}
                    steps:
                      - repeat:
                          times: n
                          steps:
                            - connect: {advertising: service, as: stranger}
                            - pair: {on: stranger, passkey: 123456}
                            - disconnect: stranger
                      - expect: {bonds: 3, of: board}
                """)
        #expect(run.failure == nil)
        #expect((1...3).allSatisfy { number in run.calls.contains("\(number): connect") })
    }

    @Test("bounds nested repetitions")
    func nestedRepetitions() throws {
        func run(_ inner: Int) throws -> FakeRun {
            try runFake(
                """
                  - name: a
                    # What only parameters say is known when it is run.
                    each: {n: [\(inner)]}
                    steps:
                      - repeat: {times: 2, steps: [repeat: {times: n, steps: [repeat: {times: 10, steps: [write: {to: input, bytes: [1]}]}]}]}
                """)
        }
        #expect(try run(5).failure == nil)
        let failure = try #require(try run(5001).failure)
        #expect(failure.cause == .suite && failure.got == "10002 · 10")
        #expect(failure.expected == "nested blocks to repeat at most 100000 times")
    }

    @Test("fails at a stream that turns out to have no bytes")
    func emptyStream() throws {
        for step in ["expect: {stream: output", "write: {to: input, rate: 9600"] {
            let run = try runFake("  - {name: a, each: {n: [0]}, steps: [\(step), bytes: [{repeat: 1, times: n}]}]}")
            let failure = try #require(run.failure)
            #expect(failure.cause == .suite && failure.got == "none")
            #expect(failure.expected == "at least one byte (an empty list tests nothing)")
        }
    }

    @Test("reports the repetition in which a step failed")
    func failureInside() throws {
        let run = try runFake(
            """
              - name: a
                steps:
                  - repeat:
                      times: 5
                      steps:
                        - write: {to: input, bytes: [1]}
                        - repeat: {times: 2, steps: [{expect: {notification: output, bytes: [1]}}]}
            """)
        let failure = try #require(run.failure)
        #expect(failure.position.line == 13)
        #expect(failure.step.hasSuffix("(repetition 2 of 2) (repetition 1 of 5)"), "\(failure.step)")
    }

    @Test("adds a fault that affects every PDU")
    func everyPDU() throws {
        let run = try runFake(
            """
              - name: a
                steps:
                  - fault: {drop: LL_VERSION_IND, from: central, every: true}
                  - write: {to: input, bytes: [1, 2]}
            """)
        #expect(run.failure == nil)
        #expect(run.calls.contains("fault drop at [12] 1 of channel 0, every"), "\(run.calls)")
    }
}
