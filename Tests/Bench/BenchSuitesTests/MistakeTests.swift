import YAMLReading
import BenchSuites
import Testing

/// A mistake of somebody who writes a suite: its text, and all that the reader says about it.
struct SuiteMistake: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var yaml: String
    var message: String

    /// Eight lines of a sound suite, whose steps begin on line 9, column 7.
    private static let head = """
        suite: Lamp
        sketch: Lamp
        uuids: {service: EBC0, value: C1AB}
        before:
          - connect: {advertising: service}
        cases:
          - name: switches
            steps:

        """

    /// The sound suite with these steps.
    private static func steps(_ name: String, _ steps: String, _ message: String) -> SuiteMistake {
        SuiteMistake(testDescription: name, yaml: head + steps + "\n", message: "l.yaml:" + message)
    }

    /// The sound suite with a step of `read`, and a change in its head.
    private static func changed(_ name: String, _ old: String, _ new: String, _ message: String) -> SuiteMistake {
        SuiteMistake(
            testDescription: name, yaml: (head + "      - read: value\n").replacing(old, with: new),
            message: "l.yaml:" + message)
    }

    private static let words =
        "power, reset, reboot, button, set, uart, i2c, scan, connect, disconnect, pair, encrypt, forget, subscribe, unsubscribe, write, read, mtu, discover, att, fault, radio, simulate, advance, repeat, console, expect"

    static let all: [SuiteMistake] = typing + numbers + layout + provingNothing + centrals + cascades

    private static let typing: [SuiteMistake] = [
        steps(
            "a step", "      - wriet: {to: value, bytes: [1]}",
            "9:9: unknown step 'wriet' (did you mean 'write'?), expected one of: \(words)"),
        steps(
            "a key", "      - write: {too: value, bytes: [1]}",
            "9:17: unknown key 'too' in 'write' (did you mean 'to'?), expected one of: to, bytes, text, value, values, rate, response, within, on"
        ),
        steps(
            "a name of a UUID", "      - read: valeu",
            "9:15: unknown name 'valeu' for a characteristic (did you mean 'value'?), expected one under 'uuids' (service, value) or a UUID"
        ),
        steps(
            "a level of a pin", "      - expect: {pin: 26, level: hihg}",
            "9:34: expected 'level' to be high or low, got 'hihg'"
        ),
        steps(
            "no time for a level to stay", "      - expect: {pin: 26, level: high, for: 0 s}",
            "9:45: expected a time above 0 for 'for': a level without it may end at once"
        ),
        steps(
            "a central", "      - read: {from: value, on: frist}",
            "9:33: unknown central 'frist' (did you mean 'first'?), expected one of: first"),
        steps(
            "a word for a choice", "      - subscribe: {to: value, kind: notification}",
            "9:38: expected what to subscribe to, one of: none, notifications, indications, got 'notification' (did you mean 'notifications'?)"
        ),
        steps(
            "a property", "      - discover: {service: {value: [raed]}}",
            "9:38: unknown property 'raed' (did you mean 'read'?), expected one of: broadcast, read, write without response, write, notify, indicate, signed write, extended"
        ),
        steps(
            "an error", "      - read: value\n      - expect: {error: timeot}",
            "10:25: unknown error 'timeot' (did you mean 'timeout'?), expected a number or one of: timeout, disconnected, any"
        ),
        steps(
            "an escape sequence and a line end", #"      - read: "\e[31mva\nlue""#,
            #"9:15: unknown name '\x1b[31mva\nlue' for a characteristic, expected one under 'uuids' (service, value) or a UUID"#
        ),
        steps(
            "a state of the NVS", "      - reboot: {nvs: erase}",
            "9:23: expected the state of the NVS, one of: kept, erased, got 'erase' (did you mean 'erased'?)"),
        changed(
            "a parameter", "steps:",
            "each: {level: 0...9}\n    steps: [write: {to: value, bytes: [levle]}]\n  - name: x\n    steps:",
            "9:40: unknown name 'levle' (did you mean 'level'?), expected one of: level"),
        changed(
            "a key of the suite", "uuids:", "uuid:",
            "3:1: unknown key 'uuid' in a suite (did you mean 'uuids'?), expected one of: suite, sketch, boards, parts, tags, description, uuids, centrals, defaults, before, after, cases"
        ),
    ]

    private static let numbers: [SuiteMistake] = [
        steps(
            "bytes that are no list", #"      - write: {to: value, bytes: "1"}"#,
            "9:35: expected 'bytes' to be a list such as [a, b, 2], got '1'"),
        steps(
            "a time without a unit", "      - expect: {console: on, within: 5}",
            "9:39: expected a time for 'within' with a unit (us, ms, s or min), such as 500 ms, got '5'"),
        steps(
            "a time in words", "      - expect: {console: on, within: 5 sec}",
            "9:39: expected a time for 'within' with a unit (us, ms, s or min), such as 500 ms, got '5 sec'"),
        steps("a byte above 255", "      - write: {to: value, bytes: [256]}", "9:36: expected a byte 0...255, got 256"),
        steps(
            "a byte repeated too often", "      - write: {to: value, bytes: [{repeat: 1, times: 1000001}]}",
            "9:55: expected 'times' of 0...1000000, got 1000001"),
        steps(
            "half a number", "      - write: {to: value, bytes: [0x]}",
            "9:36: expected a number such as 42, 0x2a or 0b101010 within 64 bits, got '0x'"),
        changed(
            "a range with two dots", "steps:", "each: {a: 1..5}\n    steps:",
            "8:15: a range is written 1...5, with both ends and three dots, got '1..5'"),
        changed(
            "a range without an end", "steps:", "each: {a: 1..}\n    steps:",
            "8:15: a range is written 0...255, with both ends and three dots, got '1..'"),
        steps(
            "a repeat without repetitions", "      - repeat: {times: 0, steps: [read: value]}",
            "9:25: expected 'times' of 1...10000, got 0"),
        steps(
            "a repeat beyond the limit", "      - repeat: {times: 10001, steps: [read: value]}",
            "9:25: expected 'times' of 1...10000, got 10001"),
    ]

    private static let layout: [SuiteMistake] = [
        steps(
            "lists in lists without end", "      - expect: {console: " + String(repeating: "[", count: 1100),
            "9:28: more than 1,000 lists and mappings begin here, each in the one before"),
        steps("a tab", "\t- read: value", "9:1: a tab is not allowed for indentation: use spaces"),
        steps(
            "a colon in a text", "      - expect: {console: Pin: 1234}", "9:30: a text with ': ' in it needs quotes"),
        steps("a colon in a line", "      - console: Pin: 1234", "9:21: a text with ': ' in it needs quotes"),
        steps(
            "an item further left", "      - read: value\n   - read: value",
            "10:4: this line begins in another column than the key or list item that it follows"),
        steps(
            "an item further right", "     - reset\n      - reset",
            "9:8: unknown step 'reset - reset' (the next item of a list begins in the same column), expected one of: \(words)"
        ),
        changed(
            "a key further right", "sketch:", " sketch:",
            "2:8: this line begins in another column than the key or list item that it follows"),
        steps(
            "a bracket that is not closed", "      - write: {to: value, bytes: [1]\n      - reset",
            "10:7: the '{' of line 9, column 16, is not closed"),
        steps(
            "a comment in a text", "      - expect: {console: led #1 on}",
            "10:1: the '{' of line 9, column 17, is not closed, and '#' after a space begins a comment"),
        steps(
            "a quote that is not closed", #"      - expect: {console: "on}"#,
            "9:27: the quote that begins here is not closed"),
        steps(
            "an escape in double quotes", #"      - expect: {console: "/\d+/"}"#,
            #"9:29: in double quotes '\' begins an escape: use single quotes, or write '\\'"#),
        steps(
            "a text with a brace", "      - console: {a}",
            "9:18: expected a line to type, got a mapping (a text that begins with '{' needs quotes)"),
        steps("a text with a percent sign", "      - console: %d", "9:18: a text that begins with '%' needs quotes"),
        steps(
            "no space after a colon", "      - advance:500 ms",
            "9:9: unknown step 'advance:500 ms' (a space belongs after ':'), expected one of: \(words)"),
        steps(
            "no space after a hyphen", "      -reset",
            "9:7: expected a list of steps, got '-reset' (a space belongs after '-')"),
        changed(
            "no colon", "sketch: Lamp", "sketch Lamp", "2:1: expected 'key: value' or 'key:' in this line"),
    ]

    private static let provingNothing: [SuiteMistake] = [
        changed(
            "no steps", "steps:\n      - read: value", "steps: []",
            "8:12: a case without steps proves nothing, expected at least one step"),
        steps(
            "a repeat of no steps", "      - repeat: {times: 2, steps: []}",
            "9:35: a 'repeat' without steps proves nothing, expected at least one step"),
        steps(
            "nothing of no kind of event", "      - expect: {nothing: 1 s, of: []}",
            "9:36: 'nothing' of no kind of event proves nothing, expected: notification, indication, console, disconnect, servo"
        ),
        steps(
            "no bytes of a UART", "      - expect: {uart: 1, bytes: []}",
            "9:34: 'expect' of no bytes proves nothing, expected at least one"),
        steps(
            "a stream of no bytes",
            "      - expect: {stream: value, bytes: [{random: 0, seed: 1}, {repeat: 1, times: 0}]}",
            "9:40: 'expect' of no bytes proves nothing, expected at least one"),
        steps(
            "a stream of no text", "      - expect: {stream: value, text: ''}",
            "9:39: 'expect' of no bytes proves nothing, expected at least one"),
        steps(
            "no bytes to a UART", "      - uart: {bytes: []}",
            "9:23: 'uart' of no bytes proves nothing, expected at least one"),
        steps(
            "a written stream of no bytes", "      - write: {to: value, bytes: [], rate: 9600}",
            "9:35: 'write' of no bytes proves nothing, expected at least one"),
        steps(
            "an expression that is in every line", "      - expect: {console: /a*/}",
            "9:27: '/a*/' is found in every line, as it is in an empty one: expected an expression that needs a character"
        ),
        steps(
            "an empty prompt", "      - expect: {prompt: ''}", "9:26: an empty prompt proves nothing, expected a text"),
        steps(
            "no answer for no time", "      - att: {send: [0x52], answer: none, within: 0 s}",
            "9:51: 'within' for no time proves nothing, expected a longer one"),
        steps(
            "a time-out after no time", "      - read: {from: value, within: 0 s}\n      - expect: {error: timeout}",
            "9:37: 'within' for no time proves nothing, expected a longer one"),
        changed(
            "no time for all", "before:", "defaults: {within: 0 s}\nbefore:",
            "4:20: 'within' for no time proves nothing, expected a longer one"),
        steps(
            "no services", "      - discover: {on: first}",
            "9:19: 'discover' of no service proves nothing, expected at least one"),
        steps(
            "a sweep to where it begins", "      - expect: {servo: {from: 90, to: 90}}",
            "9:25: a sweep from 90 to 90 is not a movement"),
        steps(
            "no property of a link", "      - expect: {security: []}",
            "9:28: expected 'none' for a link without protection, got an empty list"),
        steps(
            "more repetitions than end",
            "      - repeat: {times: 10000, steps: [repeat: {times: 10000, steps: [repeat: {times: 9, steps: [reset]}]}]}",
            "9:56: expected nested blocks to repeat at most 100000 times, got 10000 · 10000"),
        steps(
            "two cases of one name", "      - read: value\n  - name: switches\n    steps: [read: value]",
            "10:11: two cases are named 'switches', expected another name than in line 7"),
        steps(
            "two cases of one name with parameters",
            "      - read: value\n  - {name: '{a}', each: {a: 1}, steps: [reset]}\n  - {name: '{a}', each: {a: 2}, steps: [reset]}",
            "11:12: two cases are named '{a}', expected another name than in line 10"),
    ]

    private static let centrals: [SuiteMistake] = [
        steps(
            "a read before a connection", "      - read: value\n    before: []",
            "9:15: no step before this one connects 'first'"),
        changed(
            "the address of nobody", "before:",
            "centrals: {first: {address: secnod}}\nbefore:\n  - connect: {advertising: service, as: second}",
            "4:29: no step connects 'secnod' (did you mean 'second'?), expected one of: first, second"),
        changed(
            "settings of nobody", "before:", "centrals: {frist: {privacy: true}}\nbefore:",
            "4:12: no step connects 'frist' (did you mean 'first'?), expected one of: first"),
        changed(
            "addresses of one another", "before:",
            "centrals: {first: {address: second}, second: {address: first}}\nbefore:\n  - connect: {advertising: service, as: second}",
            "4:12: the address of 'first' leads back to itself: first, second, first"),
    ]

    /// One mistake, one message.
    private static let cascades: [SuiteMistake] = [
        steps(
            "an expected error after a faulty step",
            "      - wriet: {to: value, bytes: [1]}\n      - expect: {error: 3}",
            "9:9: unknown step 'wriet' (did you mean 'write'?), expected one of: \(words)"),
        changed(
            "a faulty connect", "{advertising: service}", "service",
            "5:14: expected 'connect' with keys (advertising, name, within, as, discover, board), got 'service'"),
        changed("a faulty UUID", "C1AB", "C1A", "3:31: expected a UUID of 4, 8 or 32 hexadecimal digits, got 'C1A'"),
    ]
}

@Suite("Mistakes in suites")
struct MistakeTests {
    @Test("are told with their place, what was expected and what to do", arguments: SuiteMistake.all)
    func told(mistake: SuiteMistake) {
        let error = #expect(throws: SuiteError.self, "\(mistake.yaml)") {
            try Suite(yaml: mistake.yaml, file: "l.yaml")
        }
        #expect(error?.description == mistake.message)
    }
}
