import YAMLReading
import BenchModel
import BenchSuites
import Foundation
import Testing

/// Tests every kind of step and expectation in the registries.
@Suite("Every kind of step")
struct StepKindTests {
    private static let firmware = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Firmware").standardized

    /// The first cells, and the rows, of the reference's table of steps.
    private static func reference() throws -> [(step: Substring, row: Substring)] {
        let text = try String(contentsOf: firmware.appending(path: "SUITES.md"), encoding: .utf8)
        let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("Steps\n") })
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            (row.dropFirst(3).prefix { $0 != "|" }, row)
        }
    }

    /// A suite with these steps, in which `second` is connected.
    private static func suite(_ steps: [String]) -> String {
        """
        suite: S
        sketch: Calculator
        description: battery
        parts: {climate: {part: bme280}, door: {part: button, pin: 27}, alarm: {part: led, pin: 26}}
        before:
          - connect: {advertising: 180F}
          - connect: {advertising: 180F, as: second}
        cases:
          - name: x
            steps:

        """ + steps.map { "      - \($0)\n" }.joined()
    }

    /// A step that must be refused, at line 11 of its suite.
    private static func expectRefused(_ mistake: String) throws {
        let error = #expect(throws: SuiteError.self, "\(mistake)") {
            try Suite(yaml: suite([mistake]), file: "c.yaml")
        }
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(error?.diagnostics.count == 1, "\(error.map { "\($0)" } ?? "")")
        #expect(diagnostic.position.line == 11 && !diagnostic.message.isEmpty)
    }

    @Test("has a unique name, and is in the reference")
    func documented() throws {
        #expect(Set(StepKind.all.map(\.word)).count == StepKind.all.count)
        let steps = try Self.reference().map(\.step)
        for kind in StepKind.all {
            #expect(steps.contains { $0.hasPrefix("\(kind.word)`") || $0.hasPrefix("\(kind.word):") }, "\(kind.word)")
        }
        let expectations = try Self.reference().filter { $0.step.hasPrefix("expect:") }
        for kind in ExpectationKind.all {
            #expect(
                expectations.contains {
                    $0.step.hasPrefix("expect: {\(kind.word):") || $0.row.contains("`\(kind.word)`")
                },
                "\(kind.word)")
        }
    }

    @Test("is read from its examples, and refuses its mistake")
    func read() throws {
        for kind in StepKind.all {
            #expect(!kind.examples.isEmpty)
            let suite = try Suite(yaml: Self.suite(kind.examples), file: "c.yaml")
            #expect(suite.cases[0].steps.map(\.word) == kind.examples.map { _ in kind.word })
            try Self.expectRefused(kind.mistake)
        }
        for kind in ExpectationKind.all {
            #expect(!kind.examples.isEmpty && kind.examples.allSatisfy { $0.hasPrefix("expect: {\(kind.word):") })
            #expect(kind.mistake.hasPrefix("expect: {\(kind.word):"))
            let suite = try Suite(yaml: Self.suite(kind.examples), file: "c.yaml")
            #expect(suite.cases[0].steps.count == kind.examples.count)
            try Self.expectRefused(kind.mistake)
        }
    }

    @Test("is run by a suite of a sketch, or here")
    func run() throws {
        var words = Set(Self.runHere.keys)
        let folders = try FileManager.default.contentsOfDirectory(at: Self.firmware, includingPropertiesForKeys: nil)
        for folder in folders.map({ $0.appending(path: "Suites") }) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names.sorted() where name.hasSuffix(".yaml") {
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                let suite = try Suite(yaml: text, file: name) { path in
                    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                }
                words.formUnion(suite.allSteps.map(\.word))
            }
        }
        #expect(words.isSuperset(of: StepKind.all.map(\.word)), "\(Set(StepKind.all.map(\.word)).subtracting(words))")
        for (word, step) in Self.runHere {
            let result = try runFake("  - {name: x, steps: [\(step)]}")
            #expect(result.failure == nil && result.result.counts.passed == 1, "\(word)")
        }
    }

    /// The kinds that no suite of a sketch uses.
    private static let runHere = [
        "console": "console: hello", "i2c": "i2c: {address: 0x28, write: [1], read: [1, 21]}",
    ]

    /// For each kind of expectation, steps after which it passes on the fake bench, and steps after which it fails.
    private static let expectations: [String: (holds: String, fails: String)] = [
        "notification": (
            "write: {to: input, bytes: [1]}}, {expect: {notification: output, bytes: [1]}",
            "expect: {notification: output, within: 1 ms}"
        ),
        "indication": (
            "write: {to: input, bytes: [0xEE]}}, {expect: {indication: output}",
            "write: {to: input, bytes: [1]}}, {expect: {indication: output, within: 1 ms}"
        ),
        "console": ("expect: {console: /adv/}", "expect: {console: nothing, within: 1 ms}"),
        "prompt": (
            "write: {to: input, bytes: [0xEE]}}, {expect: {prompt: '> '}", "expect: {prompt: '> ', within: 1 ms}"
        ),
        "value": (
            "write: {to: input, bytes: [7]}}, {write: {to: input, bytes: [54]}}, {expect: {value: sum.output, is: 54}",
            "write: {to: input, bytes: [7]}}, {expect: {value: sum.output, about: 54, within: 10 ms}"
        ),
        "disconnect": (
            "write: {to: input, bytes: [0xEE]}}, {expect: {disconnect: 0x13}", "expect: {disconnect: any, within: 1 ms}"
        ),
        "servo": ("expect: {servo: detached}", "expect: {servo: 90, within: 1 ms}"),
        "pin": (
            "console: pin high}, {expect: {pin: 26, level: high, for: 1 s}",
            "console: pin high}, {expect: {pin: 26, level: low, within: 1 ms}"
        ),
        "pwm": (
            "console: pwm}, {expect: {pwm: 5, duty: 50 ± 1 %, frequency: 5 kHz}",
            "console: pwm}, {expect: {pwm: 5, duty: 48 ± 1 %, within: 1 ms}"
        ),
        "pulses": (
            "console: pulse}, {expect: {pulses: 26, count: 1}",
            "console: pulse}, {expect: {pulses: 26, count: 2, within: 1 ms}"
        ),
        "connection": (
            "expect: {connection: {interval: 30 ms, latency: 0, timeout: 4 s, phy: 1M}}",
            "expect: {connection: {phy: 2M}, within: 1 ms}"
        ),
        "uart": (
            "uart: {text: abc}}, {uart: {text: d}}, {expect: {uart: 1, text: abcd}",
            "uart: {text: abc}}, {expect: {uart: 1, text: abd}"
        ),
        "stream": (
            "write: {to: input, bytes: [1, 2]}}, {write: {to: input, bytes: [3]}}, {expect: {stream: output, bytes: [1, 2, 3]}",
            "write: {to: input, bytes: [1, 2]}}, {expect: {stream: output, bytes: [1, 3]}"
        ),
        "security": ("expect: {security: none}", "expect: {security: encrypted, within: 1 ms}"),
        "bonds": ("expect: {bonds: 0, of: board}", "expect: {bonds: 1, of: first, within: 1 ms}"),
        "advertisement": (
            "expect: {advertisement: {name: Test Peripheral, connectable: true}, as: second}",
            "expect: {advertisement: {connectable: false}, within: 100 ms, as: second}"
        ),
        "power": (
            "power: {cut: {nvs write: 1}}}, {write: {to: input, bytes: [1]}}, {expect: {power: off}",
            "expect: {power: off, within: 1 ms}"
        ),
        "nothing": ("expect: {nothing: 1 s}", "write: {to: input, bytes: [1]}}, {expect: {nothing: 1 s}"),
    ]

    private static let onWrite: WriteBehaviour = { bench, write in
        if write.value == [0xEE] {
            bench.notify([1], isIndication: true, after: .milliseconds(1))
            bench.printText("> ", after: .milliseconds(1))
            bench.drop(reason: 0x13, after: .milliseconds(2))
        } else {
            bench.notify(write.value, after: .milliseconds(1))
        }
        return .acknowledge(after: .zero)
    }

    @Test("takes numbers with parameters in every key")
    func parameters() throws {
        let head = suiteHead.replacing("before:", with: "description: fake.yaml\nbefore:")
        let run = try runFake(
            "",
            yaml: head + """
                  - name: "{a}"
                    each: {a: 1...2}
                    steps:
                      - button: {press: 1 ms, pin: a * 4}
                      - button: {hold: a + 20}
                      - button: {release: a + 20}
                      - uart: {text: abc, port: a}
                      - expect: {uart: a, text: abc}
                      - write: {to: input, bytes: [a, a], rate: 9600 * a}
                      - expect: {value: sum.output, about: a, tolerance: a}
                      - expect: {value: sum.output, between: [a - 1, a + 0]}
                """,
            onWrite: { bench, write in
                for value in write.value { bench.notify([value], after: .milliseconds(1)) }
                return .acknowledge(after: .zero)
            })
        #expect(run.failure == nil && run.result.counts.passed == 2, "\(run.failure.map { "\($0)" } ?? "")")
        for call in [
            "button 4 pressed", "button 8 released", "button 21 pressed", "button 22 released", "uart 1 3", "uart 2 3",
        ] {
            #expect(run.calls.contains { $0.hasPrefix(call) }, "\(call): \(run.calls)")
        }
        let outside = try runFake(
            "  - {name: x, each: {a: 2}, steps: [button: {press: 1 ms, pin: a * 25}]}")
        #expect(outside.failure?.expected == "a pin of 0...48" && outside.failure?.got == "50")
        let other = try runFake(
            "",
            yaml: head + """
                  - name: x
                    each: {a: 2}
                    steps:
                      - write: {to: input, bytes: [a]}
                      - expect: {value: sum.output, between: [a + 1, a + 2], within: 5 ms}
                """, onWrite: Self.onWrite)
        #expect(
            other.failure?.expected == "sum.output between 3 and 4 g within 5 ms", "\(other.failure?.expected ?? "")")
    }

    @Test("of expectation can pass and fail")
    func expectations() throws {
        #expect(Set(Self.expectations.keys) == Set(ExpectationKind.all.map(\.word)))
        for (word, (holds, fails)) in Self.expectations {
            let head = suiteHead.replacing("before:", with: "description: fake.yaml\nbefore:")
            let good = try runFake(
                "", yaml: head + "  - {name: x, steps: [{\(holds)}]}", onWrite: Self.onWrite)
            #expect(good.failure == nil, "\(word): \(good.failure.map { "\($0)" } ?? "")")
            let bad = try runFake(
                "", yaml: head + "  - {name: x, steps: [{\(fails)}]}", onWrite: Self.onWrite)
            #expect(
                [.assertion, .timedOut].contains(bad.failure?.cause) && bad.failure?.got.isEmpty == false, "\(word)")
        }
    }
}
