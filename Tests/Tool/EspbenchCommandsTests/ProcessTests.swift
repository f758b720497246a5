import CommandSupport
import EspbenchCommands
import Foundation
import Testing

@Suite("The tool", .ownThreads)
struct ProcessTests {
    @Test("prints its version as data")
    func version() throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(["--version"], folder: folder).run()
            #expect(result == (0, "0.1.0\n", ""))
        }
    }

    /// Their objects differ, by the folder that the compiler notes in each, and have the same place in the cache.
    @Test("builds one sketch from many folders at once")
    func buildsAtOnce() throws {
        try withTemporaryFolder { folder in
            let sources = folder.appending(path: "Lamp/src")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            let sketch = "void setup() {}\nvoid loop() { delay(10); }\n"
            try Data(sketch.utf8).write(to: folder.appending(path: "Lamp/Lamp.ino"))
            for number in 1...4 {
                // Not in the cache yet.
                let text = "int f\(number)() { return \(number); }  // \(UUID())\n"
                try Data(text.utf8).write(to: sources.appending(path: "f\(number).cpp"))
            }
            let builds = try (1...8).map { number in
                let place = folder.appending(path: "\(number)")
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                let build = EspbenchProcess(["build", "../Lamp"], folder: place)
                try build.process.run()
                return build
            }
            for build in builds {
                let errors = build.waitForNote("\u{0}", within: .seconds(600))
                build.process.waitUntilExit()
                #expect(build.process.terminationStatus == 0, "\(errors)")
            }
        }
    }

    @Test("removes the cache of builds, but not from a build that uses it")
    func clean() throws {
        try withTemporaryFolder { folder in
            let cache = folder.appending(path: "cache")
            let builds = cache.appending(path: "espbench/builds")
            try FileManager.default.createDirectory(
                at: builds.appending(path: "objects/a"), withIntermediateDirectories: true)
            try Data(count: 3_000_000).write(to: builds.appending(path: "objects/a/object.o"))
            // Nothing that a link leads to is removed.
            let outside = folder.appending(path: "outside")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: outside.appending(path: "file"))
            try FileManager.default.createSymbolicLink(
                at: builds.appending(path: "objects/link"), withDestinationURL: outside)
            let lock = try #require(fopen(builds.appending(path: "lock").path, "w"))
            flock(fileno(lock), LOCK_SH)
            func clean() throws -> (code: Int32, output: String, errors: String) {
                try EspbenchProcess(["clean"], folder: folder, cache: cache).run()
            }
            let refused = try clean()
            #expect(refused.code == ExitReason.benchFault.rawValue && refused.output.isEmpty)
            #expect(refused.errors.hasPrefix("error: a build uses the cache \(builds.path): nothing was removed"))
            fclose(lock)
            #expect(try clean().output == "removed 3 MB from \(builds.path)\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: builds.path) == ["lock"])
            #expect(FileManager.default.fileExists(atPath: outside.appending(path: "file").path))
            #expect(try clean() == (0, "\(builds.path) is empty\n", ""))
        }
    }

    @Test("exits with 64 and an error when the command line is wrong")
    func usage() throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(["test", "--sed", "1"], folder: folder).run()
            #expect(result.code == ExitReason.usage.rawValue)
            #expect(result.errors.hasPrefix("error: Unknown option '--sed'. Did you mean '--seed'?"))
            #expect(result.output.isEmpty)
        }
    }

    @Test("reports a faulty suite with line and column before anything runs")
    func faultySuite() throws {
        try withTemporaryFolder { folder in
            try Data("suite: S\nsketch: X\ncases:\n  - {name: a, stps: []}\n".utf8).write(
                to: folder.appending(path: "s.yaml"))
            let result = try EspbenchProcess(["test", "s.yaml"], folder: folder).run()
            #expect(result.code == ExitReason.nothingRan.rawValue)
            #expect(
                result.errors == """
                    error: s.yaml:4:15: unknown key 'stps' in a case (did you mean 'steps'?), expected one of: name, tags, each, before, steps
                    s.yaml:4:21: a case without steps proves nothing, expected at least one step
                    hint: 'espbench help suites' describes the format of suites.

                    """)
        }
    }

    @Test("reports a host core that is not there")
    func noHostCore() throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "X"), withIntermediateDirectories: true)
            try Data().write(to: folder.appending(path: "X/X.ino"))
            let tool = EspbenchProcess(["build", "X"], folder: folder)
            tool.process.environment?["ESPBENCH_HOST_CORE"] = "/nowhere"
            let result = try tool.run()
            #expect(result.code == ExitReason.buildFailed.rawValue)
            #expect(
                result.errors == """
                    error: no host core in /nowhere, which ESPBENCH_HOST_CORE names: expected include/Arduino.h in it
                    hint: Install espbench again, with share/espbench beside its bin, or name the host core's folder in ESPBENCH_HOST_CORE.

                    """)
        }
    }

    @Test("reports a port on which no program listens")
    func noPort() throws {
        try withTemporaryFolder { folder in
            let result = try EspbenchProcess(["monitor", "--port", "/dev/nowhere"], folder: folder).run()
            #expect(result.code == ExitReason.portFailed.rawValue)
            #expect(result.errors.hasPrefix("error: /dev/nowhere: "))
            #expect(result.errors.hasSuffix("hint: Is the board plugged in, or 'espbench serve' running?\n"))
        }
    }

    @Test("restores the terminal", arguments: [nil, SIGINT, SIGTERM, SIGHUP] as [Int32?])
    func terminal(signal: Int32?) throws {
        try withTemporaryFolder { folder in
            let keyboard = try PseudoTerminal()
            let board = try PseudoTerminal()
            defer {
                keyboard.closeBoth()
                board.closeBoth()
            }
            let tool = EspbenchProcess(
                ["monitor", "--port", board.path], folder: folder,
                input: FileHandle(fileDescriptor: keyboard.terminal))
            #expect(keyboard.isCooked)
            try tool.process.run()
            #expect(tool.waitForNote("Ctrl-] leaves").contains("monitoring"))
            #expect(!keyboard.isCooked)
            if let signal {
                kill(tool.process.processIdentifier, signal)
            } else {
                keyboard.type([0x1D])
            }
            tool.process.waitUntilExit()
            #expect(keyboard.isCooked)
            #expect(tool.process.terminationReason == .exit)
            #expect(tool.process.terminationStatus == (signal == nil ? 0 : ExitReason.interrupted.rawValue))
        }
    }

    @Test("Ctrl-C, SIGTERM and SIGHUP end a build with exit code 7", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interruptedBuild(signal: Int32) throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "S"), withIntermediateDirectories: true)
            try Data("void setup() {}\nvoid loop() {}\n".utf8).write(to: folder.appending(path: "S/S.ino"))
            // An empty cache: the host core is built first, which takes longer than the signal.
            let tool = EspbenchProcess(["build", "S"], folder: folder, cache: folder.appending(path: "cache"))
            try tool.process.run()
            _ = tool.waitForNote("building the host core, once for all sketches\n")
            kill(tool.process.processIdentifier, signal)
            let notes = tool.waitForNote("error: interrupted by SIG")
            #expect(notes.contains("error: interrupted by SIG"), "\(notes)")
            tool.process.waitUntilExit()
            #expect(tool.process.terminationReason == .exit)
            #expect(tool.process.terminationStatus == ExitReason.interrupted.rawValue)
        }
    }

    @Test(
        "without /proc a command says so, and does not print the general help",
        .enabled(if: getuid() == 0, "needs root, to hide /proc"))
    func noProc() throws {
        try withTemporaryFolder { folder in
            let hidden = #"exec unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@""#
            let result = try EspbenchProcess(["ports"], folder: folder, shell: hidden).run()
            #expect(result.code == ExitReason.benchFault.rawValue, "\(result)")
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("error: the command line could not be read: /proc is not mounted\nhint: "))
        }
    }
}
