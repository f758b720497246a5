import Bench
import BenchModel
import BenchSuites
import Testing
import YAMLReading

/// Steps that set parts, and expectations of them.
@Suite("Parts of a suite")
struct PartStepTests {
    private static let head = """
        suite: Fake
        sketch: Calculator
        parts:
          climate: {part: bme280}
          alarm: {part: led, pin: 26}
          arm: {part: servo, pin: 13}
          door: {part: button, pin: 27}
        cases:

        """

    private func run(_ steps: [String], each: String = "{t: [310]}", lacking: Set<BenchAbility> = []) throws -> FakeRun
    {
        let steps = steps.map { "      - \($0)\n" }.joined()
        return try runFake(
            "", yaml: Self.head + "  - name: x\n    each: \(each)\n    steps:\n\(steps)", lacking: lacking)
    }

    @Test("are set to numbers, expressions, courses and words")
    func set() throws {
        let result = try run([
            "set: {climate.temperature: 31.5, door: pressed}", "set: {climate.temperature: 0.1 * t}",
            "set: {climate.humidity: t / 10}", "set: {climate.temperature: 20...35 over 60 s}",
            "set: {climate: unplugged}", "set: {climate: plugged}",
        ])
        #expect(result.failure == nil, "\(result.failure.map { "\($0)" } ?? "")")
        let calls = result.calls.filter { $0.hasPrefix("set ") || $0.hasPrefix("climate ") || $0.hasPrefix("wire ") }
        #expect(
            calls.prefix(5) == [
                "wire climate bme280, alarm led, arm servo, door button", "set climate.temperature constant(31.5)",
                "set door.contact constant(1.0)", "set climate.temperature constant(31.0)",
                "set climate.humidity constant(31.0)",
            ])
        #expect(calls.count == 8 && calls[5].hasPrefix("set climate.temperature ramp(from: 20.0, to: 35.0"))
        #expect(calls.suffix(2) == ["climate false", "climate true"])
        #expect(result.timeline.contains("climate.temperature = 20 to 35 °C over 60 s"))
        let outside = try run(["set: {climate.temperature: t}"])
        #expect(outside.failure?.got == "expected 'temperature' of -40...85 °C, got 310")
    }

    @Test("are expected with what they are or become, and are red otherwise")
    func expect() throws {
        let warm = "set: {climate.temperature: 31}"
        let passing: [[String]] = [
            [warm, "expect: {alarm: on}", "expect: {alarm.state: on, for: 1 s}"],
            ["console: angle", "expect: {arm.angle: 90}", "expect: {arm.angle: 90.4}"],
            ["console: angle", "expect: {arm.angle: 89 ± 2}", "expect: {arm.angle: 80...100}"],
            ["console: pwm", "expect: {pwm: 5, duty: 50}", "expect: {pwm: 5, frequency: 5000 Hz, for: 1 s}"],
        ]
        for steps in passing {
            let result = try run(steps)
            #expect(result.failure == nil, "\(steps) \(result.failure.map { "\($0)" } ?? "")")
        }
        let failing: [(steps: [String], got: String)] = [
            (["expect: {arm.angle: 0, within: 5 ms}"], "the sketch has sent it no pulses: pin 13"),
            (["expect: {alarm: on, within: 5 ms}"], "the sketch has not driven pin 26"),
            ([warm, "expect: {alarm: off, within: 5 ms}"], "it became on"),
            (
                [warm, "expect: {alarm: on}", "set: {climate.temperature: 3}", "expect: {alarm: on, within: 1 ms}"],
                "off"
            ),
            (["console: pwm", "expect: {pwm: 5, duty: 49, within: 1 ms}"], "it became 5 kHz, 50 %"),
            (["console: pwm", "expect: {pwm: 5, frequency: 5.1 kHz, within: 1 ms}"], "it became 5 kHz, 50 %"),
            // Not within half of the unit.
            (["console: pwm", "expect: {pwm: 5, frequency: 0 MHz, within: 1 ms}"], "it became 5 kHz, 50 %"),
            (["console: pwm", "expect: {pwm: 5, duty: off, within: 1 ms}"], "it became 5 kHz, 50 %"),
            (["expect: {pwm: 4, duty: 50, within: 1 ms}"], "the sketch has not begun one"),
        ]
        for (steps, got) in failing {
            let result = try run(steps)
            #expect(result.failure?.got.contains(got) == true, "\(steps) \(result.failure.map { "\($0)" } ?? "")")
        }
    }

    @Test("that cannot be wired fail every case, and skip on a bench without parts only the cases that use them")
    func wiring() throws {
        let yaml = Self.head.replacing("alarm:", with: "faulty:") + "  - {name: x, steps: [advance: 1 s]}"
        let faulty = try runFake("", yaml: yaml)
        #expect(faulty.failure?.got.contains("part 'faulty': too hot") == true)
        let bare = try runFake(
            "",
            yaml: Self.head + "  - {name: x, steps: [advance: 1 s]}\n  - {name: y, steps: [set: {door: pressed}]}\n",
            lacking: [.parts])
        #expect(bare.result.counts.passed == 1 && bare.result.counts.skipped == 1)
        #expect(bare.result.cases[1].skipReason == "needs: simulated parts")
    }

    @Test(
        "are set to courses, of which each mistake is explained",
        arguments: [
            ("-5...5", "a course needs a time: -5...5 over 10 s, got '-5...5'"),
            ("-5...5 over 10", "a course needs a time with a unit (us, ms, s or min): -5...5 over 10 s"),
            ("-5...5 over a while", "a course needs a time with a unit (us, ms, s or min): -5...5 over 10 s"),
            ("-5 to 5 in 10 s", "a course is written -5...5 over 10 s, got '-5 to 5 in 10 s'"),
            ("-5 to 5", "a course needs a time: -5...5 over 10 s"),
            ("5 over 10 s", "a course needs both of its ends: 20...35 over 60 s"),
        ])
    func courses(_ course: String, _ message: String) {
        let error = #expect(throws: SuiteError.self) {
            try Suite(
                yaml: Self.head + "  - {name: x, steps: [set: {climate.temperature: \(course)}]}\n", file: "s.yaml")
        }
        #expect(error?.diagnostics.count == 1)
        #expect(error?.description.contains("s.yaml:9:50: \(message)") == true, "\(error?.description ?? "")")
    }

    private static let silent: [(String, String)] = [
        ("parts: {s: {part: own}}", "parts/own.yaml:1:1: a part lacks the key 'summary'"),
        ("parts: {s: {part: ledd, pin: 4}}", "unknown part 'ledd'"),
        ("parts: {s: 5}", "expected a part with its wiring"),
        ("parts: {s: {part: led, pin: 4, board: b}}", "unknown board 'b'"),
        ("parts: [s]", "expected 'parts' to map names to parts"),
    ]

    @Test("that could not be read cause no errors where steps use them", arguments: silent)
    func faultyParts(_ parts: String, _ message: String) {
        let steps = "[set: {s.light: 5}, set: {s: unplugged}, expect: {s.count: 5, within: 1 s}, expect: {s: on}]"
        let error = #expect(throws: SuiteError.self) {
            try Suite(
                yaml: "suite: S\nsketch: X\n\(parts)\ncases: [{name: x, steps: \(steps)}]\n", file: "s.yaml"
            ) { path in
                guard path == "parts/own.yaml" else { throw NotFound() }
                return "{part: own, source: x, addresses: [0x10], registers: {A: {}}}"
            }
        }
        let diagnostics = error?.diagnostics ?? []
        #expect(diagnostics.allSatisfy { $0.position.line == 3 }, "\(error?.description ?? "")")
        #expect(diagnostics.contains { $0.message.contains(message) }, "\(error?.description ?? "")")
    }

    private struct NotFound: Error {}

    private static let refusals: [(String, String)] = [
        ("parts: 3", "expected 'parts' to map names to parts"),
        ("parts: {a: {part: led}}", "a led needs 'pin'"),
        ("parts: {a: {part: ledd, pin: 4}}", "unknown part 'ledd' (did you mean 'led'?)"),
        ("parts: {a: {part: led, pin: 99}}", "the ESP32 has no pin 99"),
        ("parts: {a: {part: led, pin: 7}}", "pin 7 is connected to the flash"),
        ("parts: {pwm: {part: led, pin: 4}}", "a part cannot be named 'pwm'"),
        ("parts: {a.b: {part: led, pin: 4}}", "expected a part's name of letters"),
        ("parts: {a: {part: bme280}, b: {part: bme280}}", "have the address 0x76 on one bus"),
        ("parts: {a: {part: bme280, i2c: 0x78}}", "a bme280 has one of the addresses 0x76, 0x77, got '0x78'"),
        ("parts: {a: {part: led, pin: 4, aktive: low}}", "unknown key 'aktive' in a led (did you mean 'active'?)"),
        ("parts: {a: {part: divider, pin: 34, ratio: 0}}", "expected 'ratio' to be a number of 1...1000, got '0'"),
        ("parts: {a: {part: divider, pin: 5}}", "pin 5 has no analog-to-digital converter"),
        ("parts: {a: {part: led, pin: 35}}", "pin 35 can only be an input, and a led needs an output"),
        ("parts: {a: {part: divider, pin: 34}, b: {part: voltage, pin: 34}}", "'b' and 'a' cannot share pin 34"),
        ("parts: {a: {part: bme280}, b: {part: led, pin: 21}}", "'b' and 'a' cannot share pin 21"),
    ]

    @Test("are refused with the place and the remedy", arguments: refusals)
    func refused(_ parts: String, _ message: String) {
        let error = #expect(throws: SuiteError.self) {
            try Suite(
                yaml: "suite: S\nsketch: X\n\(parts)\ncases: [{name: x, steps: [advance: 1 s]}]\n", file: "s.yaml")
        }
        #expect(error?.description.contains("s.yaml:3:") == true)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
