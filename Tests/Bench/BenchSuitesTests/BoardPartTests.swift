import BenchSuites
import BoardParts
import Testing
import YAMLReading

/// The parts of several boards, and those of diagrams.
@Suite("Parts of boards")
struct BoardPartTests {
    private static let diagram = """
        {"version": 1, "parts": [{"type": "board-esp32-devkit-c-v4", "id": "esp"}, {"type": "wokwi-led", "id": "lamp"},
        {"type": "wokwi-pushbutton", "id": "door"}, {"type": "wokwi-pir-motion-sensor", "id": "motion"}],
        "connections": [["esp:26", "lamp:A"], ["esp:GND.1", "lamp:C"], ["esp:27", "door:1.l"], ["esp:GND.1", "door:2.l"],
        ["esp:13", "motion:OUT"]]}
        """

    private struct NotFound: Error, CustomStringConvertible {
        let description: String
    }

    private func suite(_ head: String, _ steps: String...) throws -> Suite {
        let steps = steps.map { "      - \($0)\n" }.joined()
        return try Suite(yaml: "suite: S\n\(head)\ncases:\n  - name: x\n    steps:\n\(steps)", file: "s.yaml") { path in
            guard path == "diagram.json" else { throw NotFound(description: "\(path): no such file") }
            return Self.diagram
        }
    }

    private func places(_ suite: Suite) -> [String] {
        suite.parts.map { "\(suite.boardNames[$0.board.index]) \($0.part.name) \($0.part.wiring.pins["pin"] ?? [])" }
    }

    @Test("are those of a diagram beside the suite")
    func ofADiagram() throws {
        let suite = try suite("sketch: X\nparts: diagram.json", "set: {door: pressed}", "expect: {lamp: on}")
        #expect(places(suite) == ["board lamp [26]", "board door [27]"])
        #expect(
            suite.notes.map { "\($0)" } == [
                "diagram.json:2:45: 'motion' is not simulated: espbench knows no part like wokwi-pir-motion-sensor"
            ])
    }

    @Test("stand under each board, and steps name the board where several have a part of the name")
    func ofBoards() throws {
        let boards = """
            boards:
              a: {sketch: Lamp, parts: {lamp: {part: led, pin: 4}, own: {part: led, pin: 5}}}
              b: {sketch: Remote, parts: diagram.json}
              c.1: Third
            """
        let suite = try suite(
            boards, "set: {door: pressed}", "set: {b.door: pressed, b.door.contact: released}",
            "set: {b.door: unplugged}",
            "expect: {a.lamp: on}", "expect: {b.lamp.brightness: 50}", "expect: {own: on}")
        #expect(places(suite) == ["a lamp [4]", "a own [5]", "b lamp [26]", "b door [27]"])
        #expect(suite.sketchReferences.map { $0?.name } == ["Lamp", "Remote", "Third"])
        #expect(suite.boards[1].reference.position == SourcePosition(line: 4, column: 15))
    }

    @Test("of boards and of the suite are one set")
    func ofBoth() throws {
        let suite = try suite(
            "boards: {a: {sketch: X, parts: {l: {part: led, pin: 4}}}, b: Y}\nparts: {l: {part: led, pin: 4, board: b}}",
            "expect: {b.l: on}")
        #expect(places(suite) == ["b l [4]", "a l [4]"])
    }

    @Test("replace those of a diagram that are not simulated")
    func replaced() throws {
        let suite = try suite(
            "boards: {a: {sketch: X, parts: diagram.json}}\nparts: {motion: {part: switch, pin: 13, active: high}}",
            "set: {motion: closed, a.motion.contact: open}")
        #expect(places(suite) == ["a motion [13]", "a lamp [26]", "a door [27]"])
    }

    private static let refusals: [(head: String, step: String, message: String)] = [
        (
            "boards: {a: {sketch: X, parts: diagram.json}, b: {sketch: X, parts: {motion: {part: switch, pin: 4}}}}",
            "set: {motion: closed}", "several boards have a part 'motion', expected one of: b.motion, a.motion"
        ),
        (
            "sketch: X\nparts: diagram.json", "expect: {motion: on}",
            "s.yaml:7:18: 'motion' is not simulated: wokwi-pir-motion-sensor of diagram.json, line 2: espbench knows no part"
        ),
        ("sketch: X\nparts: diagram.json", "set: {motion.x: 5}", "s.yaml:7:15: 'motion' is not simulated"),
        ("sketch: X\nparts: diagram.json", "set: {lamb: on}", "unknown part 'lamb' (did you mean 'lamp'?)"),
        ("sketch: X\nparts: other.json", "set: {lamp: on}", "s.yaml:3:8: other.json: no such file"),
        (
            "sketch: X\nparts: diagram.yaml", "advance: 1 s",
            "s.yaml:3:8: expected 'parts' to map names to parts, or to be a file"
        ),
        (
            "boards: {a: X, b: Y}\nparts: diagram.json", "expect: {lamp: on}",
            "expected which one, as in 'boards: {a: {sketch: …"
        ),
        ("boards: {a: {parts: {}}}", "advance: 1 s", "s.yaml:2:13: a board lacks the key 'sketch'"),
        (
            "boards: {a: {sketch: X, tags: 3}}", "advance: 1 s",
            "unknown key 'tags' in a board, expected one of: sketch, parts"
        ),
        (
            "boards: {a: {sketch: X, parts: 3}}", "advance: 1 s",
            "expected 'parts' to map names to parts, or to be a file"
        ),
        (
            "boards: {a: {sketch: X, parts: {l: {part: led, pin: 4, board: a}}}}", "advance: 1 s",
            "'l' belongs to the board 'a': remove 'board'"
        ),
        (
            "boards: {a: {sketch: X, parts: {b: {part: led, pin: 4}}}, b: Y}", "advance: 1 s",
            "a part cannot be named 'b', as a board is"
        ),
        (
            "boards: {a: {sketch: X, parts: {l: {part: led, pin: 4}}}, b: Y}\nparts: {l: {part: led, pin: 5, board: a}}",
            "advance: 1 s", "a board has two parts named 'l', expected different names"
        ),
        (
            "boards: {a: {sketch: X, parts: diagram.json}, b: {sketch: X, parts: diagram.json}}", "expect: {lamp: on}",
            "s.yaml:6:18: several boards have a part 'lamp', expected one of: a.lamp, b.lamp"
        ),
        (
            "boards: {a: {sketch: X, parts: diagram.json}, b: {sketch: X, parts: diagram.json}}",
            "expect: {b.motion: on}",
            "'b.motion' is not simulated"
        ),
        (
            "boards: {a: {sketch: X, parts: diagram.json}, b: {sketch: X, parts: {o: {part: led, pin: 4}}}}",
            "set: {b.lamp: 1}",
            "unknown part 'b.lamp', expected one of: o"
        ),
    ]

    @Test("are refused with the place and the remedy", arguments: refusals)
    func refused(_ head: String, _ step: String, _ message: String) {
        let error = #expect(throws: SuiteError.self) { try suite(head, step) }
        #expect(error?.diagnostics.count == 1, "\(error?.description ?? "")")
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("whose diagram is faulty cause no errors where steps use them")
    func faultyDiagram() {
        let error = #expect(throws: SuiteError.self) {
            try Suite(
                yaml:
                    "suite: S\nsketch: X\nparts: d.json\ncases: [{name: x, steps: [set: {a: on}, expect: {b: on}]}]\n",
                file: "s.yaml"
            ) { _ in "{\"parts\": [{\"id\": 3}]}" }
        }
        #expect(error?.diagnostics.allSatisfy { $0.position.line == 3 } == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("s.yaml:3:8: d.json:1:12: expected a part with 'type' and 'id'") == true)
    }
}
