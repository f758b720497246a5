import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Where commands write the file of `--output`.
@Suite("the file of --output", .ownThreads, .timeLimit(.minutes(10)))
struct OutputPlaceTests {
    private static let table = "nvs,data,nvs,0x9000,0x5000,\nfactory,app,factory,0x10000,1M,\n"

    private func convert(_ folder: URL, to output: String, shell: String? = nil) throws -> (
        code: Int32, output: String, errors: String
    ) {
        try Data(Self.table.utf8).write(to: folder.appending(path: "table.csv"))
        return try EspbenchProcess(
            ["partitions", "table.csv", "--to", "csv", "-o", output], folder: folder, input: .nullDevice, shell: shell
        ).run()
    }

    @Test("is the target of a link, and keeps its permissions")
    func link() throws {
        try withTemporaryFolder { folder in
            let target = folder.appending(path: "private.csv")
            try Data("old".utf8).write(to: target)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
            let link = folder.appending(path: "link.csv").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "private.csv")
            #expect(try convert(folder, to: "link.csv").code == 0)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "private.csv")
            #expect(try String(contentsOf: target, encoding: .utf8).contains("factory"))
            let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("may be a pipe, which stays one")
    func pipe() throws {
        try withTemporaryFolder { folder in
            let result = try convert(
                folder, to: "pipe",
                shell: #"mkfifo pipe; cat pipe >read & "$@"; code=$?; wait; test -p pipe || exit 99; exit $code"#)
            #expect(result.code == 0, "\(result.errors)")
            let text = try String(contentsOf: folder.appending(path: "read"), encoding: .utf8)
            #expect(text.contains("factory"))
        }
    }

    @Test("is refused when it is a pipe that no program reads")
    func unreadPipe() throws {
        try withTemporaryFolder { folder in
            let result = try convert(folder, to: "pipe", shell: #"mkfifo pipe; exec "$@""#)
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(result.errors.contains("--output pipe could not be created: it is a pipe that no program reads"))
        }
    }

    @Test("keeps its former content when there is no room for the new")
    func full() throws {
        try withTemporaryFolder { folder in
            try Data("old".utf8).write(to: folder.appending(path: "old.csv"))
            // A limit of the size of files; 0 blocks.
            let result = try convert(folder, to: "old.csv", shell: #"trap '' XFSZ; ulimit -f 0; exec "$@""#)
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(result.errors.contains("--output old.csv could not be written: "), "\(result.errors)")
            #expect(try String(contentsOf: folder.appending(path: "old.csv"), encoding: .utf8) == "old")
        }
    }
}
