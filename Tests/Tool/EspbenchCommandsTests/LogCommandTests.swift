import Foundation
import Testing

/// The log of an air that is served, without boards.
@Suite("log", .ownThreads, .timeLimit(.minutes(10)))
struct LogCommandTests {
    private func serve(_ folder: URL) throws {
        let served = EspbenchProcess(["serve", "--h4", "0", "--log", "air.log"], folder: folder)
        try served.process.run()
        _ = served.waitForData(lines: 1)
        served.process.terminate()
        served.process.waitUntilExit()
        #expect(served.process.terminationStatus == 0)
    }

    @Test("follows what serve writes, over its restart, and ends at a signal")
    func follow() throws {
        try withTemporaryFolder { folder in
            let follower = EspbenchProcess(["log", "air.log", "--follow"], folder: folder)
            try follower.process.run()
            _ = follower.waitForNote("air.log does not exist yet")
            try serve(folder)
            try serve(folder)
            let lines = follower.waitForData(lines: 6).split(separator: "\n")
            follower.process.terminate()
            follower.process.waitUntilExit()
            #expect(follower.process.terminationReason == .exit)
            #expect(follower.process.terminationStatus == 0)
            let texts = lines.map {
                String($0).replacing(#/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/#, with: "TIME")
                    .replacing(#/127\.0\.0\.1:\d+/#, with: "PORT")
            }
            let run = [
                "--- espbench serve runs from TIME on", "TIME h4://PORT  4.2", "TIME --- espbench serve ended",
            ]
            #expect(texts == run + run)
        }
    }

    @Test("refuses a second writer, and a pipe")
    func writers() throws {
        try withTemporaryFolder { folder in
            let served = EspbenchProcess(["serve", "--h4", "0", "--log", "air.log"], folder: folder)
            try served.process.run()
            _ = served.waitForData(lines: 1)
            let second = EspbenchProcess(["serve", "--h4", "0", "--log", "air.log"], folder: folder)
            try second.process.run()
            _ = second.waitForNote("--log air.log is being written by another espbench")
            second.process.waitUntilExit()
            #expect(second.process.terminationStatus != 0)
            try #require(mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
            let pipe = try EspbenchProcess(["serve", "--h4", "0", "--log", "pipe"], folder: folder).run()
            #expect(pipe.code == 8)
            #expect(pipe.errors.hasPrefix("error: --log pipe: expected a file, got a folder, a pipe or a device\n"))
            served.process.terminate()
            served.process.waitUntilExit()
        }
    }

    @Test("prints the last lines, those that match, and no control characters")
    func lines() throws {
        try withTemporaryFolder { folder in
            try Data("one\n\u{1B}[2Jtwo\nthree\nfour".utf8).write(to: folder.appending(path: "a.log"))
            for (arguments, expected) in [
                ([], "one\n\\x1B[2Jtwo\nthree\nfour\n"), (["-n", "2"], "three\nfour\n"), (["--lines", "0"], ""),
                (["--match", "^t"], "three\n"), (["--match", "o", "-n", "1"], "four\n"),
            ] {
                let tool = EspbenchProcess(["log", "a.log"] + arguments, folder: folder)
                #expect(try tool.run().output == expected)
            }
        }
    }

    @Test("says that there is no such log")
    func missing() throws {
        try withTemporaryFolder { folder in
            let tool = EspbenchProcess(["log", "a.log"], folder: folder)
            let ended = try tool.run()
            #expect(ended.code == 8)
            #expect(ended.errors.contains("the log a.log could not be read: No such file or directory"))
        }
    }
}
