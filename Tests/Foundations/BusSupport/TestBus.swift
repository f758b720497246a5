public import DBus
import Foundation
import Synchronization

/// A message bus of its own: dbus-daemon, in a folder that goes with it.
public final class TestBus: Sendable {
    /// Its address.
    public let address: DBusAddress
    private let folder: URL
    private let daemon: RunningProgram

    /// Starts it.
    public init() throws {
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

    /// Ends it; its clients are disconnected.
    public func stop() {
        daemon.stop()
    }

    /// Starts a service in Python on it, e.g. `Foundations/DBusTests/Peer/service.py`; it prints a line when it is ready.
    public func startService(_ file: String, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            PeerFiles.python, [PeerFiles.path(file), address.description] + arguments)
    }
}

/// Where programs of the tests are.
public enum PeerFiles {
    private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The project's Python, with the packages of Tests/peers.txt.
    public static let python = project.appendingPathComponent(".venv/bin/python").path

    /// The path of a file in Tests.
    public static func path(_ name: String) -> String { project.appendingPathComponent("Tests/\(name)").path }
}

/// A program that has printed its first line.
public final class RunningProgram: Sendable {
    private let process: Mutex<Process>

    /// Starts a program, and waits for its first line.
    public init(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        // Those that are killed, or whose bus ends, complain.
        process.standardError = FileHandle.nullDevice
        try process.run()
        _ = output.fileHandleForReading.availableData
        self.process = Mutex(process)
    }

    deinit {
        stop()
    }

    /// Kills it.
    public func stop() {
        process.withLock { process in
            guard process.isRunning else { return }
            // It may have been started on a thread that blocks signals, and has inherited that.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Runs a program to its end; returns what it printed.
    public static func output(_ path: String, _ arguments: [String]) throws -> String {
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
