import Console
import Foundation
import Testing

@Suite("Patterns for lines")
struct LinePatternTests {
    @Test(
        "finds texts of which every match contains one, or none",
        arguments: [
            ("ready", ["ready"]), ("got IP: \\d+", ["got IP: "]), ("a|b", ["a", "b"]),
            ("(?i)ready", []),
            ("(abc)+de", ["de"]), ("abx?cd", ["ab"]), ("ab{2}cd", ["cd"]),
            ("ab{0,2}", ["a"]),
            ("\\.bin$", [".bin"]), ("[xyz]abc", ["abc"]), ("[]x]abc", ["abc"]),
            ("\\Qa.b\\E", []),
            ("\\x41bc", []), ("", []), ("bad\\.?ly", ["bad"]),
            ("^E \\(\\d+\\) wifi", [") wifi"]),
            ("assert failed|heap (corrupt|exhaust)\\w+", ["assert failed", "heap corrupt", "heap exhaust"]),
            ("ab|c*", []), ("(ab|cd)ef", ["abef", "cdef"]), ("ab|", []), ("[|]ab|cd", ["ab", "cd"]),
            ("a(b|c)(d|e)(f|g)(h|i)", ["abdf", "abdg", "abef", "abeg", "acdf", "acdg", "acef", "aceg"]),
            ("(a(b)|c", []),
            ("x(a|b)?yz", ["yz"]), ("a)b", []), ("(a|b)\\1", []),
        ])
    func literals(pattern: String, texts: [String]) {
        #expect(PatternLiterals.texts(of: pattern) == texts)
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
            "(ab)?cd", "(re|do)(ady|ne)", "a(b|c)*d", "[a-c]d{2,3}", "\\bid\\b", "a.c",
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
                let match = line.firstMatch(of: regex).map { match in
                    String(match.output.dropFirst().first?.substring ?? line[match.range])
                }
                #expect(
                    pattern.search(line) == match.map { .found($0) } ?? .missing, "'\(text)' in '\(line)'")
            }
        }
    }

    @Test("gives up a search that takes too long, and after two of them all")
    func endless() async throws {
        let line = Self.slowLine
        let pattern = try LinePattern("(a+)+$", limit: 10_000_000)
        #expect(pattern.search("baa") == .found("aa"))
        #expect(pattern.search(line) == .abandoned)
        #expect(await pattern.answer("a") == .found("a"))
        #expect(await pattern.answer(line) == .abandoned)
        #expect(pattern.search("a") == .off)
        #expect(pattern.search("b") == .off)
    }

    /// A quarter of a second of processor time; two letters more take six times as much: abandoned threads compute to the
    /// end.
    private static let slowLine = String(repeating: "a", count: 14) + "!"

    /// Without the stop the search would find the end of the line.
    @Test("ends a search at once when it is stopped, and begins no other")
    func stopped() async throws {
        let line = "aa" + Self.slowLine
        #expect(try LinePattern("(a+)+$|!").search(Self.slowLine) == .found("!"))
        let pattern = try LinePattern("(a+)+$|!", limit: .max / 2)
        // A thread: a task may have to wait for a processor longer than the search takes.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.02)
            pattern.stop()
        }
        #expect(pattern.search(line) == .missing)
        #expect(pattern.search("a") == .missing)
    }
}
