import BenchExecutor
import DBus
import Foundation
import Synchronization

/// A message bus of its own: dbus-daemon, in a folder that goes with it.
final class TestBus: Sendable {
    let address: DBusAddress
    let folder: URL
    private let daemon: RunningProgram

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("dbus-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("bus").path
        address = DBusAddress(path: path)
        daemon = try RunningProgram(
            "/usr/bin/dbus-daemon",
            ["--session", "--nofork", "--nopidfile", "--print-address=1", "--address=unix:path=\(path)"])
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func stop() {
        daemon.stop()
    }

    /// The service of Peer/service.py.
    func startPeer() throws -> RunningProgram {
        try RunningProgram(peerPython, [peerFile("service.py"), address.description])
    }
}

/// The project's folder, its Python, and a file of Peer.
let projectFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
let peerPython = projectFolder.appendingPathComponent(".venv/bin/python").path
func peerFile(_ name: String) -> String {
    projectFolder.appendingPathComponent("Tests/Foundations/DBusTests/Peer/\(name)").path
}

/// A program that has printed its first line.
final class RunningProgram: Sendable {
    private let process: Mutex<Process>

    init(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
        self.process = Mutex(process)
    }

    deinit {
        stop()
    }

    func stop() {
        process.withLock { process in
            guard process.isRunning else { return }
            // It may have been started on a thread that blocks signals, and has inherited that.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Runs a program to its end; returns what it printed.
    static func output(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}

/// Messages that handlers received.
final class Received: Sendable {
    private let state = Mutex<(lines: [String], waiters: [(String, CheckedContinuation<Void, Never>)])>(([], []))

    var lines: [String] { state.withLock { $0.lines } }

    func add(_ line: String) {
        let waiters = state.withLock { state in
            state.lines.append(line)
            defer { state.waiters.removeAll { $0.0 == line } }
            return state.waiters.filter { $0.0 == line }
        }
        for (_, waiter) in waiters { waiter.resume() }
    }

    /// Waits for a line.
    func wait(for line: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.lines.contains(line) { return true }
                state.waiters.append((line, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
