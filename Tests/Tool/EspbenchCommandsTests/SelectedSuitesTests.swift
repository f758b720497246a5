import BenchRuns
import BenchSuites
import CommandSupport
import EspbenchCommands
import Testing

@Suite("Selected suites")
struct SelectedSuitesTests {
    private static let calculator = """
        suite: Calculator
        sketch: Calculator
        tags: [sums]
        cases:
          - {name: "adds {a}", each: {a: 0...9}, steps: [reset]}
          - {name: subtracts, tags: [slow], steps: [reset]}
        """
    private static let lock = """
        suite: Lock
        sketch: Lock
        cases:
          - {name: opens, tags: [security], steps: [reset]}
        """

    private static func select(_ selection: CaseSelection) throws -> SelectedSuites {
        let suites = [
            try Suite(yaml: calculator, file: "calculator.yaml"), try Suite(yaml: lock, file: "lock.yaml"),
        ]
        return try SelectedSuites(suites, selection, seed: 0)
    }

    @Test("are those with selected cases")
    func suites() throws {
        #expect(try Self.select(.everything).suites.map(\.name) == ["Calculator", "Lock"])
        let one = try Self.select(CaseSelection(name: "adds 3"))
        #expect(one.suites.map(\.name) == ["Calculator"] && one.plans.map(\.instanceCount) == [1])
        #expect(try Self.select(CaseSelection(tags: ["security"])).suites.map(\.name) == ["Lock"])
    }

    @Test(
        "need a match for every pattern, also if another matches, and suggest names",
        arguments: [
            (["opnes"], "no case in 2 suites matches 'opnes' (did you mean 'opens'?)"),
            (["opens", "zzz"], "no case in 2 suites matches 'zzz'"),
            (
                ["add 3", "SUB*"],
                "no case in 2 suites matches 'add 3' (did you mean 'adds {a}'?)\nno case in 2 suites matches 'SUB*' (did you mean 'subtracts'?)"
            ),
        ])
    func unmatched(names: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try Self.select(CaseSelection(names: names.map { NamePattern($0) }))
        }
        #expect(failure?.status == .nothingRan && failure?.code == "suite.noCase")
        #expect(failure?.message == message)
        #expect(Hints.text(for: failure?.code ?? "") != nil)
    }

    @Test("need a case for every tag, and note tags to skip that nothing has")
    func tags() throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Self.select(CaseSelection(tags: ["slow", "securty"]))
        }
        #expect(failure?.status == .nothingRan)
        #expect(
            failure?.message == "no case has the tag 'securty' (did you mean 'security'?), only: security, slow, sums")
        let selected = try Self.select(CaseSelection(skippedTags: ["slwo"]))
        #expect(selected.suites.count == 2)
        #expect(
            selected.notes == [
                "--skip-tag: no case has the tag 'slwo' (did you mean 'slow'?), only: security, slow, sums"
            ])
    }

    @Test("say why nothing is left")
    func nothingLeft() {
        let failure = #expect(throws: CommandFailure.self) {
            try Self.select(CaseSelection(names: [NamePattern("adds *")], tags: ["slow"]))
        }
        #expect(failure?.status == .nothingRan)
        #expect(
            failure?.message
                == "no case is left to run: of all cases, 1 match --case, of these 0 have the wanted tags")
    }
}
