import BLECentral
import Bench
import BenchModel
import BenchSuites
import MonotonicTime
import Testing

/// A failure: the steps, the board's behaviour, and the expected report.
struct FailureExample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: String
    var onWrite: WriteBehaviour = sum
    var cause: FailureCause
    var expected: String
    var got: String
    /// From the start of the step to the failure.
    var duration: Duration
    /// The failing step's line; the first step of the case is on line 9.
    var line = 9
}

@Suite("Failures of suites")
struct SuiteRunnerFailureTests {
    static let write = "- write: {to: input, bytes: [1, 2]}\n"

    static let examples: [FailureExample] = [
        FailureExample(
            testDescription: "a wrong value", steps: write + "- expect: {notification: output, bytes: [4]}",
            cause: .assertion, expected: "a notification of output with 0x04 (4) within 1 s",
            got: "0x03 (3), 20 ms before the step", duration: .zero, line: 10),
        FailureExample(
            testDescription: "a wrong value that comes while the step waits",
            steps: "- write: {to: input, bytes: [1], response: false}\n- expect: {notification: output, bytes: []}",
            cause: .assertion, expected: "a notification of output with no bytes within 1 s",
            got: "0x01 (1), after 10 ms",
            duration: .milliseconds(10), line: 10),
        FailureExample(
            testDescription: "no value", steps: "- expect: {indication: output, within: 300 ms}", cause: .timedOut,
            expected: "an indication of output within 300 ms",
            got: "the sketch's characteristic output lacks indicate; it has read, notify",
            duration: .milliseconds(300)),
        FailureExample(
            testDescription: "no value of a characteristic that nobody has subscribed to",
            steps: "- expect: {notification: output, within: 300 ms}", cause: .timedOut,
            expected: "a notification of output within 300 ms",
            got: "none: 'first' has not subscribed to output on this link", duration: .milliseconds(300)),
        FailureExample(
            testDescription: "no value, in spite of a subscription",
            steps: "- subscribe: output\n- expect: {notification: output, within: 300 ms}", cause: .timedOut,
            expected: "a notification of output within 300 ms", got: "none, though 'first' has subscribed to output",
            duration: .milliseconds(300), line: 10),
        FailureExample(
            testDescription: "no second value",
            steps: "- subscribe: output\n" + write
                + "- expect: {notification: output}\n- expect: {notification: output, within: 300 ms}",
            cause: .timedOut, expected: "a notification of output within 300 ms",
            got: "none after a notification of output with 0x03 (3), 20 ms before the step, "
                + "which an earlier step has taken", duration: .milliseconds(300), line: 12),
        FailureExample(
            testDescription: "a console line that is nearly right",
            steps: write + "- expect: {console: \"Sending response:  3\", within: 10 ms}", cause: .timedOut,
            expected: "the console line 'Sending response:  3' within 10 ms",
            got: "no such line among 3; the nearest is 'Sending response:   3', 15 ms before the step",
            duration: .milliseconds(10), line: 10),
        FailureExample(
            testDescription: "another text", steps: write + "- expect: {notification: output, text: A}",
            cause: .assertion, expected: "a notification of output with \"A\" 0x41 within 1 s",
            got: "\"\\u{03}\" 0x03, 20 ms before the step", duration: .zero, line: 10),
        FailureExample(
            testDescription: "a second connection", steps: "- connect: {advertising: service}", cause: .suite,
            expected: "a connection to an advertisement with 'service' (EBC0) within 5 s",
            got: "'first' is connected already: disconnect it before, or connect another with 'as'", duration: .zero),
        FailureExample(
            testDescription: "too many repetitions, computed",
            steps: "- repeat: {times: a * 20000, steps: [read: output]}", cause: .suite,
            expected: "a number of 1...10000", got: "20000", duration: .zero),
        FailureExample(
            testDescription: "console lines in another order",
            steps: write + "- expect: {console: \"Sending response:   3\"}\n- expect: {console: Adding, within: 50 ms}",
            cause: .timedOut, expected: "the console line 'Adding' within 50 ms",
            got: "that line came 25 ms before the step, and an earlier 'expect' has skipped it",
            duration: .milliseconds(50), line: 11),
        FailureExample(
            testDescription: "no line that matches", steps: write + "- expect: {console: /^Mult.*ing/, within: 10 ms}",
            cause: .timedOut, expected: "a console line matching /^Mult.*ing/ within 10 ms",
            got: "no such line among 3; the last is 'Sending response:   3', 15 ms before the step",
            duration: .milliseconds(10), line: 10),
        FailureExample(
            testDescription: "something where nothing may come",
            steps: write + "- expect: {nothing: 1 s, of: notification}",
            cause: .assertion, expected: "no notification within 1 s",
            got: "a notification of output with 0x03 (3), 20 ms before the step", duration: .zero, line: 10),
        FailureExample(
            testDescription: "a panic fails a pending write at once", steps: write,
            onWrite: { bench, _ in
                bench.panic("Guru Meditation Error: LoadProhibited", after: .milliseconds(7))
                return .hang
            }, cause: .panic, expected: "a write of [0x01, 0x02] (1, 2) to input",
            got: "a panic: Guru Meditation Error: LoadProhibited", duration: .milliseconds(7)),
        FailureExample(
            testDescription: "a panic fails a pending expectation at once",
            steps: "- write: {to: input, bytes: [1], response: false}\n- expect: {notification: output}",
            onWrite: { bench, _ in
                bench.panic("Guru", after: .milliseconds(7))
                return .acknowledge(after: .zero)
            }, cause: .panic, expected: "a notification of output within 1 s", got: "a panic: Guru",
            duration: .milliseconds(7), line: 10),
        FailureExample(
            testDescription: "a watchdog ends an advance",
            steps: "- write: {to: input, bytes: [1], response: false}\n- advance: 1 min",
            onWrite: { bench, _ in
                bench.hang("Task watchdog got triggered", after: .seconds(5))
                return .acknowledge(after: .zero)
            }, cause: .watchdog, expected: "the firmware to continue to run",
            got: "a watchdog reset: Task watchdog got triggered", duration: .seconds(5), line: 10),
        FailureExample(
            testDescription: "the link ends while a value is awaited",
            steps: "- write: {to: input, bytes: [1], response: false}\n- expect: {notification: output}",
            onWrite: { bench, _ in
                bench.drop(reason: 0x08, after: .milliseconds(420))
                return .acknowledge(after: .zero)
            }, cause: .linkLost, expected: "a notification of output within 1 s",
            got: "the link ended: 0x08 connection timeout", duration: .milliseconds(420), line: 10),
        FailureExample(
            testDescription: "the link ends after a restart while a value is awaited",
            steps: "- write: {to: input, bytes: [1], response: false}\n- expect: {notification: output}",
            onWrite: { bench, _ in
                bench.print("rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)", after: .milliseconds(5))
                bench.drop(reason: 0x08, after: .milliseconds(420))
                return .acknowledge(after: .zero)
            }, cause: .linkLost, expected: "a notification of output within 1 s",
            got: "the link ended: 0x08 connection timeout; the board restarted, reset reason 0xc (SW_CPU_RESET)",
            duration: .milliseconds(420), line: 10),
        FailureExample(
            testDescription: "the link ends after a restart during a write",
            steps: "- write: {to: input, bytes: [1], response: false}\n- advance: 10 ms\n"
                + "- write: {to: input, bytes: [2]}",
            onWrite: { bench, write in
                guard write.value == [1] else { return .fail(CentralError(.disconnected(reason: 0x08), "lost")) }
                bench.print("rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)", after: .milliseconds(5))
                return .acknowledge(after: .zero)
            }, cause: .linkLost, expected: "a write of 0x02 (2) to input",
            got: "the link ended: 0x08 connection timeout: the board restarted, reset reason 0xc (SW_CPU_RESET)",
            duration: .zero, line: 11),
        FailureExample(
            testDescription: "another reason to disconnect",
            steps: "- write: {to: input, bytes: [1], response: false}\n- expect: {disconnect: 0x13}",
            onWrite: { bench, _ in
                bench.drop(reason: 0x08, after: .milliseconds(420))
                return .acknowledge(after: .zero)
            }, cause: .assertion,
            expected: "a disconnect of 'first', 0x13 remote user terminated connection within 1 s",
            got: "0x08 connection timeout, after 420 ms", duration: .milliseconds(420), line: 10),
        FailureExample(
            testDescription: "an ATT error nobody expects", steps: "- read: input", cause: .assertion,
            expected: "a read of input",
            got: "ATT error 0x02 read not permitted: "
                + "the sketch's characteristic input lacks read; it has write without response, write", duration: .zero),
        FailureExample(
            testDescription: "another ATT error than expected", steps: "- read: input\n- expect: {error: 5}",
            cause: .assertion,
            expected: "a read of input to fail with ATT error 0x05 insufficient authentication",
            got: "ATT error 0x02 read not permitted: "
                + "the sketch's characteristic input lacks read; it has write without response, write", duration: .zero),
        FailureExample(
            testDescription: "success where an ATT error is expected", steps: write + "- expect: {error: 3}",
            cause: .assertion,
            expected: "a write of [0x01, 0x02] (1, 2) to input to fail with ATT error 0x03 write not permitted",
            got: "it succeeded", duration: .milliseconds(30)),
        FailureExample(
            testDescription: "a stack that misbehaves", steps: write,
            onWrite: { _, _ in .fail(CentralError(.protocolViolation, "a response to no request")) },
            cause: .hostStack, expected: "a write of [0x01, 0x02] (1, 2) to input", got: "a response to no request",
            duration: .zero),
        FailureExample(
            testDescription: "a stack that never answers", steps: write, onWrite: { _, _ in .hang },
            cause: .benchFault, expected: "a write of [0x01, 0x02] (1, 2) to input",
            got: "the central did not finish within 60 s",
            duration: .seconds(60)),
        FailureExample(
            testDescription: "no link", steps: "- disconnect\n- read: output", cause: .suite,
            expected: "a read over a link of 'first'", got: "'first' is not connected: connect it before",
            duration: .zero, line: 10),
        FailureExample(
            testDescription: "no such characteristic", steps: "- read: 2A00", cause: .assertion,
            expected: "a read of 2A00", got: "no such characteristic on the board; it has input, output",
            duration: .zero),
        FailureExample(
            testDescription: "another value read", steps: "- read: {from: output, bytes: [1, 2]}", cause: .assertion,
            expected: "a read of output to give [0x01, 0x02] (1, 2)", got: "0x00 (0): 1 byte in place of 2",
            duration: .zero),
        FailureExample(
            testDescription: "another MTU", steps: "- mtu: {offer: 517, effective: 517}", cause: .assertion,
            expected: "an MTU of 517 for an offer of 517", got: "255", duration: .zero),
        FailureExample(
            testDescription: "other characteristics", steps: "- discover: {service: {input: [write]}}",
            cause: .assertion, expected: "'service' to have input (write)",
            got: "input (write without response, write), output (read, notify)", duration: .zero),
        FailureExample(
            testDescription: "no such service", steps: "- discover: {180F: {}}", cause: .assertion,
            expected: "the service 180F on the board", got: "service", duration: .zero),
        FailureExample(
            testDescription: "an advertisement that must not be heard",
            steps: "- scan: {name: Test Peripheral, absent: 1 s}",
            cause: .assertion, expected: "no advertisement with the name 'Test Peripheral' within 1 s",
            got: "24:0A:C4:00:01:10 'Test Peripheral' with services [service]", duration: .milliseconds(30)),
        FailureExample(
            testDescription: "nobody of that name", steps: "- scan: {name: X, within: 1 s}", cause: .timedOut,
            expected: "advertisement with the name 'X' within 1 s",
            got: "heard only 24:0A:C4:00:01:10 'Test Peripheral' with services [service]", duration: .seconds(1)),
        FailureExample(
            testDescription: "a value that cannot be computed", steps: "- write: {to: input, bytes: [7 / (a - 1)]}",
            cause: .suite, expected: "a value", got: "division by zero: 7 / 0", duration: .zero),
        FailureExample(
            testDescription: "a wrong passkey", steps: "- pair: {passkey: 1}", cause: .assertion,
            expected: "a pairing of 'first'", got: "confirm value failed", duration: .seconds(1)),
        FailureExample(
            testDescription: "a pairing that succeeds though it must fail",
            steps: "- pair: {passkey: 123456}\n- expect: {error: confirm value failed}", cause: .assertion,
            expected: "a pairing of 'first' to fail with 0x04 confirm value failed", got: "it succeeded",
            duration: .seconds(1)),
        FailureExample(
            testDescription: "a pairing that fails for another reason",
            steps: "- pair: {passkey: refused}\n- expect: {error: repeated attempts}", cause: .assertion,
            expected: "a pairing of 'first' to fail with 0x09 repeated attempts", got: "passkey entry failed",
            duration: .seconds(1)),
        FailureExample(
            testDescription: "a question that nobody expected", steps: "- pair", cause: .assertion,
            expected: "a pairing that asks only for the inputs in the step",
            got: "it asks to enter a passkey, and the step has no 'passkey'", duration: .seconds(1)),
        FailureExample(
            testDescription: "a passkey that nobody asks for", steps: "- pair: {passkey: 123456, io: none}",
            cause: .assertion, expected: "a pairing of 'first' that asks for a passkey",
            got: "it succeeded and asked for nothing (Just Works): the link is encrypted, but not authenticated",
            duration: .zero),
        FailureExample(
            testDescription: "a comparison that nobody asks for", steps: "- pair: {confirm: true, io: none}",
            cause: .assertion, expected: "a pairing of 'first' that asks for a comparison of numbers",
            got: "it succeeded and asked for nothing (Just Works): the link is encrypted, but not authenticated",
            duration: .zero),
        FailureExample(
            testDescription: "an operation that takes longer than 'within'",
            steps: "- write: {to: input, bytes: [1], within: 20 ms}", cause: .timedOut,
            expected: "a write of 0x01 (1) to input within 20 ms", got: "no answer in that time",
            duration: .milliseconds(20)),
        FailureExample(
            testDescription: "a reboot that takes longer than 'within'", steps: "- reboot: {within: 20 ms}",
            cause: .timedOut, expected: "the step to end within 20 ms", got: "it took 100 ms",
            duration: .milliseconds(100)),
        FailureExample(
            testDescription: "no line with a passkey", steps: "- pair: {passkey: /PIN (.*)/}", cause: .assertion,
            expected: "a pairing that asks only for the inputs in the step",
            got: "a passkey, and no console line matches /PIN (.*)/", duration: .seconds(1)),
        FailureExample(
            testDescription: "less protection than expected",
            steps: "- pair: {io: none}\n- expect: {security: [encrypted, authenticated]}", cause: .assertion,
            expected: "the link of 'first' to be encrypted, authenticated within 1 s",
            got: "encrypted, bonded, key size 16", duration: .seconds(1), line: 10),
        FailureExample(
            testDescription: "bonds with somebody else",
            steps: "- pair: {io: none}\n- expect: {bonds: 0, of: board, within: 20 ms}", cause: .assertion,
            expected: "the board to have 0 bonds within 20 ms", got: "1: first", duration: .milliseconds(20), line: 10),
        FailureExample(
            testDescription: "a servo that jumps",
            steps: write + "- expect: {servo: {from: 0, to: 90}}",
            onWrite: { bench, _ in
                bench.moveServo(to: 0, after: .milliseconds(40))
                bench.moveServo(to: 90, after: .milliseconds(60))
                return .acknowledge(after: .milliseconds(30))
            }, cause: .assertion, expected: "the servo sweeping from 0° to 90° within 1 s",
            got: "at 90° at once, from 0°, after 30 ms", duration: .milliseconds(30), line: 10),
        FailureExample(
            testDescription: "a servo that goes back",
            steps: write + "- expect: {servo: {from: 0, to: 90}}",
            onWrite: { bench, _ in
                for (index, angle) in [0, 40, 30, 90].enumerated() {
                    bench.moveServo(to: angle, after: .milliseconds(40 + 10 * index))
                }
                return .acknowledge(after: .milliseconds(30))
            }, cause: .assertion, expected: "the servo sweeping from 0° to 90° within 1 s",
            got: "at 30° after 40°, after 30 ms", duration: .milliseconds(30), line: 10),
        FailureExample(
            testDescription: "a servo that moves unasked", steps: write + "- expect: {nothing: 1 s, of: servo}",
            onWrite: { bench, _ in
                bench.moveServo(to: 12, after: .milliseconds(40))
                return .acknowledge(after: .milliseconds(30))
            }, cause: .assertion, expected: "no servo within 1 s", got: "the servo at 12°, after 10 ms",
            duration: .milliseconds(10), line: 10),
        FailureExample(
            testDescription: "a servo that does not move", steps: "- expect: {servo: 90, within: 50 ms}",
            cause: .timedOut, expected: "the servo at 90° within 50 ms", got: "no servo moved",
            duration: .milliseconds(50)),
        FailureExample(
            testDescription: "a cut of the power that never comes",
            steps: "- power: {cut: {console: Multiplying}}\n" + write, cause: .assertion,
            expected: "the cut of the power to come before the case ends", got: "it did not", duration: .zero),
        FailureExample(
            testDescription: "a fault that never comes", steps: "- fault: {drop: read response}", cause: .assertion,
            expected: "the fault to come before the case ends", got: "it did not", duration: .zero),
    ]

    @Test("report what was expected, what was received and when", arguments: examples)
    func failure(example: FailureExample) throws {
        let steps = example.steps.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
        let run = try runFake(
            "  - name: \"{a}\"\n    steps:\n" + steps + "\n    each: {a: [1]}\n", onWrite: example.onWrite)
        let failure = try #require(run.failure)
        #expect(failure.cause == example.cause)
        #expect(failure.expected == example.expected)
        #expect(failure.got == example.got)
        #expect(failure.started.duration(to: failure.failed) == example.duration)
        #expect(failure.position.line == example.line)
        #expect(run.result.counts.failed == 1)
    }

    @Test("show the preceding events, oldest first")
    func context() throws {
        let run = try runFake(
            """
              - name: x
                steps:
                  - write: {to: input, bytes: [1]}
                  - expect: {notification: output, bytes: [2]}
            """)
        let failure = try #require(run.failure)
        #expect(failure.step == "expect: {notification: output, bytes: [2]}")
        #expect(
            failure.context.suffix(6).map { type(of: $0.payload).kind }
                == ["step", "write", "console", "notification", "console", "step"])
        #expect(failure.context.map(\.time) == failure.context.map(\.time).sorted())
        #expect(
            failure.context.contains {
                $0.payload as? ConsoleLineReceived == ConsoleLineReceived("Sending response:   1")
            })
    }

    @Test("of one case leave no events for the next")
    func noLeftovers() throws {
        let run = try runFake(
            """
              - {name: a, steps: [write: {to: input, bytes: [1]}]}
              - {name: b, steps: [expect: {nothing: 1 s}]}
            """)
        #expect(run.failure == nil)
    }

    @Test("with a flooded console are bounded")
    func flood() throws {
        let run = try runFake(
            """
              - name: x
                steps:
                  - write: {to: input, bytes: [1]}
                  - advance: 60 s
                  - expect: {console: line 29999}
            """,
            onWrite: { bench, _ in
                for line in 0..<30_000 { bench.print("line \(line)", after: .milliseconds(line)) }
                return .acknowledge(after: .zero)
            })
        #expect(run.failure == nil)
    }

    @Test("are not reported for cases that an interruption prevented")
    func interruption() throws {
        for time in [Duration.zero, .milliseconds(110), .seconds(150)] {
            let run = try runFake(
                """
                  - {name: waits, each: {n: 1...5}, steps: [advance: 1 min]}
                  - {name: never begins, steps: [reset]}
                """, interruptedAt: time)
            #expect(run.failure == nil)
            #expect(run.result.cases.map(\.name) == ["waits"])
            let counts = run.result.counts
            #expect(counts.passed == (time == .seconds(150) ? 2 : 0))
            #expect(counts.passed + counts.skipped == 5)
            #expect(run.result.cases.first?.skipReason == "the run was interrupted")
            // No further step runs.
            #expect(run.result.ended.nanoseconds <= time.wholeNanoseconds + 1_000_000_000)
            #expect(!run.timeline.contains("benchFault"))
        }
    }
}
