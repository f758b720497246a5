import YAMLReading
import FirmwareBuild
import BenchProject
import BenchSuites
import Testing

@Suite("espbench.yaml")
struct ProjectFileTests {
    @Test("has sketches, suites, libraries and benches, one path or a list")
    func complete() throws {
        let file = try ProjectFile(
            yaml: """
                sketches: [firmware/*, extra/Lamp]
                suites: tests
                libraries:
                  - libraries
                nimble: built-in
                benches:
                  default: {kind: virtual, seed: 7}
                  nightly: default
                """, file: "espbench.yaml")
        #expect(file.sketches?.map(\.text) == ["firmware/*", "extra/Lamp"])
        #expect(file.suites.map(\.text) == ["tests"])
        #expect(file.libraries?.map(\.text) == ["libraries"])
        #expect(file.nimble == .builtIn)
        #expect(file.benches["default"]?.kind == "virtual")
        #expect(file.benches["default"]?.seed == 7)
        #expect(file.benches["nightly"]?.kind == "default")
        #expect(ProjectFile.bench("nightly", in: file.benches) == ProjectFile.Bench(kind: "virtual", seed: 7))
        #expect(ProjectFile.bench("weekly", in: file.benches) == nil)
        let circle = ["a": ProjectFile.Bench(kind: "b"), "b": ProjectFile.Bench(kind: "a")]
        #expect(["a", "b"].contains(ProjectFile.bench("a", in: circle)?.kind))
    }

    @Test("may be empty", arguments: ["", "# nothing\n", "---\n"])
    func empty(yaml: String) throws {
        let file = try ProjectFile(yaml: yaml, file: "espbench.yaml")
        #expect(file.sketches == nil && file.nimble == nil)
        #expect(file.benches.isEmpty)
    }

    @Test(
        "names place, expectation and what came",
        arguments: [
            ("- a\n", "1:1: expected a project with keys (sketches, suites, libraries, nimble, benches), got a list"),
            ("text\n", "1:1: expected a project with keys (sketches, suites, libraries, nimble, benches), got 'text'"),
            ("sketches: {a: b}\n", "1:11: expected 'sketches' to be a list of paths, got a mapping"),
            ("suites:\n  - [a]\n", "2:5: expected a path in 'suites', got a list"),
            ("libraries: ''\n", "1:12: expected a path in 'libraries', got ''"),
            ("nimble: builtin\n", "1:9: expected 'nimble' to be library or built-in, got 'builtin'"),
            ("nimble: [library]\n", "1:9: expected 'nimble' to be library or built-in, got a list"),
            ("benches: virtual\n", "1:10: expected 'benches' to map names to benches, got 'virtual'"),
            ("benches: {a: {seed: 1}}\n", "1:14: the bench lacks the key 'kind'"),
            (
                "benches: {a: {kind: virtual, seed: -1}}\n",
                "1:36: expected a seed of 0 to 18446744073709551615, got '-1'"
            ),
            ("benches: {a: a}\n", "1:14: the bench 'a' cannot be of its own kind"),
            (
                "suites:\n\t- a\n",
                "2:1: a tab is not allowed for indentation: use spaces"
            ),
        ])
    func faults(yaml: String, message: String) {
        let error = #expect(throws: SuiteError.self) { try ProjectFile(yaml: yaml, file: "espbench.yaml") }
        #expect(error?.description == "espbench.yaml:" + message)
    }

    @Test("an unknown key is told with the known ones")
    func unknownKey() {
        let error = #expect(throws: SuiteError.self) {
            try ProjectFile(yaml: "\nsketchs: [a]\n", file: "p/espbench.yaml")
        }
        #expect(
            error?.description.hasPrefix(
                "p/espbench.yaml:2:1: unknown key 'sketchs' in a project (did you mean 'sketches'?), expected one of: sketches, suites, libraries, nimble, benches"
            ) == true)
    }
}
