import YAMLReading
import BenchModel
import BenchSuites
import Testing

@Suite("Suites with several boards")
struct SeveralBoardsReaderTests {
    private static let head = """
        suite: S
        boards: {server: Lamp, client: ../Remote}
        before: [connect: {name: X}]
        cases:
          - name: x
            steps:

        """

    private static func diagnostics(_ yaml: String) throws -> [String] {
        let error = try #require(throws: SuiteError.self) { try Suite(yaml: yaml, file: "s.yaml") }
        return error.diagnostics.map { "\($0.position.line):\($0.position.column): \($0.message)" }
    }

    @Test("name them with their sketches, in order")
    func boards() throws {
        let suite = try Suite(yaml: Self.head + "      - reset: client\n", file: "s.yaml")
        #expect(suite.boards.map(\.name) == ["server", "client"] && suite.boardCount == 2)
        #expect(suite.sketchReferences.map { $0?.name } == ["Lamp", "../Remote"])
        #expect(suite.boards[1].reference.position == SourcePosition(line: 2, column: 32))
        #expect(suite.sketch == "Lamp, ../Remote")
        #expect(suite.information.boards.map(\.sketch) == ["Lamp", "../Remote"])
    }

    @Test("with one named board are as with a sketch")
    func oneBoard() throws {
        let suite = try Suite(
            yaml: """
                suite: S
                boards: {lamp: Lamp}
                cases: [{name: x, steps: [reset, {expect: {console: on, board: lamp}}, {expect: {bonds: 0, of: lamp}}]}]
                """, file: "s.yaml")
        #expect(suite.boardCount == 1 && suite.sketchReference?.name == "Lamp" && suite.information.boards.isEmpty)
    }

    @Test("accept every step that names a board")
    func steps() throws {
        let steps = [
            "power: {switch: off, board: client}", "power: {cut: {console: x}, board: client}",
            "power: {cut: {pdu: request, nth: 2}, board: client}", "reset: client", "reset: {board: client}",
            "reboot: client", "reboot: {nvs: erased, board: client}", "button: {press: 1 s, board: client}",
            "button: {hold: 27, board: client}", "console: {type: hello, board: client}",
            "connect: {name: X, as: second, board: client}", "scan: {name: X, board: server}",
            "connect: {board: server}", "scan: {board: client, absent: 2 s}",
            "pair: {passkey: '/(.*)/', board: server}", "pair: {passkey: overheard, board: server}",
            "forget: server", "forget: {on: server, of: client}", "forget: {on: server, of: first}",
            "fault: {drop: response, from: peripheral, board: server}", "fault: none",
            "radio: {loss: 1}", "radio: {loss: 1, board: server}", "expect: {console: x, board: server}",
            "expect: {prompt: x, board: server}", "expect: {servo: 9, board: server}",
            "expect: {power: off, board: client}", "expect: {nothing: 1 s}", "expect: {nothing: 1 s, board: server}",
            "expect: {bonds: 1, of: server}", "expect: {bonds: [first, client], of: server}",
        ]
        let suite = try Suite(
            yaml: Self.head + steps.map { "      - \($0)\n" }.joined(), file: "s.yaml")
        #expect(suite.cases[0].steps.count == steps.count)
    }

    @Test("may have a board for steps that name none")
    func defaultBoard() throws {
        let yaml = (Self.head + "      - power: cycle\n      - expect: {bonds: 0, of: board}\n").replacing(
            "before:", with: "defaults: {board: client}\nbefore:")
        let step = try #require(try Suite(yaml: yaml, file: "s.yaml").cases[0].steps[0].action(as: PowerStep.self))
        #expect(step.board.index == 1)
    }

    /// Steps on line 7, with what is wrong with each.
    static let mistakes: [(step: String, message: String)] = [
        (
            "power: cycle",
            "7:9: the suite has several boards, expected which one, as in 'power: {switch: off, board: server}', one of: server, client"
        ),
        (
            "reset",
            "7:9: the suite has several boards, expected which one, as in 'reset: server', one of: server, client"
        ),
        (
            "console: hello",
            "7:9: the suite has several boards, expected which one, as in 'console: {type: …, board: server}', one of: server, client"
        ),
        (
            "expect: {console: hello}",
            "7:17: the suite has several boards, expected which one, as in 'board: server', one of: server, client"
        ),
        (
            "forget: board",
            "7:17: the suite has several boards, expected which one, as in 'server', one of: server, client"
        ),
        (
            "expect: {console: hello, board: clint}",
            "7:41: unknown board 'clint' (did you mean 'client'?), expected one of: server, client"
        ),
        ("reset: clint", "7:16: unknown board 'clint' (did you mean 'client'?), expected one of: server, client"),
        (
            "expect: {nothing: 1 s, board: lamp}", "7:39: unknown board 'lamp', expected one of: server, client"
        ),
        ("radio: {loss: 1, board: lamp}", "7:33: unknown board 'lamp', expected one of: server, client"),
        ("connect: {name: X, as: server}", "7:32: 'server' is a board, not a central"),
        ("forget: {on: server, of: server}", "7:34: a board has no bond with itself"),
        (
            "fault: {drop: response, from: board, board: server}",
            "7:39: expected who sends it, one of: peripheral, central, got 'board'"
        ),
        (
            "power: {cut: {pdu: request, from: central}, board: server}",
            "7:43: with several boards a cut counts the PDUs that its board receives: remove 'from'"
        ),
        (
            "expect: {disconnect: any, board: server}",
            "7:42: 'expect' of 'disconnect' takes no 'board', expected: on, within"
        ),
    ]

    @Test("refuse a step that is about no board, or one that there is not", arguments: mistakes.indices)
    func mistake(index: Int) throws {
        let (step, message) = Self.mistakes[index]
        #expect(try Self.diagnostics(Self.head + "      - \(step)\n") == [message])
    }

    @Test("are refused for what is wrong with their boards")
    func faults() throws {
        let cases = "cases: [{name: x, steps: [{advance: 1 s}]}]\n"
        func diagnostics(_ boards: String) throws -> [String] { try Self.diagnostics("suite: S\n\(boards)\n" + cases) }
        #expect(
            try diagnostics("sketch: Lamp\nboards: {a: Lamp}")
                == ["3:9: a suite has a 'sketch' or 'boards' with a sketch each, got both"])
        #expect(
            try diagnostics("boards: [Lamp, Remote]")
                == [
                    "2:9: expected 'boards' to map names to sketches, such as {server: Lamp, client: Remote}, got a list"
                ])
        #expect(
            try diagnostics("boards: {}")
                == [
                    "2:9: expected 'boards' to map names to sketches, such as {server: Lamp, client: Remote}, got none"
                ])
        #expect(
            try diagnostics("boards: {a b: Lamp}")
                == ["2:10: expected a board's name of letters, digits, '_', '-' and '.', got 'a b'"])
        #expect(
            try diagnostics("boards: {console: Lamp, first: Lamp}")
                == [
                    "2:10: a board cannot be named 'console', expected another name",
                    "2:25: a board cannot be named 'first', expected another name",
                ])
        #expect(
            try diagnostics("boards: {a: [Lamp]}") == [
                "2:13: expected a sketch, got a list (a text that begins with '[' needs quotes)"
            ])
        let many = (1...9).map { "b\($0): Lamp" }.joined(separator: ", ")
        #expect(try diagnostics("boards: {\(many)}") == ["2:9: expected at most 8 boards, got 9"])
        #expect(try diagnostics("boards: {a: Lamp, a: Remote}").first?.hasPrefix("2:") == true)
        #expect(
            try diagnostics("boards: {a: Lamp, b: Lamp}\ndefaults: {board: c}")
                == ["3:19: unknown board 'c', expected one of: a, b"])
        #expect(
            try diagnostics("boards: {a: Lamp, b: Lamp}\ncentrals: {b: {privacy: true}}")
                == ["3:12: 'b' is a board, not a central"])
    }

    @Test("with a sketch refuse the name of a board")
    func noBoards() throws {
        #expect(
            try Self.diagnostics("suite: S\nsketch: Lamp\ncases: [{name: x, steps: [{reset: lamp}]}]\n")
                == [
                    "3:35: unknown board 'lamp': the suite names no boards, expected 'boards: {lamp: …}' in place of 'sketch'"
                ])
    }
}
