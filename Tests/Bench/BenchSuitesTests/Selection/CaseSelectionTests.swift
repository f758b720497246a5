import YAMLReading
import BenchModel
import BenchSuites
import Testing

@Suite("Selections of cases")
struct CaseSelectionTests {
    private static func suite(_ cases: String, tags: String = "") throws -> BenchSuites.Suite {
        try Suite(
            yaml:
                "suite: S\nsketch: X\n\(tags)\nuuids: {x: \"A001\"}\nbefore: [{connect: {name: X}}]\ncases:\n\(cases)",
            file: "s.yaml")
    }

    private static let cases = """
          - {name: "adds {a} and {b}", tags: [slow, sums], each: {a: 0...9, b: 0...9}, steps: [read: x]}
          - {name: "reads {n}", each: {n: [5, 50, 500]}, steps: [read: x]}
          - {name: "adds nothing", tags: [sums], steps: [read: x]}
          - {name: "what? [raw] {{n}}", steps: [read: x]}
        """

    private static func plan(_ selection: CaseSelection, seed: UInt64 = 0, tags: String = "") throws -> [Int: [Int]] {
        let plan = selection.plan(try suite(cases, tags: tags), seed: seed)
        return Dictionary(uniqueKeysWithValues: plan.cases.map { ($0.index, Array($0.instances)) })
    }

    @Test("without any part are everything")
    func everything() throws {
        let plan = try Self.plan(.everything)
        #expect(plan == [0: Array(0..<100), 1: [0, 1, 2], 2: [0], 3: [0]])
    }

    @Test(
        "by name take a case, an instance or a pattern of both",
        arguments: [
            ("adds {a} and {b}", [0: Array(0..<100)]), ("adds 3 and 4", [0: [34]]),
            ("adds *", [0: Array(0..<100), 2: [0]]),
            ("adds * and 7", [0: stride(from: 7, to: 100, by: 10).map(\.self)]),
            ("* and {b}", [0: Array(0..<100)]), ("reads ???", [1: [2]]), ("reads ?", [1: [0]]),
            ("reads [5]0", [1: [1]]), ("reads {n}", [1: [0, 1, 2]]), ("reads 5*", [1: [0, 1, 2]]),
            ("what? [raw] {{n}}", [3: [0]]), ("what? [raw] {n}", [3: [0]]), ("nope", [:]), ("Adds *", [:]),
            ("*", [0: Array(0..<100), 1: [0, 1, 2], 2: [0], 3: [0]]),
        ] as [(String, [Int: [Int]])])
    func names(name: String, expected: [Int: [Int]]) throws {
        #expect(try Self.plan(CaseSelection(name: name)) == expected)
    }

    @Test("by several names take what matches any of them, in the order of the suite")
    func severalNames() throws {
        let selection = CaseSelection(names: ["reads 500", "adds 0 and 1", "reads 5"].map { NamePattern($0) })
        #expect(try Self.plan(selection) == [0: [1], 1: [0, 2]])
    }

    @Test("by an instance's own name take it, whatever is in it")
    func exactNames() throws {
        for name in [#"C:\{n}"#, "[{n}] {n}", #"\*{n}"#, "?{n}*"] {
            let suite = try Self.suite("  - {name: '\(name)', each: {n: [5, 6]}, steps: [read: x]}")
            let plan = CaseSelection(name: name.replacing("{n}", with: "6")).plan(suite, seed: 0)
            #expect(plan.cases.map { Array($0.instances) } == [[1]], "\(name)")
        }
    }

    @Test("name the patterns that match nothing")
    func unmatched() throws {
        let selection = CaseSelection(
            names: ["adds *", "nope", "reads 6", "reads {n}", "adds 9 and 9"].map { NamePattern($0) })
        #expect(selection.unmatchedNames(in: [try Self.suite(Self.cases)]).map(\.source) == ["nope", "reads 6"])
    }

    @Test("by tag take the cases with any of them, without those to skip")
    func tags() throws {
        #expect(try Self.plan(CaseSelection(tags: ["slow"])).keys.sorted() == [0])
        #expect(try Self.plan(CaseSelection(tags: ["slow", "sums"])).keys.sorted() == [0, 2])
        #expect(try Self.plan(CaseSelection(tags: ["sums"], skippedTags: ["slow"])).keys.sorted() == [2])
        #expect(try Self.plan(CaseSelection(skippedTags: ["sums"])).keys.sorted() == [1, 3])
        #expect(try Self.plan(CaseSelection(tags: ["all"]), tags: "tags: [all]").count == 4)
        #expect(try Self.plan(CaseSelection(skippedTags: ["all"]), tags: "tags: [all]").isEmpty)
        let plan = CaseSelection(names: [NamePattern("adds *")], tags: ["nope"]).plan(
            try Self.suite(Self.cases), seed: 0)
        #expect(plan.namedCases == 2 && plan.taggedCases == 0 && plan.cases.isEmpty)
    }

    @Test("by instance take those of a former run")
    func instances() throws {
        func instance(_ caseName: String, _ name: String, file: String = "s.yaml") -> CaseSelection.Instance {
            CaseSelection.Instance(file: file, caseName: caseName, name: name)
        }
        var selection = CaseSelection(instances: [
            instance("adds {a} and {b}", "adds 9 and 9"), instance("adds {a} and {b}", "adds 0 and 0"),
            instance("adds {a} and {b}", "adds 10 and 0"), instance("reads {n}", "reads 5", file: "t.yaml"),
            instance("gone", "gone"),
        ])
        #expect(try Self.plan(selection) == [0: [0, 99]])
        selection.names = [NamePattern("* and 9")]
        #expect(try Self.plan(selection) == [0: [99]])
        selection.instances = []
        #expect(try Self.plan(selection).isEmpty)
    }

    @Test("take samples: of the given size, in order, the same for the same seed, another for another")
    func samples() throws {
        let selection = CaseSelection(sampleSize: 7)
        let plan = try Self.plan(selection)
        #expect(plan[0]?.count == 7 && plan[0] == plan[0]?.sorted() && Set(plan[0] ?? []).count == 7)
        #expect(plan[1] == [0, 1, 2] && plan[2] == [0])
        #expect(try Self.plan(selection) == plan)
        #expect(try Self.plan(selection, seed: 1) != plan)
        let cases = selection.plan(try Self.suite(Self.cases), seed: 0).cases
        #expect(cases.map(\.sampledFrom) == [100, nil, nil, nil])
        // Of what is selected, and no other for what else is.
        #expect(try Self.plan(CaseSelection(names: [NamePattern("adds {a} and {b}")], sampleSize: 7))[0] == plan[0])
        let narrow = try Self.plan(CaseSelection(names: [NamePattern("adds * and 7")], sampleSize: 3))
        #expect(narrow[0]?.count == 3 && narrow[0]?.allSatisfy { $0 % 10 == 7 } == true)
    }

    @Test("take samples without bias")
    func bias() throws {
        let suite = try Self.suite("  - {name: \"{n}\", each: {n: 0...9}, steps: [read: x]}")
        var hits = [Int](repeating: 0, count: 10)
        for seed in 0..<4_000 {
            for index in CaseSelection(sampleSize: 3).plan(suite, seed: UInt64(seed)).cases[0].instances {
                hits[index] += 1
            }
        }
        // Expected 1,200 each, with a standard deviation of 29.
        #expect(hits.allSatisfy { abs($0 - 1_200) < 120 }, "\(hits)")
    }

    @Test("of nothing do not look at the instances of large matrices")
    func large() throws {
        let suite = try Self.suite(
            "  - {name: \"{a} {b}\", each: {a: 0...2999, b: 0...2999}, steps: [read: x]}")
        let plan = CaseSelection.everything.plan(suite, seed: 0)
        #expect(plan.instanceCount == 9_000_000 && plan.cases[0].instances == InstanceIndices(count: 9_000_000))
    }

    @Test(
        "by faulty tags are refused with line and column",
        arguments: [
            ("tags: slow", "3:7: expected 'tags' to be a list such as [slow, security], got 'slow'"),
            ("tags: [a b]", "3:8: expected a tag of letters, digits, '_', '-' and '.', got 'a b'"),
            ("tags: [-x]", "3:8: expected a tag of letters, digits, '_', '-' and '.', got '-x'"),
            ("tags: [a, b, a]", "3:14: tag given twice: a"),
            ("tags: [[a]]", "3:8: expected a tag of letters, digits, '_', '-' and '.', got a list"),
        ])
    func faultyTags(tags: String, message: String) {
        let error = #expect(throws: SuiteError.self) { try Self.suite(Self.cases, tags: tags) }
        #expect(error?.diagnostics.map(\.description) == ["s.yaml:" + message])
    }
}
