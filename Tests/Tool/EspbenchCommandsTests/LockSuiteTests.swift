import BenchSuites
import CommandSupport
import EspbenchCommands
import Foundation
import Testing

/// The lock withstands every attack of its suites; a lock without one of its protections does not.
@Suite("The servo lock's suites", .ownThreads, .serialized)
struct LockSuiteTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private static let firmware = root.appending(path: "Firmware")
    private static let sketch = firmware.appending(path: "ServoLock")

    private func test(_ suites: [String], _ folder: URL) throws -> (code: Int32, output: String, errors: String) {
        try EspbenchProcess(
            ["test", "--project", Self.root.path, "--json"] + suites, folder: folder
        ).run()
    }

    /// The seed determines, among other things, the state of an incomplete write after a power cut.
    @Test("all pass", arguments: [0, 13, 31])
    func pass(seed: Int) throws {
        try withTemporaryFolder { folder in
            let names = try FileManager.default.contentsOfDirectory(atPath: Self.sketch.appending(path: "Suites").path)
            #expect(names.sorted() == ["bolt.yaml", "bonds.yaml", "lock.yaml", "security.yaml", "strangers.yaml"])
            let suites = names.sorted().map { Self.sketch.appending(path: "Suites/\($0)").path }
            let result = try test(suites + ["--seed", "\(seed)"], folder)
            #expect(result.code == ExitReason.passed.rawValue, "\(result.output)\(result.errors)")
        }
    }

    @Test("find no fault in a sketch that checks itself")
    func sanitized() throws {
        try withTemporaryFolder { folder in
            let result = try test(
                ["--sanitize", "--sample", "2", Self.firmware.appending(path: "Calculator").path, Self.sketch.path],
                folder)
            #expect(result.code == ExitReason.passed.rawValue, "\(result.output)\(result.errors)")
            #expect(result.output.contains("\"sanitized\":true"), "\(result.output)")
        }
    }

    private struct Report: Decodable {
        struct Suite: Decodable {
            var cases: [Case]
        }

        struct Case: Decodable {
            var name: String
            var failed: Int
        }

        var suites: [Suite]
    }

    @Test("fail on a lock without one protection", arguments: WeakLock.all)
    func weak(lock: WeakLock) throws {
        try withTemporaryFolder { folder in
            let copy = folder.appending(path: "ServoLock")
            try lock.write(from: Self.sketch, to: copy)
            let result = try test(WeakLock.suites.map { copy.appending(path: "Suites/\($0)").path }, folder)
            #expect(result.code == ExitReason.testsFailed.rawValue, "\(result.errors)")
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            let failed = Set(report.suites.flatMap(\.cases).filter { $0.failed > 0 }.map(\.name))
            #expect(failed.isSuperset(of: lock.attacks), "\(Set(lock.attacks).subtracting(failed))")
        }
    }

    @Test("have no attack that succeeds on no weakened lock")
    func coverage() throws {
        let file = Self.sketch.appending(path: "Suites/security.yaml")
        let suite = try Suite(yaml: String(contentsOf: file, encoding: .utf8), file: file.path)
        #expect(Set(suite.cases.map { $0.name.source }).isSubset(of: WeakLock.all.flatMap(\.attacks)))
    }
}
