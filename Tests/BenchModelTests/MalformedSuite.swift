import Testing

/// A suite with faults, and every line its reader must say about them.
struct MalformedSuite: Sendable, CustomTestStringConvertible {
    let yaml: String
    let diagnostics: String

    var testDescription: String { diagnostics }

    /// A suite without a fault: the ground of the others.
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

    /// The sound suite with `step` (on line 10, column 7) in place of its steps.
    private static func step(_ step: String, _ diagnostics: String) -> MalformedSuite {
        let head = sound.split(separator: "\n").prefix(9).joined(separator: "\n")
        return MalformedSuite(yaml: head + "\n      - " + step + "\n", diagnostics: diagnostics)
    }

    /// The sound suite with `line` (from 1) replaced.
    private static func line(_ line: Int, _ text: String, _ diagnostics: String) -> MalformedSuite {
        var lines = sound.split(separator: "\n").map(String.init)
        lines[line - 1] = text
        return MalformedSuite(yaml: lines.joined(separator: "\n"), diagnostics: diagnostics)
    }

    static let all: [MalformedSuite] = whole + lines + steps + expectations

    private static let whole: [MalformedSuite] = [
        MalformedSuite(yaml: "", diagnostics: "c.yaml:1:1: expected a suite, got an empty file"),
        MalformedSuite(
            yaml: "- a\n",
            diagnostics:
                "c.yaml:1:1: expected a suite with keys (suite, sketch, uuids, defaults, before, after, cases), got a list"
        ),
        MalformedSuite(
            yaml: "suite: [a\n",
            diagnostics: "c.yaml:2:1: not YAML: did not find expected ',' or ']', while parsing a flow sequence"),
        MalformedSuite(
            yaml: "suite: a\nsuite: b\n",
            diagnostics: "c.yaml:1:1: key given twice: suite"),
        // All faults at once, in the order of the file.
        MalformedSuite(
            yaml: "suit: S\nuuids: {a: zz}\ncases: []\n",
            diagnostics: """
                c.yaml:1:1: the suite lacks the key 'sketch'
                c.yaml:1:1: the suite lacks the key 'suite'
                c.yaml:1:1: unknown key 'suit' in a suite, expected one of: suite, sketch, uuids, defaults, before, after, cases
                c.yaml:2:12: expected a UUID of 4, 8 or 32 hexadecimal digits, got 'zz'
                c.yaml:3:8: expected 'cases' to be a list of cases, got a list
                """),
    ]

    private static let lines: [MalformedSuite] = [
        line(1, "suite: [S]", "c.yaml:1:8: expected a name, got a list"),
        line(
            3, "uuids: [EBC0]",
            """
            c.yaml:3:8: expected 'uuids' to map names to UUIDs, got a list
            c.yaml:5:28: unknown name 'service' for an advertised service, expected one under 'uuids' or a UUID
            c.yaml:10:21: unknown name 'input' for a characteristic, expected one under 'uuids' or a UUID
            """),
        line(
            4, "defaults: {within: 5, response: yes, speed: 1}\nbefore:",
            """
            c.yaml:4:20: expected a time for 'within' with a unit (us, ms, s or min), such as 500 ms, got '5'
            c.yaml:4:33: expected true or false for 'response', got 'yes'
            c.yaml:4:38: unknown key 'speed' in 'defaults', expected one of: within, connect, response
            """),
        line(5, "  - connect: {}", "c.yaml:5:14: 'connect' lacks what to look for, expected 'advertising' or 'name'"),
        line(7, "  - name: adds {c}", "c.yaml:7:17: unknown name 'c', expected one of: a"),
        line(
            7, "  - nam: adds",
            """
            c.yaml:7:5: the case lacks the key 'name'
            c.yaml:7:5: unknown key 'nam' in a case, expected one of: name, each, before, steps
            """),
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
            """
            c.yaml:7:17: unknown name 'a', there are no parameters here
            c.yaml:8:11: expected 'each' to map names to values, or to be a list of rows, got '5'
            c.yaml:10:36: unknown name 'a', there are no parameters here
            c.yaml:10:40: unknown name 'a', there are no parameters here
            c.yaml:11:31: unknown name 'a', there are no parameters here
            """),
        line(8, "    each: {a: x}", "c.yaml:8:15: unknown name 'x', there are no parameters here"),
    ]

    private static let words =
        "power, reset, scan, connect, disconnect, subscribe, unsubscribe, write, read, mtu, discover, expect, advance, console"

    private static let steps: [MalformedSuite] = [
        step("jump: 1", "c.yaml:10:9: unknown step 'jump', expected one of: \(words)"),
        step("[reset]", "c.yaml:10:9: unknown step a list, expected one of: \(words)"),
        step("power", "c.yaml:10:9: 'power' says nothing more, expected 'power: …'"),
        step("reset: now", "c.yaml:10:9: 'reset' takes nothing after it, write '- reset'"),
        step("{power: on, reset: 1}", "c.yaml:10:9: expected one step with one word, got 2 keys"),
        step("power: maybe", "c.yaml:10:16: expected what to do with the power, one of: on, off, cycle, got 'maybe'"),
        step("disconnect: third", "c.yaml:10:21: unknown client 'third', expected one of: first"),
        step(
            "scan: {name: X, within: 1 s, absent: 1 s}",
            "c.yaml:10:46: 'scan' takes 'within' (it is found) or 'absent' (it is not), got both"),
        step(
            "subscribe: {to: input, kind: both}",
            "c.yaml:10:38: expected what to subscribe to, one of: none, notifications, indications, got 'both'"),
        step("write: {bytes: [1]}", "c.yaml:10:16: 'write' lacks the key 'to'"),
        step("write: {to: input}", "c.yaml:10:16: 'write' lacks a value, expected 'bytes' or 'text'"),
        step(
            "write: {to: output, bytes: [1]}",
            "c.yaml:10:21: unknown name 'output' for a characteristic, expected one under 'uuids' (service, input) or a UUID"
        ),
        step("write: {to: input, bytes: 1}", "c.yaml:10:35: expected 'bytes' to be a list such as [a, b, 2], got '1'"),
        step("write: {to: input, bytes: [256]}", "c.yaml:10:36: expected a byte 0...255, got 256"),
        step("write: {to: input, bytes: [a, \"a + q\"]}", "c.yaml:10:44: unknown name 'q', expected one of: a"),
        step("write: {to: input, bytes: [{repeat: 1}]}", "c.yaml:10:36: a repeated byte lacks the key 'times'"),
        step("write: {to: input, bytes: [1], text: x}", "c.yaml:10:46: 'write' takes 'bytes' or 'text', got both"),
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
        step("console: [a]", "c.yaml:10:18: expected a line to type, got a list"),
    ]

    private static let expectations: [MalformedSuite] = [
        step(
            "expect: {}",
            "c.yaml:10:17: 'expect' waits for one of: notification, indication, console, disconnect, nothing, error; got none"
        ),
        step(
            "expect: {console: a, disconnect: any}",
            "c.yaml:10:17: 'expect' waits for one of: notification, indication, console, disconnect, nothing, error; got console, disconnect"
        ),
        step(
            "expect: {console: a, bytes: [1]}", "c.yaml:10:37: 'expect' of 'console' takes no 'bytes', expected: within"
        ),
        step(
            "expect: {console: a, witin: 1 s}",
            "c.yaml:10:30: unknown key 'witin' in 'expect', expected one of: notification, indication, console, disconnect, nothing, error, bytes, text, of, on, within"
        ),
        step(
            "expect: {nothing: 1 s, of: noise}",
            "c.yaml:10:36: expected a kind of event, one of: notification, indication, console, disconnect, got 'noise'"
        ),
        step(
            "expect: {notification: input, on: second}", "c.yaml:10:43: unknown client 'second', expected one of: first"
        ),
        step(
            "expect: {error: 3}",
            "c.yaml:10:17: 'expect: {error: …}' must follow the read, write, subscribe or unsubscribe that fails"),
        step(
            "write: {to: input, bytes: [1], response: false}\n      - expect: {error: 3}",
            "c.yaml:11:17: 'expect: {error: …}' must follow the read, write, subscribe or unsubscribe that fails"),
        step(
            "expect: {notification: input, within: 1}",
            "c.yaml:10:47: expected a time for 'within' with a unit (us, ms, s or min), such as 500 ms, got '1'"),
    ]
}
