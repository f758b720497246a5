import Console
import Testing

@Suite("Patterns for lines")
struct LinePatternTests {
    @Test(
        "finds texts of which every match contains one, or none",
        arguments: [
            ("ready", ["ready"], true), ("got IP: \\d+", ["got IP: "], false), ("a|b", ["a", "b"], false),
            ("(?i)ready", [], false),
            ("(abc)+de", ["de"], false), ("abx?cd", ["ab"], false), ("ab{2}cd", ["cd"], false),
            ("ab{0,2}", ["a"], false),
            ("\\.bin$", [".bin"], false), ("[xyz]abc", ["abc"], false), ("[]x]abc", ["abc"], false),
            ("\\Qa.b\\E", [], false),
            ("\\x41bc", [], false), ("", [], false), ("bad\\.?ly", ["bad"], false),
            ("^E \\(\\d+\\) wifi", [") wifi"], false),
            ("assert failed|heap (corrupt|exhaust)\\w+", ["assert failed", "heap "], false),
            ("ab|c*", [], false), ("(ab|cd)ef", ["ef"], false), ("ab|", [], false), ("[|]ab|cd", ["ab", "cd"], false),
        ])
    func literals(pattern: String, texts: [String], isWhole: Bool) {
        let literals = LinePattern.literals(of: pattern)
        #expect(literals.texts == texts)
        #expect(literals.isWhole == isWhole)
    }

    @Test("refuses what is no expression")
    func malformed() {
        #expect(throws: (any Error).self) { try LinePattern("(a") }
    }

    /// The search for the literal must never refuse what the expression accepts.
    @Test("matches exactly where the expression does")
    func agreesWithRegex() throws {
        let patterns = [
            "ready", "got ip: ?\\d+", "a+b*c?", "^boot", "done$", "x|y", "ready|id|got", "add|b*d", "^boot|[|]done",
            "(ab)?cd", "[a-c]d{2,3}", "\\bid\\b", "a.c",
            "\\[E\\]", "E \\(\\d+\\) (wifi|bt): .*fail", "\\.$", "a{0}b", "", "\\w+=\\w+",
        ]
        let lines = [
            "", "ready", "not ready yet", "got ip: 1", "got ip:22", "aabcc", "bc", "reboot", "boot ok", "done", "done.",
            "x", "cd", "abcd", "add", "bddd", "an id here", "idea", "abc", "a\\c", "[E]", "E (12) wifi: x fail",
            "E (1) bt: fail", "E (1) ble: fail", "b", "k=v",
        ]
        for text in patterns {
            let pattern = try LinePattern(text)
            let regex = try Regex(text)
            for line in lines {
                #expect(pattern.matches(line) == (line.firstMatch(of: regex) != nil), "'\(text)' in '\(line)'")
            }
        }
    }
}
