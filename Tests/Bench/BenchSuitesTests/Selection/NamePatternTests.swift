import BenchSuites
import Foundation
import Testing

@Suite("Patterns of names")
struct NamePatternTests {
    @Test(
        "match as a shell's do",
        arguments: [
            ("adds 1", "adds 1", true), ("adds 1", "adds 12", false), ("adds *", "adds 3 and 4", true),
            ("adds *", "adds ", true), ("adds *", "adds", false), ("*", "", true), ("", "", true), ("", "a", false),
            ("*and*", "adds 3 and 4", true), ("*a*b*c", "xaxxbxbxc", true), ("*a*b*c", "xaxxbxbxcx", false),
            ("adds ? and ?", "adds 3 and 4", true), ("adds ? and ?", "adds 13 and 4", false),
            ("reads [0-9]", "reads 7", true), ("reads [0-9]", "reads x", false), ("reads [!0-9]", "reads x", true),
            ("reads [^0-9]", "reads 7", false), ("[]]", "]", true), ("[!]]", "]", false), ("[a-]", "-", true),
            ("[z-a]", "m", false), ("[!z-a]", "m", true), ("a[b", "a[b", true), ("a[b", "ab", false),
            ("[]", "[]", true), ("\\*", "*", true),
            ("\\*", "a", false), ("a\\", "a\\", true), ("\\é", "é", true), ("a/*", "a/b/c", true), (".*", "ab", false),
            ("**", "abc", true), ("reads {n}", "reads {n}", true), ("{a}", "a", false), ("ADDS", "adds", false),
        ] as [(String, String, Bool)])
    func matches(pattern: String, name: String, expected: Bool) {
        #expect(NamePattern(pattern).matches(name) == expected)
    }

    @Test("count characters and not bytes")
    func characters() {
        #expect(NamePattern("größer ? 5").matches("größer ≥ 5"))
        #expect(NamePattern("?").matches("漢"))
        #expect(!NamePattern("??").matches("漢"))
        #expect(NamePattern("[α-ω]x").matches("λx"))
        #expect(!NamePattern("[!α-ω]x").matches("λx"))
        #expect(NamePattern("*é").matches("caffé"))
    }

    @Test("match every name that is written exactly, whatever is in it")
    func exact() {
        for name in ["[x]", "a[0-9]", "what?", "\\", "a*b", "[", "expects {a:02x} [raw]"] {
            #expect(NamePattern(name).matches(name))
        }
    }

    @Test("agree with fnmatch(3)")
    func judge() {
        let alphabet = Array("ab*?[]!-")
        var seed: UInt64 = 7
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((seed >> 33) % UInt64(bound))
        }
        for _ in 0..<20_000 {
            let pattern = String((0..<next(7)).map { _ in alphabet[next(alphabet.count)] })
            let name = String((0..<next(6)).map { _ in alphabet[next(2)] })
            guard pattern != name else { continue }
            #expect(NamePattern(pattern).matches(name) == (fnmatch(pattern, name, 0) == 0), "'\(pattern)' '\(name)'")
        }
    }

    @Test("with many stars end in time")
    func stars() {
        let pattern = NamePattern(String(repeating: "*a", count: 30) + "*b")
        #expect(!pattern.matches(String(repeating: "a", count: 5_000)))
    }
}

@Suite("Nearest names")
struct NearestNamesTests {
    private static let cases = """
          - {name: "adds {a} and {b}", each: {a: 0...9, b: 0...9}, steps: [read: x]}
          - {name: "subtracts {b} from {a}", each: {a: 0...9, b: 0...9}, steps: [read: x]}
          - {name: is there again, steps: [read: x]}
          - {name: is there again later, steps: [read: x]}
          - {name: case 2, steps: [read: x]}
          - {name: case 3, steps: [read: x]}
          - {name: case 1x, steps: [read: x]}
          - {name: case 5, steps: [read: x]}
        """

    @Test(
        "are those that differ little, also as instances, match in other case, or contain what was given",
        arguments: [
            ("ads {a} and {b}", ["adds {a} and {b}"]), ("is there agian", ["is there again"]),
            ("IS THERE *", ["is there again", "is there again later"]), ("nope", []), ("", []), ("a", []),
            ("later", ["is there again later"]), ("ads 3 and 4", ["adds {a} and {b}"]),
            ("subtracts 30 from 1", ["subtracts {b} from {a}"]), ("case 1", ["case 2", "case 3", "case 1x"]),
        ] as [(String, [String])])
    func nearest(wanted: String, expected: [String]) throws {
        let suite = try Suite(
            yaml: "suite: S\nsketch: X\nuuids: {x: \"A001\"}\nbefore: [{connect: {name: X}}]\ncases:\n\(Self.cases)",
            file: "s.yaml")
        #expect(NamePattern(wanted).nearestNames(in: [suite]) == expected)
    }
}
