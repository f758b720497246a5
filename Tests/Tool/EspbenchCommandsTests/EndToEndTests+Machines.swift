import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// What other programs read of a run: JUnit reports, marks for GitHub, JSON.
extension EndToEndTests {
    /// A suite with a case that passes, and a matrix of which one instance fails.
    private static let mixed = """
        \(head("Mixed"))
        cases:
          - name: adds 1 and {n}
            each: {n: 0...3}
            steps:
              - write: {to: input, bytes: [1, n, 0], response: false}
              - expect: {notification: output, bytes: [n + 1 + (n == 2)]}
          - name: is alone
            steps: [advance: 1 s]

        """

    private func junit(_ folder: URL, _ name: String = "out.xml") throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).replacing(#/\ +>/#, with: ">")
    }

    @Test("a run writes a JUnit report of cases or instances, and leaves nothing beside it")
    func junitReport() throws {
        try withTemporaryFolder { folder in
            try write(Self.mixed, to: folder)
            try Data("old".utf8).write(to: folder.appending(path: "out.xml"))
            let cases = try tool(
                ["test", "s.yaml", "--junit", "out.xml", "--timeline", "t.jsonl"], folder
            ).run()
            #expect(cases.code == ExitReason.testsFailed.rawValue, "\(cases.errors)")
            let report = try junit(folder)
            #expect(report.contains(#"<testsuites name="espbench" tests="2" failures="1" errors="0""#))
            #expect(
                report.contains(#"<testcase classname="virtual.Mixed" name="adds 1 and {n}" file="s.yaml" line="11""#))
            #expect(report.contains(#"message="1 of 4 cases failed: adds 1 and 2: "#))
            #expect(report.contains("Adding:"))
            #expect(report.contains("[[ATTACHMENT|t.jsonl]]"))
            let instances = try tool(["test", "s.yaml", "--junit", "out.xml", "--instances"], folder).run()
            #expect(instances.output.contains("1 failed"))
            let list = try junit(folder)
            #expect(list.contains(#"tests="5" failures="1" errors="0" skipped="0""#))
            #expect(list.contains(#"name="adds 1 and 3" file="s.yaml" line="11""#))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!left.contains { $0.hasSuffix(".tmp") })
        }
    }

    @Test("a run that fails before its first case still writes a JUnit report, and names places as data")
    func earlyFailures() throws {
        try withTemporaryFolder { folder in
            func run(_ arguments: [String]) throws -> (code: Int32, object: [String: Any], report: String) {
                let result = try tool(["test", "--json", "--junit", "out.xml"] + arguments, folder).run()
                let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
                return (result.code, try #require(object), try junit(folder))
            }
            func diagnostics(_ object: [String: Any]) -> [[String: Any]] {
                (object["error"] as? [String: Any])?["diagnostics"] as? [[String: Any]] ?? []
            }
            try write("suite: S\nsketch: X\ncases:\n  - {name: a, stps: []}\n", to: folder)
            try Data("suite: S\nsketch: X\n".utf8).write(to: folder.appending(path: "t.yaml"))
            let faulty = try run(["s.yaml", "t.yaml"])
            #expect(faulty.code == ExitReason.nothingRan.rawValue)
            #expect(faulty.report.contains(#"<testcase classname="espbench" name="s.yaml" file="s.yaml" line="4""#))
            #expect(faulty.report.contains(#"name="t.yaml" file="t.yaml" line="1" time="#))
            let places = diagnostics(faulty.object)
            #expect(places.count >= 2)
            #expect(places.first?["file"] as? String == "s.yaml")
            #expect(places.first?["line"] as? Int == 4)
            #expect(places.first?["column"] as? Int == 15)
            #expect(places.last?["file"] as? String == "t.yaml")

            try write(Self.mixed.replacing("Calculator", with: sketch("DoesNotCompile")), to: folder)
            let build = try run(["s.yaml"])
            #expect(build.code == ExitReason.buildFailed.rawValue)
            #expect(build.report.contains(#"<error type="buildFailed""#))
            let error = try #require(diagnostics(build.object).first)
            #expect((error["file"] as? String)?.hasSuffix("DoesNotCompile.ino") == true)
            #expect(error["line"] as? Int == 5)

            try write(Self.mixed, to: folder)
            let none = try run(["s.yaml", "--case", "nobody"])
            #expect(none.report.contains(#"<error type="nothingRan" message="no case"#))
        }
    }

    @Test("on GitHub failures are marked at their places, and the step gets a summary; elsewhere not")
    func gitHub() throws {
        try withTemporaryFolder { folder in
            let sub = folder.appending(path: "firmware")
            try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
            try write(Self.mixed, to: sub)
            func run(_ arguments: [String]) throws -> String {
                let run = tool(["test", "--junit", "out.xml"] + arguments, sub)
                for (name, value) in [
                    "GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": folder.path,
                    "GITHUB_STEP_SUMMARY": folder.appending(path: "summary.md").path,
                ] { run.process.environment?[name] = value }
                return try run.run().errors
            }
            let errors = try run(["s.yaml"])
            #expect(errors.contains("::error file=firmware/s.yaml,line=15,col="), "\(errors)")
            #expect(errors.contains(",title=Mixed%3A adds 1 and 2::expected "))
            #expect(try junit(sub).contains(#"file="firmware/s.yaml" line="11""#))
            try write("suite: S\n", to: sub)
            #expect(
                try run(["s.yaml"]).contains(
                    "::error file=firmware/s.yaml,line=1,col=1,title=espbench%3A nothingRan::the suite lacks the key"))
            let summary = try String(contentsOf: folder.appending(path: "summary.md"), encoding: .utf8)
            #expect(summary.contains("| Mixed | 4 | 1 | 0 |"))
            #expect(summary.contains("### espbench: nothingRan"))
            #expect(!(try tool(["test", "s.yaml"], sub).run().errors.contains("::error")))
        }
    }

    @Test("an interrupted run writes what it knows")
    func interruptedReport() throws {
        try withTemporaryFolder { folder in
            try write(
                Self.mixed.replacing("0...3", with: "0...1").replacing("advance: 1 s", with: "advance: 1000000 s"),
                to: folder)
            let run = tool(["test", "s.yaml", "--junit", "out.xml"], folder)
            try run.process.run()
            _ = run.waitForOutput("✓ adds")
            kill(run.process.processIdentifier, SIGTERM)
            _ = run.waitForOutput("\u{0}")
            run.process.waitUntilExit()
            let report = try junit(folder)
            #expect(report.contains(#"<skipped message="the run was interrupted">"#), "\(report)")
            #expect(report.contains(#"<error type="interrupted" message="interrupted by SIGTERM"#))
        }
    }

    @Test("a reader that closes its end stops the run without a word, and its files are complete")
    func closedPipe() throws {
        try withTemporaryFolder { folder in
            try write(Self.mixed, to: folder)
            let result = try tool(
                ["test", "s.yaml", "--junit", "out.xml"], folder,
                shell: #"{ "$@"; echo "exit $?" >&2; } | head -1"#
            ).run()
            #expect(result.output.split(separator: "\n").count == 1)
            #expect(!result.errors.contains("error:"), "\(result.errors)")
            // 128 + SIGPIPE, or the run was faster than `head`.
            #expect(result.errors.hasSuffix("exit 141\n") || result.errors.hasSuffix("exit 1\n"), "\(result.errors)")
            #expect(try junit(folder).hasSuffix("</testsuites>\n"))
        }
    }
}
