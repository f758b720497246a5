import ArgumentParser
import EspbenchCommands
import Foundation
import Testing

@Suite("Help")
struct HelpTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Help")

    private static func snapshot(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name + ".txt"), encoding: .utf8)
    }

    @Test("of the tool lists its verbs and exit codes")
    func tool() throws {
        #expect(Espbench.helpMessage(columns: 100) == (try Self.snapshot("espbench")))
    }

    @Test(
        "of each verb equals its snapshot",
        arguments: [
            "attach", "build", "compare", "doctor", "erase", "flash", "image", "info", "init", "live", "load-ram",
            "log", "md5",
            "monitor",
            "partitions", "ports",
            "read", "run",
            "serve",
            "show", "test", "verify", "adapters", "scan", "gatt", "write", "notify", "pair", "forget", "ble",
            "calculator", "lock", "ble-serial", "describe", "simulate",
        ])
    func verb(name: String) throws {
        let command = try #require(
            Espbench.configuration.subcommands.first { $0._commandName == name }, "no verb \(name)")
        #expect(Espbench.helpMessage(for: command, columns: 100) == (try Self.snapshot(name)))
    }

    @Test("has a snapshot for every verb")
    func complete() {
        #expect(
            Espbench.configuration.subcommands.map { $0._commandName } == [
                "attach", "build", "compare", "doctor", "erase", "flash", "image", "info", "init", "live", "load-ram",
                "log",
                "md5",
                "monitor",
                "partitions", "ports",
                "read",
                "run", "serve",
                "show", "test", "verify", "adapters", "scan", "gatt", "write", "notify", "pair", "forget", "ble",
                "calculator", "lock", "ble-serial", "describe", "simulate",
            ])
    }

    @Test("and the reference of results list the same exit codes")
    func exitCodes() throws {
        let reference = Self.folder.appending(path: "../../../../Sources/Bench/RESULTS.md").standardized
        let text = try String(contentsOf: reference, encoding: .utf8)
        let rows = text.matches(of: #/\| (\d+) \| `(\w+)` \| (.*) \|/#).map { "\($0.1) \($0.2) \($0.3)" }
        #expect(rows == ExitReason.allCases.map { "\($0.rawValue) \($0) \($0.meaning)" })
    }
}
