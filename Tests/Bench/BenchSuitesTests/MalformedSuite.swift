import Testing

/// A suite with errors, and every line that its reader must report.
struct MalformedSuite: Sendable, CustomTestStringConvertible {
    let yaml: String
    let diagnostics: String

    var testDescription: String { diagnostics }

    /// A valid suite, from which the others derive.
    static let sound = """
        suite: S
        sketch: Calculator
        uuids: {service: EBC0, input: C1AB}
        before:
          - connect: {advertising: service}
        cases:
          - name: adds {a}
            each: {a: 0...3}
            steps:
              - write: {to: input, bytes: [a, 'a + 1']}
              - expect: {console: "x {a:02x}", within: 1 s}

        """

    /// The valid suite with `step` (on line 10, column 7) in place of its steps.
    private static func step(_ step: String, _ diagnostics: String) -> MalformedSuite {
        let head = sound.split(separator: "\n").prefix(9).joined(separator: "\n")
        return MalformedSuite(yaml: head + "\n      - " + step + "\n", diagnostics: diagnostics)
    }

    /// The valid suite with `line` (from 1) replaced.
    private static func line(_ line: Int, _ text: String, _ diagnostics: String) -> MalformedSuite {
        var lines = sound.split(separator: "\n").map(String.init)
        lines[line - 1] = text
        return MalformedSuite(yaml: lines.joined(separator: "\n"), diagnostics: diagnostics)
    }

    static let all: [MalformedSuite] = whole + lines + steps + expectations + security + board

    private static let whole: [MalformedSuite] = [
        MalformedSuite(yaml: "", diagnostics: "c.yaml:1:1: expected a suite, got an empty file"),
        MalformedSuite(
            yaml: "- a\n",
            diagnostics:
                "c.yaml:1:1: expected a suite with keys (suite, sketch, boards, parts, tags, description, uuids, centrals, defaults, before, after, cases), got a list"
        ),
        MalformedSuite(
            yaml: "suite: [a\n",
            diagnostics: "c.yaml:2:1: the '[' of line 1, column 8, is not closed"),
        MalformedSuite(
            yaml: "suite: a\nsuite: b\n",
            diagnostics: "c.yaml:1:1: key given twice: suite"),
        MalformedSuite(
            yaml: "suite: " + String(repeating: "[", count: 1100) + "\n",
            diagnostics: "c.yaml:1:9: more than 1,000 lists and mappings begin here, each in the one before"),
        // All errors at once, in the order of the file.
        MalformedSuite(
            yaml: "suit: S\nuuids: {a: zz}\ncases: []\n",
            diagnostics: """
                c.yaml:1:1: unknown key 'suit' in a suite (did you mean 'suite'?), expected one of: suite, sketch, boards, parts, tags, description, uuids, centrals, defaults, before, after, cases
                c.yaml:2:12: expected a UUID of 4, 8 or 32 hexadecimal digits, got 'zz'
                c.yaml:3:8: expected 'cases' to be a list of cases, got an empty list
                """),
    ]

    private static let lines: [MalformedSuite] = [
        line(1, "suite: [S]", "c.yaml:1:8: expected a name, got a list (a text that begins with '[' needs quotes)"),
        line(
            3, "uuids: [EBC0]",
            "c.yaml:3:8: expected 'uuids' to map names to UUIDs, got a list"),
        line(
            4, "defaults: {within: 5, response: yes, speed: 1}\nbefore:",
            """
            c.yaml:4:20: expected a time for 'within' with a unit (us, ms, s or min), such as 500 ms, got '5'
            c.yaml:4:33: expected true or false for 'response', got 'yes'
            c.yaml:4:38: unknown key 'speed' in 'defaults', expected one of: within, connect, response, board
            """),
        line(
            5, "  - connect: {}",
            "c.yaml:5:14: 'connect' lacks what to look for, expected 'advertising', 'name' or, where 'boards' are named, 'board'"
        ),
        line(7, "  - name: adds {c}", "c.yaml:7:17: unknown name 'c', expected one of: a"),
        line(
            7, "  - nam: adds",
            "c.yaml:7:5: unknown key 'nam' in a case (did you mean 'name'?), expected one of: name, tags, each, before, steps"
        ),
        line(8, "    each: {a: 9...3}", "c.yaml:8:15: expected a range from low to high such as 0...255, got '9...3'"),
        line(8, "    each: {a: []}", "c.yaml:8:15: expected at least one value, got none"),
        line(
            8, "    each: {a: 1, a b: 1}",
            "c.yaml:8:18: expected a parameter's name of letters, digits and '_', got 'a b'"),
        line(8, "    each: {a: 0...99999999}", "c.yaml:8:15: expected at most 65536 values of one parameter, got more"),
        line(
            8, "    each: {a: 0...9999, b: 0...9999}", "c.yaml:8:11: expected at most 10000000 combinations, got more"),
        line(8, "    each: [{a: 1}, {b: 1}]", "c.yaml:8:20: expected the names of the first row (a), got (b)"),
        line(
            8, "    each: 5",
            "c.yaml:8:11: expected 'each' to map names to values, or to be a list of rows, got '5'"),
        line(
            8, #"    each: [{a: 1, text: "0.00"}]"#,
            "c.yaml:8:25: a parameter is a whole number, such as 5, -1 or 0xFF, got '0.00'"),
        line(
            8, "    each: {a: [1, 2.5]}",
            "c.yaml:8:19: a parameter is a whole number, such as 5, -1 or 0xFF, got '2.5'"),
        line(8, "    each: {a: x}", "c.yaml:8:15: unknown name 'x', there are no parameters here"),
    ]

    private static let words =
        "power, reset, reboot, button, set, uart, i2c, scan, connect, disconnect, pair, encrypt, forget, subscribe, unsubscribe, write, read, mtu, discover, att, fault, radio, simulate, advance, repeat, console, expect"

    private static let steps: [MalformedSuite] = [
        step("jump: 1", "c.yaml:10:9: unknown step 'jump', expected one of: \(words)"),
        step("[reset]", "c.yaml:10:9: unknown step a list, expected one of: \(words)"),
        step("power", "c.yaml:10:9: 'power' needs a value, expected 'power: …', such as 'power: cycle'"),
        step(
            "reset: now",
            "c.yaml:10:16: unknown board 'now': the suite names no boards, expected 'boards: {now: …}' in place of 'sketch'"
        ),
        step("{power: on, reset: 1}", "c.yaml:10:9: expected one step with one word, got 2 keys"),
        step(
            "power: maybe",
            "c.yaml:10:16: expected what to do with the power, one of: on, off, cycle, brownout, got 'maybe'"),
        step("disconnect: third", "c.yaml:10:21: unknown central 'third', expected one of: first"),
        step(
            "scan: {name: X, within: 1 s, absent: 1 s}",
            "c.yaml:10:46: 'scan' takes 'within' (it is found) or 'absent' (it is not), got both"),
        step(
            "subscribe: {to: input, kind: both}",
            "c.yaml:10:38: expected what to subscribe to, one of: none, notifications, indications, got 'both'"),
        step("write: {bytes: [1]}", "c.yaml:10:16: 'write' lacks the key 'to'"),
        step(
            "write: {to: input}",
            "c.yaml:10:16: 'write' lacks a value, expected 'bytes' or 'text', or 'value' by a description"
        ),
        step(
            "write: {to: output, bytes: [1]}",
            "c.yaml:10:21: unknown name 'output' for a characteristic, expected one under 'uuids' (service, input) or a UUID"
        ),
        step("write: {to: input, bytes: 1}", "c.yaml:10:35: expected 'bytes' to be a list such as [a, b, 2], got '1'"),
        step("write: {to: input, bytes: [256]}", "c.yaml:10:36: expected a byte 0...255, got 256"),
        step("write: {to: input, bytes: [a, \"a + q\"]}", "c.yaml:10:44: unknown name 'q', expected one of: a"),
        step("write: {to: input, bytes: [{repeat: 1}]}", "c.yaml:10:36: a repeated byte lacks the key 'times'"),
        step("write: {to: input, bytes: [1], text: x}", "c.yaml:10:16: 'write' takes one value, got bytes, text"),
        step("write: {to: input, text: \"{a\"}", "c.yaml:10:37: expected ':' with a format or '}', got the end"),
        step("mtu: {offer: 22}", "c.yaml:10:22: expected 'offer' of 23...517, got 22"),
        step(
            "discover: [service]",
            "c.yaml:10:19: expected 'discover' to map services to their characteristics, got a list"),
        step(
            "discover: {service: {input: [fly]}}",
            "c.yaml:10:38: unknown property 'fly', expected one of: broadcast, read, write without response, write, notify, indicate, signed write, extended"
        ),
        step(
            "advance: 5 minutes",
            "c.yaml:10:18: expected a time for 'advance' with a unit (us, ms, s or min), such as 500 ms, got '5 minutes'"
        ),
        step(
            "advance: -1 s",
            "c.yaml:10:18: expected a time for 'advance' with a unit (us, ms, s or min), such as 500 ms, got '-1 s'"),
        step(
            "advance: 99999999999 min",
            "c.yaml:10:18: expected a time for 'advance' with a unit (us, ms, s or min), such as 500 ms, got '99999999999 min'"
        ),
        step(
            "console: [a]",
            "c.yaml:10:18: expected a line to type, got a list (a text that begins with '[' needs quotes)"),
    ]

    private static let expectations: [MalformedSuite] = [
        step(
            "expect: {}",
            "c.yaml:10:17: 'expect' waits for one of: notification, indication, stream, value, console, prompt, disconnect, servo, pin, pwm, pulses, uart, security, bonds, advertisement, connection, power, nothing, error; got none"
        ),
        step(
            "expect: {console: a, disconnect: any}",
            "c.yaml:10:17: 'expect' waits for one of: notification, indication, stream, value, console, prompt, disconnect, servo, pin, pwm, pulses, uart, security, bonds, advertisement, connection, power, nothing, error; got console, disconnect"
        ),
        step(
            "expect: {console: a, bytes: [1]}",
            "c.yaml:10:37: 'expect' of 'console' takes no 'bytes', expected: within, board"
        ),
        step(
            "expect: {console: a, witin: 1 s}",
            "c.yaml:10:30: unknown key 'witin' in 'expect' (did you mean 'within'?), expected one of: notification, indication, stream, value, console, prompt, disconnect, servo, pin, pwm, pulses, uart, security, bonds, advertisement, connection, power, nothing, error, bytes, text, mask, contains, matches, json, length, pin, level, duty, frequency, count, width, order, for, key size, of, on, as, within, board, tolerance, is, about, between"
        ),
        step(
            "expect: {nothing: 1 s, of: noise}",
            "c.yaml:10:36: expected a kind of event, one of: notification, indication, console, disconnect, servo, got 'noise'"
        ),
        step(
            "expect: {notification: input, on: second}",
            "c.yaml:10:43: unknown central 'second', expected one of: first"
        ),
        step(
            "expect: {error: 3}",
            "c.yaml:10:17: 'expect: {error: …}' must follow the read, write, att, subscribe, unsubscribe, pair or encrypt that fails"
        ),
        step(
            "write: {to: input, bytes: [1], response: false}\n      - expect: {error: 3}",
            "c.yaml:11:17: 'expect: {error: …}' must follow the read, write, att, subscribe, unsubscribe, pair or encrypt that fails"
        ),
        step(
            "expect: {notification: input, within: 1}",
            "c.yaml:10:47: expected a time for 'within' with a unit (us, ms, s or min), such as 500 ms, got '1'"),
    ]

    private static let failures =
        "passkey entry failed, OOB not available, authentication requirements, confirm value failed, pairing not supported, encryption key size, command not supported, unspecified reason, repeated attempts, invalid parameters, DHKey check failed, numeric comparison failed, timeout, disconnected, any"

    private static let security: [MalformedSuite] = [
        line(
            3, "uuids: {service: EBC0, input: C1AB}\ncentrals: [phone]",
            "c.yaml:4:11: expected 'centrals' to map names to settings, got a list"),
        line(
            3, "uuids: {service: EBC0, input: C1AB}\ncentrals: {thief: {adress: first}}",
            "c.yaml:4:20: unknown key 'adress' in a central (did you mean 'address'?), expected one of: address, privacy"
        ),
        line(
            3, "uuids: {service: EBC0, input: C1AB}\ncentrals: {thief: {address: thief}}",
            "c.yaml:4:29: a central cannot have its own address from itself"),
        line(
            3, "uuids: {service: EBC0, input: C1AB}\ncentrals: {thief: {address: '24:0A:C4:00:01:10'}}",
            "c.yaml:4:29: expected a central's name or a static random address such as C0:00:00:00:00:01, got '24:0A:C4:00:01:10'"
        ),
        line(
            3, "uuids: {service: EBC0, input: C1AB}\ncentrals: {board: {privacy: true}}",
            "c.yaml:4:12: 'board' means the board, not a central"),
        step("pair: third", "c.yaml:10:15: unknown central 'third', expected one of: first"),
        step(
            "pair: {pin: 1}",
            "c.yaml:10:16: unknown key 'pin' in 'pair', expected one of: on, passkey, confirm, io, bonding, mitm, secure connections, key size, within, board"
        ),
        step("pair: {passkey: 1000000}", "c.yaml:10:25: expected a passkey of 0...999999, got 1000000"),
        step("pair: {passkey: /(/}", "c.yaml:10:25: expected a regular expression, got '(': expected ')'"),
        step("pair: {passkey: /x}", "c.yaml:10:25: expected a regular expression between slashes, got '/x'"),
        step("pair: {key size: 17}", "c.yaml:10:26: expected 'key size' of 7...16, got 17"),
        step(
            "pair: {io: fingers}",
            "c.yaml:10:20: expected what the central can show and take in, one of: display only, display yes/no, keyboard only, none, keyboard display, got 'fingers'"
        ),
        step(
            "pair\n      - expect: {error: wrong passkey}",
            "c.yaml:11:25: unknown error 'wrong passkey', expected a number or one of: \(failures)"),
        step(
            "encrypt\n      - expect: {error: confirm value failed}",
            "c.yaml:11:25: unknown error 'confirm value failed', expected a number or one of: key missing, no bond, timeout, disconnected, any"
        ),
        step("forget: third", "c.yaml:10:17: unknown central 'third', expected one of: first"),
        step("forget: {of: first}", "c.yaml:10:17: 'forget' lacks the key 'on'"),
        step(
            "forget: {on: first, of: first}",
            "c.yaml:10:33: 'of' names a central that the board forgets; a central forgets the board"),
        step("expect: {bonds: 1}", "c.yaml:10:17: 'expect' of 'bonds' lacks the key 'of'"),
        step(
            "expect: {bonds: [first], of: first}",
            "c.yaml:10:25: expected a number of bonds of a central, got a list"),
        step("expect: {bonds: 1, of: third}", "c.yaml:10:32: unknown central 'third', expected one of: first"),
        step(
            "expect: {security: safe}",
            "c.yaml:10:28: expected 'none' or what the link is, one of: encrypted, authenticated, bonded, got 'safe'"),
    ]

    private static let board: [MalformedSuite] = [
        step("power: {cut: {}}", "c.yaml:10:22: 'cut' waits for one of: console, nvs write, pdu; got none"),
        step(
            "power: {cut: {nvs write: 0}}", "c.yaml:10:34: expected the number of the NVS write to be 1 or more, got 0"),
        step(
            "power: {cut: {console: x, nth: 2}}", "c.yaml:10:40: 'nth' and 'from' belong to a 'pdu'"),
        step("expect: {power: on}", "c.yaml:10:25: expected 'off', the power cut of an earlier step, got 'on'"),
        step(
            "reboot: now",
            "c.yaml:10:17: unknown board 'now': the suite names no boards, expected 'boards: {now: …}' in place of 'sketch'"
        ),
        step("reboot: {nvs: lost}", "c.yaml:10:23: expected the state of the NVS, one of: kept, erased, got 'lost'"),
        step(
            "button: push",
            "c.yaml:10:17: expected what to do with the button, one of: press, hold, release, got 'push'"),
        step(
            "button: {press: 5}",
            "c.yaml:10:25: expected a time for 'press' with a unit (us, ms, s or min), such as 500 ms, got '5'"),
        step(
            "button: {press: 5 s, hold: 0}",
            "c.yaml:10:17: 'button' takes one of: press, hold, release; got press, hold"),
        step("button: {hold: 99}", "c.yaml:10:24: expected a pin of 0...48, got 99"),
        step("expect: {servo: 200}", "c.yaml:10:25: expected an angle of 0...180 degrees, got 200"),
        step("expect: {servo: {from: 0}}", "c.yaml:10:25: a sweep lacks the key 'to'"),
        step(
            "expect: {servo: 1, of: board}",
            "c.yaml:10:32: 'expect' of 'servo' takes no 'of', expected: pin, within, board"),
        step(
            "fault: drop",
            "c.yaml:10:16: expected 'fault' with keys (drop, corrupt, alter, replay, delay, cut, nth, from, byte, by, reason, every, board), got 'drop'"
        ),
        step(
            "fault: {drop: response, nth: 0}", "c.yaml:10:38: expected 'nth' to be 1 or more, got 0"),
        step("fault: {drop: response, by: 1 s}", "c.yaml:10:37: 'by' belongs to 'delay'"),
        step("fault: {delay: response}", "c.yaml:10:16: a delay lacks the key 'by'"),
        step(
            "fault: {cut: pairing random, from: thief}",
            "c.yaml:10:44: expected who sends it, one of: board, central, got 'thief'"),
        step("radio: {}", "c.yaml:10:16: 'radio' lacks what to set, expected 'loss' (percent) or 'path loss' (dB)"),
        step("radio: {loss: 101}", "c.yaml:10:23: expected 'loss' of 0...100, got 101"),
        step(
            "att: {send: []}",
            "c.yaml:10:21: expected 'send' to be a list such as [0x0a, {handle: output}], got an empty list"
        ),
        step(
            "att: {send: [0x0a, {handle: output}]}",
            "c.yaml:10:37: unknown name 'output' for a characteristic, expected one under 'uuids' (service, input) or a UUID"
        ),
        step(
            "att: {send: [0x52], answer: none}\n      - expect: {error: 3}",
            "c.yaml:11:17: 'expect: {error: …}' must follow the read, write, att, subscribe, unsubscribe, pair or encrypt that fails"
        ),
    ]
}
