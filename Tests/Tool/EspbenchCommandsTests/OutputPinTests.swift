import Foundation
import Testing

/// Levels of output pins on the virtual bench, and what must be red: a wrong pin, level or time.
@Suite("The level of an output pin", .ownThreads)
struct OutputPinTests {
    /// Each case by its steps, and a text of its failure; `nil`: it passes.
    private static let cases: [(steps: [String], failure: String?)] = [
        (
            [
                "expect: {pin: p, level: high}", "expect: {pin: p, level: low, within: 5 ms}",
                "expect: {pin: p, level: high, within: 1 s}", "expect: {pin: p - 1, level: high, for: 2900 ms}",
                "expect: {pin: p, level: low, for: 90 ms}",
            ], nil
        ),
        (
            [
                "expect: {console: ready}", "console: p", "expect: {pin: 27, level: high}",
                "expect: {pin: 27, level: low}",
            ], nil
        ),
        // What blinked before an action is not its effect; what blinks after it is.
        (
            ["advance: 500 ms", "console: x", "expect: {pin: 26, level: high, within: 100 ms}"],
            "pin 26 high within 100 ms"
        ),
        (["console: x", "expect: {console: ready}", "expect: {pin: 26, level: high}"], nil),
        // What blinked while time passed is over.
        (
            ["console: x", "advance: 500 ms", "expect: {pin: 26, level: high, within: 0 s}"],
            "expected  pin 26 high within 0 ns"
        ),
        // The first level is that of pinMode().
        (["expect: {pin: 27, level: low, for: 10 s}"], nil),
        // The last level satisfies again, a skipped one does not.
        (["expect: {pin: 25, level: high}", "expect: {pin: 25, level: high}"], nil),
        (["expect: {pin: 25, level: high}", "expect: {pin: 25, level: low}"], "it became high "),
        (
            ["expect: {pin: 26, level: low}", "expect: {pin: 26, level: low, for: 2 s}"],
            "expected  pin 26 low for 2 s\n    got       it became high, after "
        ),
        (
            ["expect: {pin: 25, level: high, for: 10 s}"],
            "expected  pin 25 high for 10 s\n    got       it was not driven any more, after "
        ),
        (
            ["expect: {pin: 13, level: high}"],
            "got       it is not an output: digitalWrite() before pinMode() has no effect"
        ),
        (
            ["expect: {pin: 14, level: low}"],
            "got       the sketch has not made it an output, as with pinMode(14, OUTPUT)"
        ),
        (
            ["expect: {pin: 25, level: high}", "power: off", "expect: {pin: 25, level: high}"],
            "expected  pin 25 high within 1 s\n    got       "
        ),
        (
            [
                "expect: {console: ready}", "console: r", "expect: {console: /rst:0xc/, within: 2 s}",
                "expect: {pin: 25, level: high, within: 0 s}",
            ],
            "got       it was not driven any more "
        ),
    ]

    @Test("is expected, and is red for another pin, level, time, and after the end of the program")
    func levels() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        try withTemporaryFolder { folder in
            let cases = Self.cases.enumerated().map { index, value in
                let steps = value.steps.map { "      - \($0)\n" }.joined()
                return "  - name: case \(index)\n    each: {p: 26}\n    before: []\n    steps:\n\(steps)"
            }
            let sketch = root.appending(path: "Tests/Board/Sketches/Outputs").path
            try Data("suite: Outputs\nsketch: \(sketch)\ncases:\n\(cases.joined())".utf8)
                .write(to: folder.appending(path: "s.yaml"))
            let result = try EspbenchProcess(
                ["test", "--project", root.path, "s.yaml", "--nimble", "built-in"], folder: folder
            ).run()
            for (index, value) in Self.cases.enumerated() {
                let report =
                    result.output.split(separator: "case \(index)", maxSplits: 1).last
                    .flatMap { $0.split(separator: "case \(index + 1)", maxSplits: 1).first } ?? ""
                guard let failure = value.failure else {
                    #expect(result.output.contains("✓ case \(index) "), "case \(index): \(report)")
                    continue
                }
                #expect(result.output.contains("✗ case \(index) "), "case \(index): \(result.output)")
                #expect(report.contains(failure), "case \(index): \(report)")
            }
        }
    }
}
