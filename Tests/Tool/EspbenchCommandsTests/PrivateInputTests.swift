import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Files with secrets that the user names.
@Suite("Files with secrets", .ownThreads)
struct PrivateInputTests {
    private func write(_ text: String, mode: Int, _ folder: URL) throws {
        let path = folder.appending(path: "secret").path
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    }

    @Test("that others may read or write are refused", arguments: [0o644, 0o640, 0o620])
    func modes(mode: Int) throws {
        try withTemporaryFolder { folder in
            try write("", mode: mode, folder)
            let user = geteuid()
            let reason =
                "secret: expected a file of user \(user) with mode 600, got one of user \(user) with mode "
                + "\(String(mode, radix: 8))\nhint: \(Hints.text(for: "file.notPrivate") ?? "")\n"
            try Data().write(to: folder.appending(path: "t.jsonl"))
            let live = try EspbenchProcess(
                ["live", "--timeline", "t.jsonl", "--token-file", "secret"], folder: folder
            ).run()
            #expect(live.code == ExitReason.badInput.rawValue)
            #expect(live.errors == "error: --token-file " + reason)
            let bonds = try EspbenchProcess(
                ["forget", "--list", "--bonds", "secret", "--central", "h4:127.0.0.1:1"], folder: folder
            ).run()
            #expect(bonds.code == ExitReason.badInput.rawValue)
            #expect(bonds.errors == "error: --bonds " + reason)
        }
    }

    @Test("the token's file gets a token if it is missing, or a full disk left it empty", arguments: [true, false])
    func emptyToken(isThere: Bool) throws {
        try withTemporaryFolder { folder in
            if isThere { try write("", mode: 0o600, folder) }
            try Data().write(to: folder.appending(path: "t.jsonl"))
            let live = EspbenchProcess(
                ["live", "--json", "--timeline", "t.jsonl", "--token-file", "secret"], folder: folder)
            try live.process.run()
            let address = live.waitForOutput("\n")
            live.process.terminate()
            live.process.waitUntilExit()
            #expect(live.waitForNote("\u{0}").contains("note: secret is empty") == isThere)
            let token = try String(contentsOf: folder.appending(path: "secret"), encoding: .utf8)
            #expect(token.count > 16 && address.contains(token.dropLast()), "\(address)")
            #expect(address.wholeMatch(of: #/\{"address":"http:\/\/[^"]+timeline\.html","event":"address"\}\n/#) != nil)
        }
    }

    @Test("an empty bonds file is named, and has no bonds")
    func emptyBonds() throws {
        try withTemporaryFolder { folder in
            let list = ["forget", "--list", "--bonds", "secret", "--central", "h4:127.0.0.1:1"]
            try write("", mode: 0o600, folder)
            let empty = try EspbenchProcess(list, folder: folder).run()
            #expect(empty.errors.contains("note: secret is empty"), "\(empty.errors)")
        }
    }

    @Test("bonds that could not be stored are refused before anything is connected", arguments: ["no/x", "."])
    func missingFolder(path: String) throws {
        try withTemporaryFolder { folder in
            let pair = ["pair", "F0:F1:F2:F3:F4:F5", "--bonds", path, "--central", "h4:127.0.0.1:1"]
            let result = try EspbenchProcess(pair, folder: folder).run()
            let reason = path == "." ? "Is a directory" : "there is no folder 'no'"
            #expect(
                result.errors == """
                    error: --bonds \(path) could not be created: \(reason)
                    hint: \(Hints.text(for: "file.notCreated") ?? "")

                    """)
            #expect(result.code == ExitReason.benchFault.rawValue)
        }
    }
}
