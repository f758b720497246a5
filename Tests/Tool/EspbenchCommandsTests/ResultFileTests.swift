import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// Files of results that cannot be written: reported before anything is built.
@Suite("Result files", .ownThreads, .timeLimit(.minutes(10)))
struct ResultFileTests {
    private func run(_ arguments: [String], _ folder: URL) throws -> (code: Int32, output: String, errors: String) {
        let include = folder.appending(path: "Firmware/Host/include")
        try FileManager.default.createDirectory(at: include, withIntermediateDirectories: true)
        try Data().write(to: include.appending(path: "Arduino.h"))
        return try EspbenchProcess(["test", "s.yaml"] + arguments, folder: folder).run()
    }

    @Test(
        "in a missing folder, or named like a folder, are refused at once",
        arguments: ["--timeline", "--btsnoop", "--junit"])
    func places(option: String) throws {
        try withTemporaryFolder { folder in
            let missing = try run([option, "no/where/x.out"], folder)
            #expect(missing.code == ExitReason.benchFault.rawValue)
            #expect(
                missing.errors == """
                    error: \(option) no/where/x.out could not be created: there is no folder 'no/where'
                    hint: \(Hints.text(for: "file.notCreated") ?? "")

                    """)
            let directory = try run([option, "."], folder)
            #expect(directory.code == ExitReason.benchFault.rawValue)
            #expect(directory.errors.hasPrefix("error: \(option) . could not be created: Is a directory\nhint: "))
        }
    }

    @Test("the report says that another file was refused")
    func reportOfARefusal() throws {
        try withTemporaryFolder { folder in
            let result = try run(["--timeline", "no/where/x.out", "--junit", "r.xml"], folder)
            #expect(result.code == ExitReason.benchFault.rawValue)
            let report = try String(contentsOf: folder.appending(path: "r.xml"), encoding: .utf8)
            #expect(report.contains("--timeline no/where/x.out could not be created"))
        }
    }

    @Test("that a killed run left half-written are removed by the next one, those of running ones stay")
    func leftovers() throws {
        try withTemporaryFolder { folder in
            let ended = Process()
            ended.executableURL = URL(filePath: "/bin/sh")
            ended.arguments = ["-c", ":"]
            try ended.run()
            ended.waitUntilExit()
            let running = ".r.xml.\(getpid()).tmp"
            for name in [".r.xml.\(ended.processIdentifier).tmp", running, ".r.xml.x.tmp"] {
                try Data("<".utf8).write(to: folder.appending(path: name))
            }
            _ = try run(["--timeline", "no/where/x.out", "--junit", "r.xml"], folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(names.filter { $0.contains("r.xml") }) == ["r.xml", running, ".r.xml.x.tmp"])
        }
    }

    @Test("that two options name are refused, and suites are not taken for files")
    func arguments() throws {
        try withTemporaryFolder { folder in
            let same = try run(["--timeline", "a.out", "--junit", "./a.out"], folder)
            #expect(same.code == ExitReason.usage.rawValue)
            #expect(
                same.errors.hasPrefix(
                    "error: --timeline and --junit name the same file './a.out': give each its own.\n"))
            let suite = try run(["--junit", "s.yaml"], folder)
            #expect(suite.errors.hasPrefix("error: --junit takes the file to write, got the suite 's.yaml'.\n"))
            #expect(try run(["--instances"], folder).errors.hasPrefix("error: --instances needs --json or --junit.\n"))
        }
    }

    @Test("that another espbench writes are refused")
    func busy() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "t.jsonl").path
            let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
            defer { close(descriptor) }
            #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            let result = try run(["--timeline", "t.jsonl"], folder)
            #expect(result.code == ExitReason.benchFault.rawValue)
            #expect(result.errors.hasPrefix("error: --timeline t.jsonl is being written by another espbench\nhint: "))
        }
    }

    @Test("beside suites are not updated in continuous integration, nor by --watch")
    func update() throws {
        try withTemporaryFolder { folder in
            for variable in ["CI", "GITHUB_ACTIONS"] {
                let process = EspbenchProcess(["test", "--update"], folder: folder)
                process.process.environment?[variable] = "true"
                let result = try process.run()
                #expect(result.code == ExitReason.usage.rawValue)
                #expect(
                    result.errors.contains(
                        "--update writes what suites expect, which continuous integration must not do"))
            }
            let watching = try run(["--update", "--watch"], folder)
            #expect(watching.code == ExitReason.usage.rawValue)
            #expect(watching.errors.hasPrefix("error: --update accepts every picture, and --watch runs again"))
        }
    }

    @Test("a wrong command line with --json gives a JSON object, too")
    func usage() throws {
        try withTemporaryFolder { folder in
            let result = try run(["--json", "--seed", "x"], folder)
            #expect(result.code == ExitReason.usage.rawValue)
            let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            #expect(object?["outcome"] as? String == "usage")
            #expect(object?["exitCode"] as? Int == 64)
            #expect(((object?["error"] as? [String: Any])?["message"] as? String)?.contains("--seed") == true)
            #expect(!result.errors.isEmpty)
        }
    }
}
