import BenchSuites
import BoardParts
import Testing
import YAMLReading

/// Files from which parts are read without a suite being run.
@Suite("A file of parts")
struct PartsFileTests {
    private struct NotFound: Error {}

    private func read(_ yaml: String) throws -> PartsFile {
        try PartsFile(yaml: yaml, file: "in/p.yaml") { path in
            guard path == "parts/own.yaml" else { throw NotFound() }
            return "{part: own, summary: own, source: x, addresses: [0x10], registers: {A: {address: 0}}}"
        }
    }

    @Test(
        "is the mapping of a suite's parts, in YAML or JSON, or a suite",
        arguments: [
            "a: {part: led, pin: 26}\nb: {part: own}\n",
            "{\"a\": {\"part\": \"led\", \"pin\": 26}, \"b\": {\"part\": \"own\"}}",
            "suite: S\nsketch: X\nparts: {a: {part: led, pin: 26}, b: {part: own}}\ncases: [{name: c, steps: [advance: 1 s]}]",
        ])
    func forms(_ yaml: String) throws {
        let file = try read(yaml)
        #expect(file.parts.map { "\($0.part.name) \($0.part.kind.name) \($0.board.index)" } == ["a led 0", "b own 0"])
        #expect(file.parts[0].part.allPins == [26])
        #expect(file.boards.isEmpty)
        #expect(file.sketch?.name == (yaml.hasPrefix("suite") ? "X" : nil))
    }

    @Test("may have parts that are named as keys of a suite")
    func names() throws {
        let file = try read("suite: {part: led, pin: 26}\ncases: {part: led, pin: 27}\nparts: {part: led, pin: 25}")
        #expect(file.parts.map(\.part.name) == ["suite", "cases", "parts"])
    }

    @Test("with several boards says to which a part belongs")
    func boards() throws {
        let file = try read(
            """
            suite: S
            boards: {left: X, right: Y}
            parts: {a: {part: led, pin: 26, board: right}, b: {part: led, pin: 26, board: left}}
            cases: [{name: c, steps: [{expect: {pin: 26, level: low, board: left}}]}]
            """)
        #expect(file.boards.map(\.sketch) == ["X", "Y"])
        #expect(file.parts.map(\.board.index) == [1, 0])
    }

    @Test(
        "with a fault is refused with its place",
        arguments: [
            ("", "in/p.yaml:1:1: expected a suite, got an empty file"),
            ("- a", "in/p.yaml:1:1: expected 'parts' to map names to parts"),
            ("a:\n  part: ledd\n  pin: 26", "in/p.yaml:2:9: unknown part 'ledd' (did you mean 'led'?)"),
            ("a: {part: led, pin: 26}\nb: {part: led, pin: 99}", "in/p.yaml:2:21: "),
            ("a: {part: led, pin: 26, board: left}", "unknown board 'left'"),
            ("a: {part: led\n", "in/p.yaml:2:1: "),
            ("suite: S\ncases: [{name: c, steps: [advance: 1]}]", "in/p.yaml:2:"),
        ])
    func faults(_ yaml: String, _ message: String) {
        let error = #expect(throws: SuiteError.self) { try read(yaml) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
