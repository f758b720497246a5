import BLECentral
import Bench
import BenchModel
import BenchSuites
import Testing

@Suite("Benches that lack abilities")
struct AbilityTests {
    private static let cases = """
          - {name: reads, steps: [read: output]}
          - {name: "loses {n}", each: {n: 1...3}, steps: [radio: {loss: n}]}
          - {name: reads again, steps: [read: output]}
        """

    @Test("skip a case that needs more, count it, and report what it needs")
    func skips() throws {
        let run = try runFake(Self.cases, lacking: [.airControl, .powerCut, .eavesdropping])
        #expect(run.failure == nil)
        #expect(run.result.counts.passed == 2 && run.result.counts.skipped == 3)
        #expect(run.result.cases.map(\.skipReason) == [nil, "needs: air control", nil])
        #expect(!run.calls.contains { $0.hasPrefix("air") })
        #expect(run.calls.count { $0 == "power on" } == 2, "the board is not switched on for it")
    }

    @Test("fail such a case once with --require-all, and skip its other instances")
    func requiresAll() throws {
        let run = try runFake(
            Self.cases, options: RunOptions(requiresAll: true), lacking: [.airControl, .powerCut, .eavesdropping])
        let counts = run.result.counts
        #expect(counts.passed == 2 && counts.failed == 1 && counts.skipped == 2)
        #expect(run.result.cases[1].skipReason == "needs: air control")
        let failure = try #require(run.failure)
        #expect(failure.cause == .benchFault)
        #expect(failure.expected == "a bench that can run the case" && failure.got == "needs: air control")
        #expect(failure.position.line == 8)
        #expect(run.result.failures.first?.name == "loses 1")
    }

    @Test("report every missing ability, also of 'before', 'after' and repeated steps")
    func needs() throws {
        let yaml = suiteHead.replacing("cases:", with: "after: [button: press]\ncases:")
        let run = try runFake(
            "",
            yaml: yaml + """
                  - name: a
                    before:
                      - connect: {advertising: service}
                      - mtu: {offer: 185}
                    steps:
                      - repeat: {times: 2, steps: [att: {send: [0x0a]}]}
                """, lacking: [.bootButton, .central(.mtuExchange), .central(.rawATT)])
        #expect(
            run.result.cases[0].skipReason
                == "needs: a BOOT button on pin 0, a central with MTU exchange on request, a central with raw ATT")
    }

    @Test("reset the board before each case if its power cannot be switched")
    func noPower() throws {
        let run = try runFake(
            """
              - {name: reads, steps: [read: {from: output, bytes: [0]}]}
              - {name: boots, before: [], steps: [expect: {console: BLE Service is advertising}]}
              - {name: cycles, steps: [power: cycle]}
            """, lacking: [.power])
        #expect(run.failure == nil)
        #expect(run.result.counts.passed == 2)
        #expect(run.result.cases[2].skipReason == "needs: power")
        #expect(run.calls == ["reset", "0: connect", "0: disconnect", "reset"])
    }

    @Test("skip a case with several centrals where there is one, whichever steps speak of them")
    func oneCentral() throws {
        let run = try runFake(
            """
              - {name: one, steps: [read: output]}
              - {name: two, steps: [connect: {advertising: service, as: second}]}
              - {name: another, before: [], steps: [scan: {advertising: service, as: second}]}
            """, lacking: [.severalCentrals])
        #expect(run.failure == nil)
        #expect(run.result.cases.map(\.skipReason) == [nil, "needs: several centrals at a time", nil])
    }

    @Test("skip a case whose error they hide, or that pairs as they do not let it choose")
    func hiddenErrors() throws {
        let run = try runFake(
            """
              - {name: plain, steps: [read: output, expect: {error: 0x02}]}
              - {name: secret, steps: [read: output, expect: {error: 0x05}]}
              - {name: pairs, steps: [pair: {passkey: 1}, expect: {error: confirm value failed}]}
              - {name: legacy, steps: [pair: {passkey: 1, secure connections: off}]}
              - {name: short, steps: [pair: {passkey: 1, key size: 7}]}
              - {name: encrypts, steps: [encrypt: first]}
              - {name: lost, steps: [encrypt: first, expect: {error: key missing}]}
              - {name: plain link, steps: [expect: {security: none}]}
              - {name: named, steps: [read: 2A00]}
              - {name: early, before: [], steps: [connect: {advertising: service, discover: false}]}
            """,
            lacking: [
                .central(.attErrors), .central(.pairingFailureReason), .central(.pairingParameters), .central(.keySize),
                .central(.encryption), .central(.plainLinks), .central(.discoveryOnRequest), .central(.systemServices),
            ])
        #expect(
            run.result.cases.map(\.skipReason) == [
                nil, "needs: a central with unaltered ATT errors", "needs: a central with reasons of failed pairings",
                "needs: a central with a choice of pairing parameters", "needs: a central with encryption key sizes",
                "needs: a central with encryption with the keys of bonds",
                "needs: a central with encryption on request only, a central with encryption with the keys of bonds",
                "needs: a central with encryption on request only",
                "needs: a central with access to GAP, battery and device information",
                "needs: a central with discovery on request",
            ])
    }

    @Test("run cases without access to the board's storage and the centrals' bonds")
    func noStorage() throws {
        let run = try runFake(
            """
              - {name: a, steps: [read: output]}
              - {name: b, steps: [expect: {bonds: 0, of: board}]}
              - {name: c, steps: [expect: {bonds: 0, of: first}]}
              - {name: d, before: [], steps: [reboot: {nvs: erased}]}
            """, lacking: [.boardStorage, .central(.bondList)])
        #expect(run.failure == nil)
        #expect(
            run.result.cases.map(\.skipReason) == [
                nil, "needs: access to the board's bonds without a restart", "needs: a central with a list of bonds",
                "needs: erasing of the NVS",
            ])
    }

    @Test("skip a case that expects nothing of a kind they cannot see")
    func blindness() throws {
        let run = try runFake(
            """
              - {name: a, steps: [expect: {nothing: 1 s, of: [servo, disconnect]}]}
              - {name: b, steps: [expect: {nothing: 1 s, of: console}]}
              - {name: c, steps: [expect: {nothing: 1 s}]}
            """, lacking: [.servo, .console])
        #expect(run.result.cases.map(\.skipReason) == ["needs: servo measurement", "needs: console", nil])
    }

    @Test("whose adapter is unplugged during a case fail that case and those that use it, and no others")
    func vanishes() throws {
        let behaviour: WriteBehaviour = { bench, write in
            if write.value == [0xEE] { bench.unplug() }
            return sum(bench, write)
        }
        let run = try runFake(
            """
              - {name: before, steps: [read: output]}
              - {name: unplugged, steps: [write: {to: input, bytes: [0xEE]}, read: output]}
              - {name: without, steps: [read: output]}
              - {name: console, before: [], steps: [expect: {console: BLE Service is advertising}]}
              - {name: first again, before: [], steps: [scan: {advertising: service}]}
            """, onWrite: behaviour)
        #expect(run.result.cases.map(\.counts.failed) == [0, 1, 1, 0, 1])
        let failures = run.result.failures.map(\.failure)
        #expect(failures[0].cause == .hostStack)
        #expect(failures[0].expected == "a read of output" && failures[0].got == "read: the adapter is gone")
        #expect(failures[0].position.line == 8)
        for failure in failures.dropFirst() {
            #expect(failure.cause == .benchFault)
            #expect(failure.expected == "a central for 'first'" && failure.got == "a central: the adapter is gone")
        }
    }

    @Test("whose adapter is plugged in again ignore events of the former stack")
    func formerStack() throws {
        let behaviour: WriteBehaviour = { bench, write in
            if write.value == [0xEE] { bench.unplug() }
            // The former stack has a connection of the same number.
            if write.central == 1 { bench.notify([0x99], central: 0, after: .milliseconds(1)) }
            return sum(bench, write)
        }
        let run = try runFake(
            """
              - {name: unplugged, steps: [write: {to: input, bytes: [0xEE]}, read: output]}
              - {name: plugged in, before: [], steps: [console: plug in]}
              - name: used
                steps:
                  - write: {to: input, bytes: [7]}
                  - expect: {notification: output, bytes: [7]}
            """, onWrite: behaviour)
        #expect(run.result.cases.map(\.counts.failed) == [1, 0, 0], "\(run.result.failures)")
    }

    @Test("whose centrals' stack never completes a disconnection time out")
    func hangingStack() throws {
        let behaviour: WriteBehaviour = { bench, write in
            bench.hangDisconnects()
            return sum(bench, write)
        }
        let run = try runFake(
            """
              - {name: hangs, steps: [write: {to: input, bytes: [1]}, disconnect: first]}
              - {name: console, before: [], steps: [expect: {console: BLE Service is advertising}]}
            """, onWrite: behaviour)
        #expect(run.result.cases.map(\.counts.failed) == [1, 0])
        #expect(run.failure?.expected == "the link to end")
        #expect(run.failure?.got == "the central did not finish within 60 s")
    }

    @Test("whose adapter is plugged in again continue with a new stack, without its bonds")
    func comesBack() throws {
        let behaviour: WriteBehaviour = { bench, write in
            if write.value == [0xEE] { bench.unplug() }
            return sum(bench, write)
        }
        // Console input works without the adapter; the fake plugs it in again at that time.
        let run = try runFake(
            """
              - {name: unplugged, steps: [write: {to: input, bytes: [0xEE]}, read: output]}
              - {name: plugged in, before: [], steps: [console: plug in]}
              - {name: used, steps: [read: output]}
            """, onWrite: behaviour)
        #expect(run.result.cases.map(\.counts.failed) == [1, 0, 0])
        #expect(
            run.calls.filter { $0.hasSuffix("connect") } == [
                "0: connect", "0: disconnect", "1: connect", "1: disconnect",
            ])
    }
}
