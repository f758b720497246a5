import BenchModel
import BenchSuites
import Testing
import YAMLReading

/// Expectations of the text of a character display.
@Suite("The text of a display")
struct DisplayTextTests {
    private func run(_ steps: [String]) throws -> FakeRun {
        let steps = steps.map { "      - \($0)\n" }.joined()
        let head = "suite: S\nsketch: X\nparts: {lcd: {part: lcd1602}}\ncases:\n"
        return try runFake("", yaml: head + "  - name: x\n    each: {t: [23]}\n    steps:\n\(steps)")
    }

    private static let met: [[String]] = [
        ["console: write Hello", "expect: {lcd: Hello}", "expect: {lcd.text: Hello, for: 1 s}"],
        ["console: write T {t} °C|up", "expect: {lcd: ['T {t} °C', up]}", "expect: {lcd.line1: T 23 °C}"],
        ["console: write T 23 °C", #"expect: {lcd: '/\d+ °C$/'}"#, #"expect: {lcd: {matches: '/^T \d/'}}"#],
        ["console: write a|b", #"expect: {lcd: "a\nb"}"#, "expect: {lcd: {contains: b}}"],
        ["console: write a", "expect: {lcd: a}", "console: 'write '", "expect: {lcd: ''}", "expect: {lcd.line1: ''}"],
    ]

    @Test("is expected as a whole, by its lines, and by conditions", arguments: met)
    func conditionsAreMet(_ steps: [String]) throws {
        let failure = try run(steps).failure
        #expect(failure == nil, "\(steps) \(failure.map { "\($0)" } ?? "")")
    }

    private static let unmet: [([String], String)] = [
        (["expect: {lcd: '', within: 1 ms}"], "the sketch has not addressed it on its bus"),
        (["console: write Hello", "expect: {lcd: Hell, within: 1 ms}"], "it became Hello"),
        (["console: write a|b", "expect: {lcd: a, within: 1 ms}"], #"it became a\nb"#),
        (["console: write a|b", "expect: {lcd: [a], within: 1 ms}"], #"it became a\nb"#),
        (["console: write a", "expect: {lcd: '/A/', within: 1 ms}"], "it became a"),
        (["console: write a", "expect: {lcd: {contains: aa}, within: 1 ms}"], "it became a"),
        (["console: write a", "advance: 1 ms", "console: write b", "expect: {lcd: a, within: 1 ms}"], "it became b"),
    ]

    @Test("that is another one is red", arguments: unmet)
    func conditionsAreUnmet(_ steps: [String], _ got: String) throws {
        let failure = try run(steps).failure
        #expect(failure?.got.contains(got) == true, "\(steps) \(failure.map { "\($0)" } ?? "")")
    }

    @Test(
        "is refused with the remedy",
        arguments: [
            ("expect: {lcd: '/(/'}", "expected a regular expression, got '('"),
            ("expect: {lcd: '/x*/'}", "is found in every line"),
            ("expect: {lcd: {}}", "'text' without a condition proves nothing"),
            ("expect: {lcd: {length: 3}}", "unknown key 'length' in 'text'"),
            ("expect: {lcd.line3: a}", "unknown reading 'line3' (did you mean 'line1'?)"),
        ])
    func refused(_ step: String, _ message: String) {
        let error = #expect(throws: SuiteError.self) { try run([step]) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
