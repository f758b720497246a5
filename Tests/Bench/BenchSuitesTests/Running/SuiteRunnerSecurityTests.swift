import BLECentral
import Bench
import BenchModel
import BenchSuites
import MonotonicTime
import Testing

@Suite("Running steps about security, the board and faults")
struct SuiteRunnerSecurityTests {
    private static func cases(_ steps: String) -> String {
        "  - name: x\n    steps:\n" + steps
    }

    @Test("pairs with a passkey read from the console, and checks the bonds on both sides")
    func pairing() throws {
        let run = try runFake(
            Self.cases(
                """
                      - expect: {bonds: 0, of: board}
                      - pair: {passkey: 123456, key size: 10}
                      - expect: {security: [encrypted, authenticated, bonded], key size: 10}
                      - expect: {bonds: [first], of: board}
                      - expect: {bonds: 1, of: first}
                      - encrypt
                      - forget: board
                      - encrypt
                      - expect: {error: key missing}
                      - forget: first
                      - encrypt
                      - expect: {error: no bond}
                """))
        #expect(run.failure == nil)
        #expect(
            run.calls.dropFirst(3) == [
                "0: pair keyboard display preferred 7...10 mitm true bonding true",
                "0: answer passkey(123456) at 1130 ms", "0: encrypt", "0: encrypt", "0: encrypt", "0: disconnect",
            ])
        #expect(run.timeline.contains("\"kind\":\"pairingAnswer\",\"case\":1,\"text\":\"123456\""))
        #expect(
            run.timeline.contains(
                "\"kind\":\"security\",\"case\":1,\"encrypted\":true,\"authenticated\":true,\"bonded\":true"))
    }

    @Test("reads the passkey from the newest line, also of an earlier boot, or uses another number")
    func passkeyFromConsole() throws {
        let show: WriteBehaviour = { bench, write in
            bench.print("Passkey: \(write.value[0] == 1 ? "111111" : "123456")", after: .zero)
            return .acknowledge(after: .milliseconds(30))
        }
        let run = try runFake(
            Self.cases(
                """
                      - write: {to: input, bytes: [1]}
                      - write: {to: input, bytes: [2]}
                      - disconnect
                      - reboot
                      - connect: {advertising: service}
                      - pair: {passkey: 'not /Passkey: (\\d+)/'}
                      - expect: {error: confirm value failed}
                      - pair: {passkey: '/Passkey: (\\d+)/'}
                """), onWrite: show)
        #expect(run.failure == nil)
        #expect(run.calls.contains { $0.hasPrefix("0: answer passkey(123457)") })
    }

    @Test("lets the user refuse, reject the number, or not answer")
    func refusals() throws {
        let run = try runFake(
            Self.cases(
                """
                      - pair: {passkey: refused}
                      - expect: {error: passkey entry failed}
                      - pair: {io: display yes/no, confirm: false}
                      - expect: {error: 0x0c}
                      - pair: {passkey: unanswered}
                      - expect: {error: timeout}
                      - pair: {io: none, bonding: false, mitm: false}
                      - expect: {security: encrypted}
                      - expect: {bonds: 0, of: board}
                """))
        #expect(run.failure == nil)
    }

    @Test("pairs with an overheard passkey, and fails if there is none")
    func overheardPasskey() throws {
        let hear: WriteBehaviour = { bench, _ in
            bench.overhear(42_137)
            return .acknowledge(after: .milliseconds(30))
        }
        let steps = """
                  - write: {to: input, bytes: [1]}
                  - pair: {passkey: overheard}
            """
        #expect(
            try runFake(Self.cases(steps), onWrite: hear).calls.contains { $0.hasPrefix("0: answer passkey(42137)") })
        let failure = try #require(try runFake(Self.cases(steps)).failure)
        #expect(failure.cause == .assertion)
        #expect(failure.expected == "an earlier passkey entry with the board that could be overheard")
    }

    @Test("gives a central another's address, and resets it between cases")
    func clones() throws {
        let run = try runFake(
            "",
            yaml: suiteHead.replacing("cases:", with: "centrals: {clone: {address: first}}\ncases:") + """
                  - name: a
                    steps:
                      - pair: {passkey: 123456}
                      - disconnect
                      - connect: {advertising: service, as: clone}
                      - encrypt: clone
                      - expect: {error: no bond}
                      - pair: {on: clone, passkey: 123456}
                      - expect: {bonds: [first], of: board}
                      - connect: {advertising: service, as: guest}
                      - pair: {on: guest, passkey: 123456}
                      - expect: {bonds: [clone, guest], of: board}
                      - forget: {on: board, of: clone}
                      - expect: {bonds: [guest], of: board}
                  - name: b
                    steps:
                      - expect: {bonds: 0, of: board}
                      - expect: {bonds: 0, of: first}
                """)
        #expect(run.failure == nil)
    }

    @Test("presses buttons, and reboots with and without stored data")
    func board() throws {
        let run = try runFake(
            Self.cases(
                """
                      - button: {press: 5 s}
                      - button: hold
                      - advance: 1 s
                      - button: release
                      - disconnect
                      - reboot
                      - reboot: {nvs: erased}
                """))
        #expect(run.failure == nil)
        #expect(
            run.calls.dropFirst(3) == [
                "button 0 pressed at 130 ms", "button 0 released at 5130 ms", "button 0 pressed at 5130 ms",
                "button 0 released at 6130 ms", "0: disconnect", "power off", "power on", "power off", "erase NVS",
                "power on",
            ])
    }

    @Test("fails at a button that the firmware cannot have noticed")
    func unnoticedButton() throws {
        let run = try runFake(Self.cases("      - button: {press: 1 s, pin: 7}\n"))
        let failure = try #require(run.failure)
        #expect(failure.cause == .assertion)
        #expect(failure.expected == "the firmware to notice the button on pin 7" && failure.got == "pin 7 is no input")
    }

    @Test("cuts the power at a console line, once, and continues after power-on")
    func powerCut() throws {
        let run = try runFake(
            Self.cases(
                """
                      - power: {cut: {console: Adding}}
                      - write: {to: input, bytes: [1], response: false}
                      - expect: {power: off}
                      - expect: {console: Adding}
                      - expect: {disconnect: 0x08}
                      - power: on
                      - connect: {advertising: service}
                      - write: {to: input, bytes: [1]}
                      - expect: {notification: output, bytes: [1]}
                """))
        #expect(run.failure == nil)
    }

    @Test("follows a servo")
    func servo() throws {
        let move: WriteBehaviour = { bench, _ in
            for (index, angle) in [0, 30, 59, 88, nil].enumerated() {
                bench.moveServo(to: angle, after: .milliseconds(100 * (index + 1)))
            }
            return .acknowledge(after: .milliseconds(30))
        }
        let run = try runFake(
            Self.cases(
                """
                      - expect: {servo: detached}
                      - expect: {nothing: 500 ms, of: servo}
                      - write: {to: input, bytes: [1]}
                      - expect: {servo: {from: 0, to: 90}, pin: 13}
                      - expect: {servo: 90}
                      - expect: {servo: detached}
                      - expect: {nothing: 500 ms, of: servo}
                      - write: {to: input, bytes: [1]}
                      - expect: {servo: 30}
                      - expect: {servo: detached}
                      - write: {to: input, bytes: [1]}
                      - advance: 1 s
                      - expect: {nothing: 500 ms, of: servo}
                      - write: {to: input, bytes: [1]}
                      - expect: {servo: {from: 0, to: 90}}
                """), onWrite: move)
        #expect(run.failure == nil)
    }

    @Test("sends raw PDUs, and compares the responses")
    func attributePDUs() throws {
        func run(_ answer: [UInt8]?, _ steps: String) throws -> FakeRun {
            try runFake(
                Self.cases("      - write: {to: input, bytes: [1]}\n" + steps),
                onWrite: { bench, _ in
                    bench.answer(answer)
                    return .acknowledge(after: .milliseconds(30))
                })
        }
        let error: [UInt8] = [0x01, 0x16, 0x10, 0x00, 0x05]
        let send = "      - att: {send: [0x16, {handle: input}, 0, 0, 1]"
        #expect(try run(error, send + "}\n      - expect: {error: 5}").failure == nil)
        #expect(try run(error, send + ", answer: [1, 0x16, {handle: input}, 5]}").failure == nil)
        #expect(try run(nil, send + ", answer: none}").failure == nil)
        #expect(try run(nil, send + "}\n      - expect: {error: timeout}").failure == nil)
        #expect(try run(error, send + "}").failure?.got == "[0x01, 0x16, 0x10, 0x00, 0x05]")
        #expect(try run(nil, send + "}").failure?.got == "no answer")
        #expect(
            try run([0x17], send + "}\n      - expect: {error: 5}").failure?.expected
                == "the ATT PDU [0x16, 0x10, 0x00, 0x00, 0x00, 0x01] to be answered to fail with ATT error 0x05 insufficient authentication"
        )
        #expect(try run([0x17], send + ", answer: none}").failure?.got == "0x17 (23)")
        let command = try run(nil, "      - att: {send: [0x52, {handle: input}, 1]}")
        #expect(command.failure == nil && command.calls.contains("ATT [82, 16, 0, 1]"))
        let empty = try run(nil, "      - att: {send: [{repeat: 1, times: 0}]}")
        #expect(empty.failure?.cause == .suite && empty.failure?.got == "no bytes")
    }

    @Test("adds and clears faults, and sets the radio path")
    func faults() throws {
        let run = try runFake(
            Self.cases(
                """
                      - fault: {drop: read response, nth: 3}
                      - write: {to: input, bytes: [1]}
                      - fault: {cut: pairing random}
                      - fault: none
                      - radio: {loss: 20}
                """))
        #expect(run.failure == nil)
        #expect(
            run.calls.dropFirst(3) == [
                "fault drop at [11] 3", "fault cut at [4] 1", "faults cleared", "air 20 -1", "0: disconnect",
            ])
    }
}
