import ArgumentParser
import CommandSupport
import EspbenchCommands
import Foundation
import Testing

@Suite("Help")
struct HelpTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Help")

    static let verbs = [
        "init", "test", "run", "show", "compare", "parts", "doctor", "clean", "build", "flash", "monitor", "ports",
        "info",
        "read",
        "verify", "erase", "md5", "partitions", "image", "load-ram", "log", "scan", "gatt", "write", "notify", "pair",
        "forget", "adapters", "ble", "ble-serial", "describe", "simulate", "calculator", "lock", "serve", "live",
        "attach",
    ]

    private static func snapshot(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name + ".txt"), encoding: .utf8)
    }

    @Test("of the tool lists its verbs and topics")
    func tool() throws {
        #expect(Espbench.helpMessage(columns: 100) == (try Self.snapshot("espbench")))
    }

    @Test(
        "of each verb equals its snapshot",
        arguments: HelpTests.verbs)
    func verb(name: String) throws {
        let command = try #require(
            Espbench.configuration.subcommands.first { $0._commandName == name }, "no verb \(name)")
        #expect(Espbench.helpMessage(for: command, columns: 100) == (try Self.snapshot(name)))
    }

    @Test("has a snapshot for every verb")
    func complete() {
        // Named in each configuration: a name made of the type's costs a third of the program's start.
        #expect(Espbench.configuration.subcommands.map { $0.configuration.commandName } == Self.verbs)
    }

    @Test("and hints name nothing that only a checkout of the repository has")
    func installed() throws {
        let texts = try Self.verbs.map(Self.snapshot) + Hints.texts.values
        for text in texts {
            #expect(!text.contains(#/(Scripts|Sources|Firmware|Tests)\/\w/#), "\(text)")
        }
    }

    @Test("and the reference of results list the same exit codes")
    func exitCodes() throws {
        let reference = Self.folder.appending(path: "../../../../Sources/Bench/RESULTS.md").standardized
        let text = try String(contentsOf: reference, encoding: .utf8)
        let rows = text.matches(of: #/\| (\d+) \| `(\w+)` \| (.*) \|/#).map { "\($0.1) \($0.2) \($0.3)" }
        #expect(rows == ExitReason.allCases.map { "\($0.rawValue) \($0) \($0.meaning)" })
    }
}
