import Foundation

/// Another reader of JUnit reports, from PyPI.
enum JUnitParser {
    private static let venv = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../.venv")
        .standardized

    static let absence = "there is no junitparser in .venv: Scripts/test installs it"

    static let isInstalled: Bool =
        FileManager.default.enumerator(atPath: venv.appending(path: "lib").path)?.contains {
            ($0 as? String)?.hasSuffix("/junitparser/__init__.py") == true
        } ?? false

    private static let script = """
        import sys
        from junitparser import JUnitXml
        report = JUnitXml.fromfile(sys.argv[1])
        print(report.tests, report.failures, report.errors, report.time)
        for suite in report:
            print(suite.name, suite.tests, suite.failures, suite.errors, suite.skipped, suite.time, suite.timestamp,
                  suite.hostname, len(list(suite)))
            for property in suite.properties():
                print(property.name, property.value)
            for case in suite:
                print(case.classname, case.name, case.time, sep=" | ")
                for result in case.result:
                    print(type(result).__name__, result.type, repr(result.message), repr(result.text), sep=" | ")
                if case.system_out:
                    print("out", repr(case.system_out))
        """

    /// What it reads from the report `text`, as text.
    static func read(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID()).xml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = venv.appending(path: "bin/python")
        process.arguments = ["-c", script, file.path]
        process.environment = ["PYTHONIOENCODING": "utf-8"]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
