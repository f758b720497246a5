import Bench
import BenchModel
import BenchSuites
import Testing
import YAMLReading

/// Conditions on values, lines and streams.
@Suite("Conditions on values")
struct ValueMatchTests {
    /// The board sends back what it gets; it can be read, too.
    private static let echo: WriteBehaviour = { bench, write in
        bench.readValue = write.value
        bench.notify(write.value, after: .milliseconds(1))
        bench.printText(String(decoding: write.value, as: UTF8.self) + "\r\n", after: .milliseconds(1))
        return .acknowledge(after: .milliseconds(2))
    }

    private func run(_ steps: [String]) throws -> FakeRun {
        let steps = steps.map { "      - \($0)\n" }.joined()
        return try runFake("  - name: x\n    each: {a: [7]}\n    steps:\n\(steps)", onWrite: Self.echo)
    }

    private static let status = #"write: {to: input, text: '{{"wifi": true, "t": [21.5, 3], "net": {{"rssi": -70}}}}'}"#
    private static let shown = #"'{"wifi": true, "t": [21.5, 3], "net": {"rssi": -70}}'"#

    private static let passing: [[String]] = [
        [status, "expect: {notification: output, json: {wifi: true}}"],
        [status, "expect: {notification: output, json: {net: {rssi: -80...-60}, t: [21 ± 1, a - 4]}}"],
        [status, "expect: {notification: output, json: {t: [2.15e1, 3]}, length: 50...60, contains: rssi}"],
        [status, "read: {from: output, json: {wifi: true}, matches: '/\"t\": .21/', length: 12...}"],
        [status, "expect: {console: {json: {wifi: true}}}"],
        [
            #"write: {to: input, text: '{{"day": "2026-11-29", "n": -3, "m": null}}'}"#,
            "read: {from: output, json: {day: 2026-11-29, n: -3, m: null}}",
        ],
        ["write: {to: input, text: T 21 OK}", "expect: {notification: output, contains: OK, length: 7}"],
        ["write: {to: input, text: T 21 OK}", #"expect: {notification: output, matches: '/^T \d+/'}"#],
        ["write: {to: input, text: T 21 OK}", "expect: {console: {contains: '21', matches: /OK$/}}"],
        ["write: {to: input, bytes: [1, a, 3]}", "expect: {notification: output, contains: [7, 3], length: a - 4}"],
        [
            "write: {to: input, bytes: [0x10, 9, 0x25]}",
            "expect: {notification: output, bytes: [0x10, 0, 0x20], mask: [0xff, 0, 0xf0]}",
        ],
        [
            "write: {to: input, text: 'noise a'}", "write: {to: input, text: \"bc\"}",
            "expect: {stream: output, contains: abc}", "write: {to: input, text: d}",
            "expect: {stream: output, text: d}",
        ],
        [
            "write: {to: input, text: \"boot\\n{{\\\"n\\\"\"}", "write: {to: input, text: \": 1}}\\r\\nT\"}",
            "expect: {stream: output, json: {n: 1}}", "expect: {stream: output, text: T}",
        ],
        [
            #"uart: {text: "a\r\nT 21\r\nx"}"#, #"expect: {uart: 1, matches: '/^T \d+$/'}"#,
            "expect: {uart: 1, bytes: [0x70], mask: [0xf0]}",
        ],
    ]

    @Test("are met by notifications, reads, lines and streams", arguments: passing)
    func met(_ steps: [String]) throws {
        let result = try run(steps)
        #expect(result.failure == nil, "\(result.failure.map { "\($0)" } ?? "")")
    }

    private static let failing: [(steps: [String], expected: String, got: String)] = [
        (
            [status, "expect: {notification: output, json: {wifi: false}}"],
            #"a notification of output with the JSON {"wifi": false} within 1 s"#,
            "\(shown): 'wifi' is true, not false, 1 ms before the step"
        ),
        (
            [status, "expect: {notification: output, json: {net: {rssi: -60...-40}}}"],
            #"a notification of output with the JSON {"net": {"rssi": -60...-40}} within 1 s"#,
            "\(shown): 'net.rssi' is -70, not -60...-40, 1 ms before the step"
        ),
        (
            [status, "read: {from: output, json: {net: {ssid: x}}}"],
            #"a read of output to give a value with the JSON {"net": {"ssid": "x"}}"#,
            "\(shown): 'net.ssid' is missing, there is rssi"
        ),
        (
            [status, "read: {from: output, json: {t: [21.5]}}"],
            #"a read of output to give a value with the JSON {"t": [21.5]}"#,
            "\(shown): 't' has 2 elements, not 1"
        ),
        (
            ["write: {to: input, text: '{{wifi}}'}", "read: {from: output, json: {wifi: on}}"],
            #"a read of output to give a value with the JSON {"wifi": "on"}"#,
            "'{wifi}': no JSON: expected a name in double quotes at byte 2, got 'w'"
        ),
        (
            ["write: {to: input, text: off}", "read: {from: output, contains: on}"],
            #"a read of output to give a value containing "on" [0x6f, 0x6e]"#, #"'off': without "on" [0x6f, 0x6e]"#
        ),
        (
            ["write: {to: input, text: off}", "read: {from: output, matches: /^on/}"],
            "a read of output to give a value matching /^on/", "'off': no part of it matches"
        ),
        (
            ["write: {to: input, bytes: [0xff]}", "read: {from: output, matches: /^on/}"],
            "a read of output to give a value matching /^on/", "0xff (255): its bytes are no UTF-8 text"
        ),
        (
            ["write: {to: input, bytes: [1, 2]}", "read: {from: output, length: 3...}"],
            "a read of output to give a value of at least 3 bytes",
            "[0x01, 0x02] (1, 2): 2 bytes in place of at least 3 bytes"
        ),
        (
            ["write: {to: input, bytes: [1, 0x31]}", "read: {from: output, bytes: [1, 0x20], mask: [0, 0xf0]}"],
            "a read of output to give [0x01, 0x20] (1, 32) in the bits of [0x00, 0xf0] (0, 240)",
            "[0x01, 0x31] (1, 49): byte 2 of 2 is 0x31, not 0x20, in the bits of the mask 0xF0"
        ),
        (
            [status, "expect: {console: {json: {wifi: false}}, within: 1 ms}"],
            #"a console line with the JSON {"wifi": false} within 1 ms"#,
            "no such line; the last with JSON is \(shown): 'wifi' is true, not false"
        ),
        (
            ["write: {to: input, text: abc}", "expect: {stream: output, contains: abd, within: 1 ms}"],
            #"bytes containing "abd" [0x61, 0x62, 0x64] as values of output within 1 ms"#,
            "3 bytes without it; the last are [0x61, 0x62, 0x63] (97, 98, 99)"
        ),
        (
            [#"uart: {text: "a\r\nx"}"#, "expect: {uart: 1, matches: /b/, within: 1 ms}"],
            "a line matching /b/ from UART 1 within 1 ms",
            "no such line among 1; the last is 'a': no part of it matches; no line feed after \"x\" 0x78"
        ),
        (
            ["uart: {bytes: [0x21]}", "expect: {uart: 1, bytes: [0x10], mask: [0xf0]}"],
            "0x10 (16) in the bits of 0xf0 (240) from UART 1 within 1 s",
            "byte 1 of 1 is 0x21, not 0x10, in the bits of the mask 0xF0, "
        ),
    ]

    @Test("that are not met say what differs")
    func differing() throws {
        for (steps, expected, got) in Self.failing {
            let failure = try run(steps).failure
            #expect(failure?.expected == expected, "\(steps)")
            #expect(failure?.got.hasPrefix(got) == true, "\(steps): \(failure?.got ?? "")")
        }
    }

    private static let refusals: [(String, String)] = [
        ("expect: {notification: 2A19, contains: ''}", "'contains' of no bytes proves nothing, expected at least one"),
        ("expect: {notification: 2A19, contains: []}", "'contains' of no bytes proves nothing, expected at least one"),
        (
            "expect: {notification: 2A19, length: 0...65535}",
            "'length' of '0...65535' proves nothing: every value has at most 512 bytes"
        ),
        (
            "expect: {notification: 2A19, length: 0...}",
            "'length' of '0...' proves nothing: every value has at most 512 bytes"
        ),
        (
            "expect: {notification: 2A19, length: 5...2}",
            "expected a number of bytes, such as 12, 12...20 or 12..., got '5...2'"
        ),
        ("expect: {notification: 2A19, json: {}}", "'json' without names proves nothing, expected at least one"),
        (
            "expect: {notification: 2A19, mask: [1]}",
            "'mask' belongs to 'bytes': it has the bits that count, with one byte for each"
        ),
        (
            "expect: {notification: 2A19, bytes: [1, 2], mask: [1]}",
            "expected 'mask' of 2 bytes, one for each of 'bytes', got 1"
        ),
        (
            "expect: {notification: 2A19, bytes: [1], mask: [0]}",
            "'mask' without bits proves nothing, expected at least one"
        ),
        (
            "expect: {notification: 2A19, text: on, contains: o}",
            "'text' is the whole value: remove it or 'contains'"
        ),
        (
            "expect: {notification: 2A19, matches: /a*/}",
            "'/a*/' is found in every line, as it is in an empty one: expected an expression that needs a character"
        ),
        ("expect: {notification: 2A19, matches: OK}", "expected a regular expression between slashes, got 'OK'"),
        (
            "expect: {uart: 1}",
            "'expect' lacks what it expects here, one of: bytes, text, contains, matches, json"
        ),
        (
            "expect: {uart: 1, length: 3}",
            "'expect' of 'uart' takes no 'length', expected: bytes, text, mask, contains, matches, json, within, board"
        ),
        ("expect: {console: {}}", "'console' without a condition proves nothing, expected: contains, matches, json"),
        (
            "expect: {console: {jsn: 1}}",
            "unknown key 'jsn' in 'console' (did you mean 'json'?), expected one of: contains, matches, json"
        ),
        (
            "expect: {console: {a}}",
            "expected a console line or a /regular expression/, got a mapping (a text that begins with '{' needs quotes)"
        ),
        ("read: {from: 2A19, contains: ''}", "'contains' of no bytes proves nothing, expected at least one"),
    ]

    @Test("that every value meets, or that are faulty, are refused with the place", arguments: refusals)
    func refused(_ step: String, _ message: String) {
        let error = #expect(throws: SuiteError.self) {
            try Suite(yaml: suiteHead + "  - name: x\n    steps:\n      - \(step)\n", file: "s.yaml")
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("s.yaml:9:") && text.contains(message), "\(text)")
    }

    @Test("of JSON with endless YAML aliases are refused")
    func aliases() {
        let lists = (1...40).map { "&l\($0) [\($0 == 1 ? "1" : "*l\($0 - 1), *l\($0 - 1)")]" }
        let json = "{" + lists.enumerated().map { "k\($0): \($1)" }.joined(separator: ", ") + "}"
        let error = #expect(throws: SuiteError.self) {
            try Suite(
                yaml: suiteHead + "  - name: x\n    steps: [read: {from: output, json: \(json)}]\n", file: "s.yaml")
        }
        #expect(error?.diagnostics.count == 1)
        #expect(error?.description.contains("expected at most 10000 values in JSON, got more") == true)
    }

    @Test("of a mask or a length are checked when they depend on parameters")
    func evaluated() throws {
        let mask = try run([
            "write: {to: input, bytes: [1]}", "read: {from: output, bytes: [1], mask: [{repeat: 255, times: a}]}",
        ])
        #expect(mask.failure?.expected == "a mask as long as 'bytes': 1" && mask.failure?.got == "7")
        let length = try run(["write: {to: input, bytes: [1]}", "read: {from: output, length: a...3}"])
        #expect(length.failure?.got == "expected a length from low to high, got 7...3")
    }
}
