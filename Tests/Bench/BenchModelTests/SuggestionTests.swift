import BenchModel
import Testing

@Suite("Suggestions for mistyped words")
struct SuggestionTests {
    @Test(
        "the nearest word within a third of the letters is suggested",
        arguments: [
            ("wriet", ["read", "write", "wait"], "write"),
            ("Write", ["read", "write"], "write"),
            ("too", ["to", "bytes"], "to"),
            ("valeu", ["service", "value"], "value"),
            ("nofity", ["read", "notify"], "notify"),
            ("secnod", ["first", "second"], "second"),
            ("adds 3", ["adds 4", "adds 3 and 4"], "adds 4"),
        ])
    func suggests(_ word: String, _ candidates: [String], _ expected: String) {
        #expect(Suggestion.nearest(to: word, in: candidates) == expected)
    }

    @Test(
        "a word far from all, or among them, has no suggestion",
        arguments: [
            ("banana", ["read", "write"]), ("write", ["wrote", "write"]), ("", ["a"]), ("x", ["a", "b"]),
            ("on", ["by"]),
            ("anything", []),
        ])
    func suggestsNothing(_ word: String, _ candidates: [String]) {
        #expect(Suggestion.nearest(to: word, in: candidates) == nil)
        #expect(Suggestion.text(for: word, in: candidates) == "")
    }

    @Test(
        "the distance counts changed, inserted, removed and exchanged letters",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "abcd", 1), ("abc", "bc", 1),
            ("abcd", "abdc", 1),
            ("kitten", "sitting", 3), ("", "ab", 2), ("ca", "abc", 3),
        ])
    func measures(_ left: String, _ right: String, _ expected: Int) {
        #expect(Suggestion.distance(Array(left), Array(right), atMost: 5) == expected)
        #expect(Suggestion.distance(Array(right), Array(left), atMost: 5) == expected)
        if expected > 0 { #expect(Suggestion.distance(Array(left), Array(right), atMost: expected - 1) == nil) }
    }

    @Test("very long words end at once")
    func ignoresLongWords() {
        let long = String(repeating: "a", count: 1_000_000)
        #expect(Suggestion.nearest(to: long, in: [long + "b"]) == nil)
        #expect(Suggestion.nearest(to: "b", in: [long]) == nil)
    }

    @Test("the text asks for the word")
    func asks() {
        #expect(Suggestion.text(for: "wriet", in: ["write"]) == " (did you mean 'write'?)")
    }
}
