import BenchExecutor
import FirmwareBuild
import Foundation
import Testing
import VirtualBoard

/// The calls of the NimBLE API in situations in which the library asserts, crashes or refuses, each in the sketch
/// `Calls`. `README.md` beside the sketch has the table of what the library does; the built-in host is to do the same.
///
/// With `ESPBENCH_CALL_TABLE=FILE` the results are written to `FILE.builtIn.b` and so on, a line for each call.
@Suite struct CallTableTests {
    enum Situation: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case interrupt = "i"
        case beforeInit = "b"
        case afterDeinit = "d"
        case noServer = "n"

        var testDescription: String { title }

        /// The heading of its column.
        var title: String {
            switch self {
            case .interrupt: "in an interrupt"
            case .beforeInit: "before `init`"
            case .afterDeinit: "after `deinit`"
            case .noServer: "without a server"
            }
        }
    }

    @Test(arguments: Situation.allCases) func theBuiltInHostDoesWhatTheLibraryDoes(_ situation: Situation) async throws
    {
        try await compare(situation, .builtIn)
    }

    @Test(.needsNimBLELibrary, arguments: Situation.allCases)
    func theTableIsWhatTheLibraryDoes(_ situation: Situation) async throws {
        try await compare(situation, .library)
    }

    private func compare(_ situation: Situation, _ nimble: NimBLEChoice) async throws {
        let table = try Table()
        let results = try await run(situation, nimble, table)
        for (call, result) in results {
            let expected = table.rows.first { $0.call == call }?.results[situation]
            #expect(result == expected, "\(call) \(situation.title)")
        }
        #expect(results.map(\.call) == table.rows.map(\.call))
        if let path = ProcessInfo.processInfo.environment["ESPBENCH_CALL_TABLE"] {
            let lines = results.map { "\($0.call)\t\($0.result)\n" }
            try lines.joined().write(
                toFile: "\(path).\(nimble).\(situation.rawValue)", atomically: true, encoding: .utf8)
        }
    }

    // MARK: The table

    private struct Table {
        var rows: [(call: String, results: [Situation: String])] = []

        init() throws {
            let text = try String(contentsOfFile: "\(Repository.sketches)/Calls/README.md", encoding: .utf8)
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
                line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
            let titles = try #require(lines.first).dropFirst()
            for cells in lines.dropFirst(2) {
                let results = zip(titles, cells.dropFirst()).compactMap { title, cell in
                    Situation.allCases.first { $0.title == title }.map { ($0, cell) }
                }
                rows.append((cells[0], Dictionary(uniqueKeysWithValues: results)))
            }
        }
    }

    // MARK: Running

    /// The results of all calls in a situation, by the names that the sketch gives them.
    private func run(
        _ situation: Situation, _ nimble: NimBLEChoice, _ table: Table
    ) async throws -> [(call: String, result: String)] {
        let firmware = try await SketchBuilds.shared.build("Calls", nimble: nimble)
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the sketch") { log.console.hasSuffix(" calls\n") }
            let count = try #require(Int(log.console.split(whereSeparator: \.isNewline).last?.dropLast(6) ?? ""))
            var results: [(call: String, result: String)] = []
            for number in 0..<count {
                let name = number < table.rows.count ? table.rows[number].call : "\(number)"
                let former = log.console.count
                let ends = log.ends.count
                await board.type(Array("\(situation.rawValue)\(number).".utf8))
                var waited = 0
                while waited < 300, log.ends.count == ends,
                    !log.console.dropFirst(former).contains("= ")
                {
                    try await bench.sleep(.milliseconds(10))
                    waited += 1
                }
                let result = Self.result(String(log.console.dropFirst(former)), log.ends.dropFirst(ends).first)
                results.append((result.name ?? name, result.text))
                if log.ends.count == ends, !log.console.dropFirst(former).contains("= ") {
                    await board.reset()
                    try await bench.sleep(.milliseconds(100))
                }
                try await bench.wait(for: "the sketch") { log.console.hasSuffix(" calls\n") }
            }
            try await board.powerOff()
            return results
        }
    }

    /// A call's result in the table: what it returned and the statuses of `onStatus`, or how the sketch ended.
    private static func result(_ console: String, _ end: ApplicationEnd?) -> (name: String?, text: String) {
        let lines = console.split(whereSeparator: \.isNewline)
        var statuses = ""
        for line in lines where line.hasPrefix("status ") { statuses += ", \(line)" }
        if let line = lines.first(where: { $0.hasPrefix("= ") }),
            let colon = line.range(of: ": ", options: .backwards)
        {
            return (
                String(line[line.index(line.startIndex, offsetBy: 2)..<colon.lowerBound]),
                line[colon.upperBound...] + statuses
            )
        }
        switch end {
        case nil: return (nil, "never returns" + statuses)
        case .assertion(let text, _): return (nil, "`\(text.split(separator: " (").first ?? "")`")
        case .exception(let cause, _): return (nil, cause.name)
        case let end?: return (nil, end.summary)
        }
    }
}
