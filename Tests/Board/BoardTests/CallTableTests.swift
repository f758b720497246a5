import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import Foundation
import Testing
import VirtualBoard

/// The calls of the NimBLE API in situations in which the library asserts, crashes or refuses, each in the sketch
/// `Calls`. `README.md` beside the sketch has the table of what the library does; the built-in host is to do the same.
///
/// With `ESPBENCH_CALL_TABLE=FILE` the results are written to `FILE.builtIn.b` and so on.
@Suite struct CallTableTests {
    enum Situation: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case interrupt = "i"
        case beforeInit = "b"
        case afterDeinit = "d"
        case noServer = "n"
        case deinitAndInit = "r"
        case callback = "C"
        case interruptWithClient = "I"
        case afterDeinitWithClient = "D"

        var testDescription: String { title }

        /// The heading of its column.
        var title: String {
            switch self {
            case .interrupt: "in an interrupt"
            case .beforeInit: "before `init`"
            case .afterDeinit: "after `deinit`"
            case .noServer: "without a server"
            case .deinitAndInit: "after `deinit` and `init`"
            case .callback: "in `onWrite`"
            case .interruptWithClient: "in an interrupt, with a client"
            case .afterDeinitWithClient: "after `deinit`, with a client"
            }
        }

        /// A client connects, subscribes and writes.
        var hasClient: Bool { rawValue.first?.isUppercase ?? false }
    }

    @Test(arguments: Situation.allCases) func theBuiltInHostDoesWhatTheLibraryDoes(_ situation: Situation) async throws
    {
        try await compare(situation, .builtIn)
    }

    @Test(.needsNimBLELibrary, arguments: Situation.allCases)
    func theTableIsWhatTheLibraryDoes(_ situation: Situation) async throws {
        try await compare(situation, .library)
    }

    /// After `deinit(false)` and `init` the library serves nothing, and of a client without a server it tells nothing.
    @Test(arguments: ["R", "N"]) func aClientFindsNoServices(_ situation: String) async throws {
        try await expectNoServices(situation, .builtIn)
    }

    @Test(.needsNimBLELibrary, arguments: ["R", "N"])
    func aClientFindsNoServicesOfTheLibrary(_ situation: String) async throws {
        try await expectNoServices(situation, .library)
    }

    private func expectNoServices(_ situation: String, _ nimble: NimBLEChoice) async throws {
        let number = try #require(try RecordedTable(of: "Calls").names.firstIndex(of: "getServer"))
        try await BoardBench.run("Calls", nimble) { bench, board, log in
            try await bench.wait(for: "the sketch") { log.console.hasSuffix(" calls\n") }
            await board.type(Array("\(situation)\(number).".utf8))
            let (central, _) = try await bench.central()
            let connection = try await central.connectAndAccept(
                to: PeerID(board.bluetoothAddress), within: .seconds(5))
            #expect(try await central.discoverServices(on: connection).map(\.uuid) == [])
            try await bench.wait(for: "the call") { log.console.contains("= ") }
            #expect(log.console.contains("= getServer: \(situation == "R" ? 1 : 0)"))
        }
    }

    private func compare(_ situation: Situation, _ nimble: NimBLEChoice) async throws {
        let table = try RecordedTable(of: "Calls")
        let results = try await run(situation, nimble, table)
        for (call, result) in results {
            #expect(result == table[call, situation.title], "\(call) \(situation.title)")
        }
        #expect(results.map(\.name) == table.names)
        try RecordedTable.write(results, column: "\(nimble).\(situation.rawValue)")
    }

    // MARK: Running

    /// The results of all calls in a situation, by the names that the sketch gives them.
    private func run(
        _ situation: Situation, _ nimble: NimBLEChoice, _ table: RecordedTable
    ) async throws -> [(name: String, result: String)] {
        let firmware = try await SketchBuilds.shared.build("Calls", nimble: nimble)
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            let client = situation.hasClient ? try await Client(bench) : nil
            await board.powerOn()
            try await bench.wait(for: "the sketch") { log.console.hasSuffix(" calls\n") }
            let count = try #require(Int(log.console.split(whereSeparator: \.isNewline).last?.dropLast(6) ?? ""))
            var results: [(name: String, result: String)] = []
            for number in 0..<count {
                let name = number < table.rows.count ? table.names[number] : "\(number)"
                let former = log.console.count
                let ends = log.ends.count
                await board.type(Array("\(situation.rawValue)\(number).".utf8))
                async let received = client?.callAndLeave(board) ?? ""
                var waited = 0
                while waited < 300, log.ends.count == ends,
                    !log.console.dropFirst(former).contains("= ")
                {
                    try await bench.sleep(.milliseconds(10))
                    waited += 1
                }
                let hasReturned = log.console.dropFirst(former).contains("= ")
                let noted = try await received
                let result = Self.result(String(log.console.dropFirst(former)), log.ends.dropFirst(ends).first)
                results.append((result.name ?? name, result.text + noted))
                if log.ends.count == ends, !hasReturned {
                    await board.reset()
                    try await bench.sleep(.milliseconds(100))
                }
                try await bench.wait(for: "the sketch") { log.console.hasSuffix(" calls\n") }
            }
            try await board.powerOff()
            return results
        }
    }

    /// The client of the situations that have one.
    private struct Client {
        let bench: BoardBench
        let central: HCICentral
        let log: CentralLog

        init(_ bench: BoardBench) async throws {
            self.bench = bench
            (central, log) = try await bench.central()
        }

        /// Connects, subscribes to notifications, writes, and waits; returns what has reached it since the write.
        func callAndLeave(_ board: VirtualBoard) async throws -> String {
            let connection = try await central.connectAndAccept(
                to: PeerID(board.bluetoothAddress), within: .seconds(5))
            let service = try #require(
                try await central.discoverServices(on: connection).first { $0.uuid == BLEUUID(0xA000) })
            let value = try #require(service.characteristics.first).value
            try await central.setSubscription(.notifications, of: value, on: connection)
            let former = log.events.count
            async let answer = write(to: value, on: connection)
            try await bench.sleep(.milliseconds(400))
            var received = ""
            for event in log.events.dropFirst(former) {
                switch event {
                case .notification(_, _, let value, let isIndication):
                    received += ", \(isIndication ? "indicated" : "notified") \(value)"
                case .disconnected(_, let reason, _):
                    received += ", disconnected \(reason.map { "\($0)" } ?? "")"
                case .securityRequested: received += ", security requested"
                default: break
                }
            }
            try? await central.disconnect(connection)
            return await answer + received
        }

        private func write(to value: AttributeID, on connection: ConnectionID) async -> String {
            do {
                try await central.write([0], to: value, kind: .withResponse, on: connection)
                return ""
            } catch {
                return ", no response"
            }
        }
    }

    /// A call's result in the table: what it returned and the statuses of `onStatus`, or how the sketch ended.
    private static func result(_ console: String, _ end: ApplicationEnd?) -> (name: String?, text: String) {
        let lines = console.split(whereSeparator: \.isNewline)
        var statuses = ""
        for line in lines where line.starts(with: /(status |left |complete)/) { statuses += ", \(line)" }
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
        case .abort(let reason, _): return (nil, "abort, \(reason)")
        case let end?: return (nil, end.summary)
        }
    }
}
