import BenchModel
import CommandSupport
import EspbenchCommands
import Foundation
import MonotonicTime
import Testing

@Suite("Showing timelines", .ownThreads)
struct ShowTests {
    private static let file: [UInt8] = {
        var writer = TimelineLineWriter()
        let events = [
            event(0, 0, "suite", TimelineBegan(seed: 0)),
            event(0, 0, "suite", SuiteBegan(name: "Lamp", file: "lamp.yaml")),
            event(1_000_000_000, 1, "suite", CaseBegan(name: "lights")),
            event(1_100_000_000, 1, "console", ConsoleLineReceived("on")),
            event(1_300_000_000, 1, "suite", CaseEnded(cause: nil)),
            event(2_000_000_000, 2, "suite", CaseBegan(name: "dims 3")),
            event(2_100_000_000, 2, "first", MTUChanged(185)),
            event(2_300_000_000, 2, "suite", CaseEnded(cause: .assertion)),
        ]
        for event in events { writer.append(event) }
        writer.append(event(2_300_000_000, 0, "suite", TimelineEnded(events: events.count)))
        return writer.bytes
    }()

    private static func event(
        _ nanoseconds: Int64, _ caseNumber: Int, _ source: String, _ payload: some EventPayload
    ) -> BenchEvent {
        BenchEvent(
            time: MonotonicInstant(nanoseconds: nanoseconds), source: source, caseNumber: caseNumber, payload: payload)
    }

    /// Shows a file with these bytes; `shell` runs the tool as in ``EspbenchProcess``.
    private func show(
        _ arguments: [String], _ bytes: some Sequence<UInt8> = file, shell: String? = nil
    ) throws -> (code: Int32, output: String, errors: String) {
        try withTemporaryFolder { folder in
            try Data(bytes).write(to: folder.appending(path: "t.jsonl"))
            return try EspbenchProcess(["show"] + arguments, folder: folder, shell: shell).run()
        }
    }

    @Test("prints suites, cases and events")
    func whole() throws {
        let result = try show(["t.jsonl"])
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(
            result.output == """
                     bench s      case s  source         event
                    0.000000              suite          timeline version 3, seed 0

                Lamp  lamp.yaml

                case 1: lights
                    1.100000    0.100000  console        on
                    1.300000    0.300000  suite          passed

                case 2: dims 3
                    2.100000    0.100000  first          MTU 185
                    2.300000    0.300000  suite          failed: assertion
                    2.300000              suite          end of the timeline

                """)
        #expect(try show(["-"], shell: "cat t.jsonl | \"$@\"").output == result.output)
    }

    @Test("prints the wanted events as the timeline has them with --json")
    func objects() throws {
        #expect(try show(["t.jsonl", "--json"]).output == String(decoding: Self.file, as: UTF8.self))
        let lines = String(decoding: Self.file, as: UTF8.self).split(separator: "\n")
        let wanted = try show(["t.jsonl", "--json", "--kind", "console"]).output
        #expect(wanted == lines.filter { $0.contains(#""kind":"console""#) }.map { $0 + "\n" }.joined())
        let none = try show(["t.jsonl", "--json", "--kind", "servo"])
        #expect(none.output.isEmpty && none.errors == "no event in t.jsonl is as wanted\n")
    }

    @Test("chooses cases, kinds and times")
    func choice() throws {
        func lines(_ arguments: String...) throws -> [Substring] {
            try show(["t.jsonl"] + arguments).output.split(separator: "\n").dropFirst().map { $0.dropFirst(41) }
        }
        #expect(try lines("--case", "dims *").map(String.init) == ["", "MTU 185", "failed: assertion"])
        #expect(try lines("--kind", "console", "--kind", "mtu").map(String.init) == ["on", "MTU 185"])
        #expect(
            try lines("--around", "2.2s").map(String.init) == ["MTU 185", "failed: assertion", "end of the timeline"])
        #expect(try lines("--around", "100ms", "--window", "1 ms", "--case", "lights").map(String.init) == ["", "on"])
    }

    @Test(
        "refuses what is no timeline, and shows what is before a fault",
        arguments: [
            ([UInt8](), "error: t.jsonl:1: expected a timeline, got nothing"),
            (Array("suite: S\n".utf8), "error: t.jsonl:1: not a timeline: expected a JSON object"),
            (
                Array(String(decoding: file, as: UTF8.self).replacing("lights", with: "\u{1}").utf8),
                "error: t.jsonl:3: expected"
            ),
            (Array(file.dropLast(20)), "error: t.jsonl:9: the timeline ends in the middle of a line"),
            (
                Array(file.split(separator: 10).dropLast().joined(separator: [10])) + [10],
                "error: t.jsonl:9: expected a last line of kind 'end'"
            ),
            (
                Array(String(decoding: file, as: UTF8.self).replacing("\"version\":3", with: "\"version\":9").utf8),
                "error: t.jsonl:1: expected a timeline of version 1 to 3, got version 9: a newer espbench wrote it"
            ),
        ] as [([UInt8], String)])
    func faults(bytes: [UInt8], message: String) throws {
        let result = try show(["t.jsonl"], bytes)
        #expect(result.code == ExitReason.badInput.rawValue)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.contains("hint: "), "\(result.errors)")
        #expect(result.output.contains("MTU 185") == message.contains("jsonl:9"))
    }

    @Test(
        "names what it cannot do",
        arguments: [
            (["nowhere"], 8, "error: nowhere could not be read: No such file or directory"),
            (["."], 8, "error: . could not be read: Is a directory"),
            (
                ["t.jsonl", "--case", "light"], 2,
                "error: t.jsonl has no case 'light' (did you mean 'lights'?); it has 'lights'"
            ),
            (
                ["t.jsonl", "--kind", "consol"], 64,
                "There is no kind 'consol' (did you mean 'console'?); the kinds are"
            ),
            (["t.jsonl", "--around", "5"], 64, "Expected a time with a unit"),
            (["t.jsonl", "--window", "5s"], 64, "--window needs --around."),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], code: Int32, message: String) throws {
        let result = try show(arguments)
        #expect(result.code == code)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test("ends without an error when its reader leaves")
    func closedPipe() throws {
        let many = Self.file.split(separator: 10, omittingEmptySubsequences: false)
        let lines =
            many[..<4].joined(separator: [10]) + [10]
            + Array(repeating: many[3] + [10], count: 20_000).joined()
        let result = try show(["t.jsonl"], lines, shell: "{ \"$@\"; echo \"code $?\" >&2; } | head -n 1")
        #expect(result.output.hasSuffix("event\n"))
        #expect(result.errors == "code 0\n")
    }
}
