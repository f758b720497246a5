import BenchRuns
import CommandSupport
import EspbenchCommands
import Foundation
import Synchronization
import Testing

/// A watching session over real files, in a thread of its own. What it runs is reported; each run waits until the test
/// lets it end, so that nothing depends on time.
private final class WatchedFolder: @unchecked Sendable {
    let folder: URL
    private let interruption = Interruption()
    private let captured = CapturedOutput()
    private let runs = DispatchSemaphore(value: 0)
    private let releases = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let asked = Mutex<[[String]?]>([])
    private let result = Mutex<ExitReason?>(nil)
    private let keys = Pipe()

    init(_ folder: URL) {
        self.folder = folder
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ text: String, _ name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // Not replaced by another one.
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(descriptor >= 0)
        _ = Foundation.write(descriptor, text, text.utf8.count)
        close(descriptor)
    }

    /// The suites below the folder, each with the sketch folder two levels above it.
    private func scope() -> WatchScope {
        var scope = WatchScope(files: [path("espbench.yaml")], suiteFolders: [folder.path])
        for sketch in ["Lamp", "Lock"] {
            let suites = (try? FileManager.default.contentsOfDirectory(atPath: path("\(sketch)/Suites"))) ?? []
            let files = suites.filter { $0.hasSuffix(".yaml") }.sorted().map { path("\(sketch)/Suites/\($0)") }
            scope.suites += files
            scope.sources.append(WatchScope.Sources(path(sketch), suites: Set(files)))
        }
        return scope
    }

    /// Every run ends with `status`, or none of its cases is selected unless it is of all suites.
    func start(status: ExitReason = .passed, isSelected: Bool = true) {
        let thread = Thread { [self] in
            let clock = ContinuousClock()
            let origin = clock.now
            let actions = WatchSession.Actions(
                scope: scope,
                run: { files in
                    self.asked.withLock { $0.append(files) }
                    self.runs.signal()
                    self.releases.wait()
                    return isSelected || files == nil ? status : nil
                }, display: { $0.replacing(self.folder.path + "/", with: "") }, now: { clock.now - origin })
            do {
                let session = WatchSession(
                    try FolderWatchers.make(), keyboard: keys.fileHandleForReading.fileDescriptor, interruption,
                    captured.output(), actions)
                let status = try session.watch()
                result.withLock { $0 = status }
            } catch {
                Issue.record(error)
            }
            ended.signal()
        }
        thread.start()
    }

    /// The suites of the next run, relative to the folder; it goes on with ``release()``.
    func nextRun() throws -> [String]? {
        try #require(runs.wait(timeout: .now() + 20) == .success, "no run: \(captured.notes)")
        let files = asked.withLock { $0.removeFirst() }
        return files?.map { $0.replacing(folder.path + "/", with: "") }
    }

    func release() { releases.signal() }

    /// The next run, which ends.
    func run() throws -> [String]? {
        defer { release() }
        return try nextRun()
    }

    func press(_ key: String) {
        try? keys.fileHandleForWriting.write(contentsOf: Data(key.utf8))
    }

    func interrupt() { interruption.request("SIGINT") }

    func end() throws -> ExitReason? {
        try #require(ended.wait(timeout: .now() + 20) == .success, "the session did not end")
        return result.withLock { $0 }
    }

    var notes: String { captured.notes }
}

@Suite("Watching", .serialized)
struct WatchSessionTests {
    private func watching(_ body: (WatchedFolder) throws -> Void) throws {
        try withTemporaryFolder { url in
            let folder = WatchedFolder(url)
            try folder.write("void setup() {}", "Lamp/Lamp.ino")
            try folder.write("suite: Lamp", "Lamp/Suites/lamp.yaml")
            try folder.write("void setup() {}", "Lock/Lock.ino")
            try folder.write("suite: Lock", "Lock/Suites/lock.yaml")
            try folder.write("{}", "espbench.yaml")
            folder.start()
            let first = try folder.run()
            #expect(first == nil, "all run first")
            try body(folder)
            folder.press("q")
            #expect(try folder.end() == .passed)
        }
    }

    private static let lamp = ["Lamp/Suites/lamp.yaml"]
    private static let lock = ["Lock/Suites/lock.yaml"]

    @Test("runs what a written file concerns, and shows it")
    func written() throws {
        try watching { folder in
            try folder.write("changed", "Lamp/Lamp.ino")
            #expect(try folder.run() == Self.lamp)
            try folder.write("changed", "Lock/Suites/lock.yaml")
            #expect(try folder.run() == Self.lock)
            try folder.write("changed", "espbench.yaml")
            #expect(try folder.run() == Self.lamp + Self.lock)
            #expect(folder.notes.contains("changed: Lamp/Lamp.ino\n"))
            #expect(folder.notes.contains("changed: Lock/Suites/lock.yaml\n"))
        }
    }

    @Test("sees what editors do: rename over, backup and write anew, delete and create")
    func editors() throws {
        try watching { folder in
            let lamp = folder.path("Lamp/Lamp.ino")
            // Rename over (Emacs, VS Code, sed -i).
            try folder.write("renamed", "Lamp/.Lamp.ino.tmp")
            #expect(rename(folder.path("Lamp/.Lamp.ino.tmp"), lamp) == 0)
            #expect(try folder.run() == Self.lamp)
            // Vim: a probe, the former file to a backup, a new one, the backup removed.
            try folder.write("", "Lamp/4913")
            unlink(folder.path("Lamp/4913"))
            #expect(rename(lamp, lamp + "~") == 0)
            try folder.write("by vim", "Lamp/Lamp.ino")
            unlink(lamp + "~")
            #expect(try folder.run() == Self.lamp)
            // Delete and create.
            unlink(lamp)
            try folder.write("again", "Lamp/Lamp.ino")
            #expect(try folder.run() == Self.lamp)
            // The same text, at another time.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: lamp)
            #expect(try folder.run() == Self.lamp)
            #expect(!folder.notes.contains("removed") && !folder.notes.contains("4913") && !folder.notes.contains("~"))
        }
    }

    @Test("runs nothing for files that are no sources")
    func noise() throws {
        try watching { folder in
            try folder.write("x", "Lamp/.Lamp.ino.swp")
            try folder.write("x", "Lamp/4913")
            try folder.write("x", "Lamp/run.jsonl")
            try folder.write("x", "notes.txt")
            try folder.write("x", "Lock/Lock.ino")
            #expect(try folder.run() == Self.lock, "the first run is that of a source")
        }
    }

    @Test("finds new suites, and new folders of sources")
    func newFiles() throws {
        try watching { folder in
            try folder.write("suite: Second", "Lamp/Suites/second.yaml")
            #expect(try folder.run() == ["Lamp/Suites/second.yaml"])
            try folder.write("int a;", "Lock/src/deep/led.h")
            #expect(try folder.run() == Self.lock)
            try folder.write("int b;", "Lock/src/deep/led.h")
            #expect(try folder.run() == Self.lock)
            unlink(folder.path("Lamp/Suites/second.yaml"))
            try folder.write("x", "Lock/Lock.ino")
            #expect(try folder.run() == Self.lock)
        }
    }

    @Test("goes on when a folder is deleted and comes back")
    func folderComesBack() throws {
        try watching { folder in
            #expect(rename(folder.path("Lamp"), folder.path("away")) == 0)
            try folder.write("x", "Lock/Lock.ino")
            let files = try folder.run()
            #expect(files?.contains(Self.lock[0]) == true)
            #expect(rename(folder.path("away"), folder.path("Lamp")) == 0)
            #expect(try folder.run() == Self.lamp)
            try folder.write("changed", "Lamp/Lamp.ino")
            #expect(try folder.run() == Self.lamp)
            try FileManager.default.removeItem(at: folder.folder.appending(path: "Lamp"))
            try folder.write("y", "Lock/Lock.ino")
            let others = try folder.run()
            #expect(others?.contains(Self.lock[0]) == true)
            try folder.write("void setup() {}", "Lamp/Lamp.ino")
            try folder.write("suite: Lamp", "Lamp/Suites/lamp.yaml")
            #expect(try folder.run() == Self.lamp)
        }
    }

    @Test("runs again after a change during a run")
    func duringRun() throws {
        try watching { folder in
            try folder.write("1", "Lamp/Lamp.ino")
            #expect(try folder.nextRun() == Self.lamp)
            try folder.write("2", "Lamp/Lamp.ino")
            try folder.write("2", "Lock/Lock.ino")
            folder.release()
            #expect(try folder.run() == Self.lamp + Self.lock)
        }
    }

    @Test("shows a change once, whatever links lead to it")
    func links() throws {
        try watching { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("Lamp/loop"), withDestinationPath: ".")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("Lamp/Suites/up"), withDestinationPath: "../../Lamp")
            try folder.write("changed", "Lamp/Lamp.ino")
            #expect(try folder.run() == Self.lamp)
            #expect(folder.notes.components(separatedBy: "changed: ").count == 2, "\(folder.notes)")
            #expect(!folder.notes.contains("new: "), "\(folder.notes)")
        }
    }

    @Test("a change that concerns no selected case is no failure")
    func nothingSelected() throws {
        try withTemporaryFolder { url in
            let folder = WatchedFolder(url)
            try folder.write("suite: Lamp", "Lamp/Suites/lamp.yaml")
            folder.start(status: .testsFailed, isSelected: false)
            _ = try folder.run()
            try folder.write("changed", "Lamp/Suites/lamp.yaml")
            #expect(try folder.run() == Self.lamp)
            folder.press("q")
            #expect(try folder.end() == .testsFailed)
            #expect(folder.notes.contains("no selected case is concerned\n"))
        }
    }

    @Test("runs all again on Enter")
    func enter() throws {
        try watching { folder in
            folder.press("x\n")
            let suites = try folder.run()
            #expect(suites == nil)
        }
    }

    @Test("ends with the exit code of the last run on q, and with that of an interruption else")
    func ends() throws {
        try withTemporaryFolder { url in
            let folder = WatchedFolder(url)
            try folder.write("suite: Lamp", "Lamp/Suites/lamp.yaml")
            folder.start(status: .testsFailed)
            _ = try folder.run()
            folder.press("q")
            #expect(try folder.end() == .testsFailed)
        }
        try withTemporaryFolder { url in
            let folder = WatchedFolder(url)
            folder.start(status: .testsFailed)
            _ = try folder.run()
            folder.interrupt()
            #expect(try folder.end() == .interrupted)
        }
        try withTemporaryFolder { url in
            let folder = WatchedFolder(url)
            folder.start()
            _ = try folder.nextRun()
            folder.interrupt()
            folder.release()
            #expect(try folder.end() == .interrupted, "also during a run")
        }
    }
}
