import Foundation
import Testing

/// Emulated USB devices (`EmulatedUSB`, over USB/IP), and programs that see them in place of the machine's devices
/// (`Mock/usbmock`, on umockdev).
final class EmulatedBus: Sendable {
    private static let programs = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent()
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Mock")

    /// `usbmock`, or why it could not be built.
    private static let mock = Result { try buildMock() }

    /// Whether umockdev is installed.
    static var isAvailable: Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-wrapper")
            && FileManager.default.fileExists(atPath: "/usr/include/umockdev-1.0/umockdev.h")
    }

    private static func buildMock() throws -> URL {
        let program = FileManager.default.temporaryDirectory.appending(path: "usbmock-\(getpid())")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/bin/sh")
        compiler.arguments = [
            "-c",
            "cc -std=gnu11 -Wall -Wextra -Werror -O1 -o \"$0\" \"$1\"/*.c $(pkg-config --cflags --libs umockdev-1.0)",
            program.path, sources.path,
        ]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0, "usbmock does not compile")
        return program
    }

    private let server: ChildProcess
    private let port: String
    /// The bus ids, in the order of the devices.
    let busIDs: [String]
    /// A file with the events of usbfs.
    private let log: URL
    /// The state folder of the devices' boards, with the key of the images that they run.
    let state: URL

    /// Serves `devices`, in the notation of `EmulatedUSB`, e.g. `cp2102=loopback`, with its options.
    init(_ devices: String...) async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "usb-\(UUID().uuidString)")
        // The cache of builds is that of other tests, and so is the key.
        let own = home.appending(path: "espbench")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(
            atPath: own.appending(path: "sealing.key").path, contents: Data("The key of espbench's own tests.".utf8),
            attributes: [.posixPermissions: 0o600])
        state = home
        log = home.appending(path: "log.txt")
        server = try ChildProcess(
            Self.programs.appending(path: "EmulatedUSB"), devices,
            environment: ["XDG_STATE_HOME": home.path, "HOME": home.path])
        let first = try #require(await server.nextLine())
        port = String(try #require(first.split(separator: " ").last))
        var ids: [String] = []
        // Each option has a value.
        for _ in 0..<(devices.count - 2 * devices.count { $0.hasPrefix("--") }) {
            let line = try #require(await server.nextLine())
            ids.append(String(try #require(line.split(separator: " ").first)))
        }
        busIDs = ids
    }

    /// Starts `program` of the build folder where it sees the devices.
    ///
    /// - Parameters:
    ///   - mode: the access mode of the devices' nodes.
    ///   - user: the user id to run it as.
    ///   - shell: a command that runs the one in its arguments.
    func start(
        _ program: String, _ arguments: [String] = [], through shell: [String] = [], mode: String = "0666",
        user: Int? = nil,
        environment: [String: String] = [:], mergesErrors: Bool = false
    ) throws -> ChildProcess {
        var command = try command([Self.programs.appending(path: program).path] + arguments, mode: mode, user: user)
        command = shell + command
        return try ChildProcess(
            URL(filePath: command.removeFirst()), command, environment: environment, mergesErrors: mergesErrors)
    }

    /// The command that runs `command` where it sees the devices.
    func command(_ command: [String], mode: String = "0666", user: Int? = nil) throws -> [String] {
        var options = ["--log", log.path, "--mode", mode]
        if let user { options += ["--user", "\(user)"] }
        return ["/usr/bin/umockdev-wrapper", try Self.mock.get().path] + options + ["127.0.0.1", port] + busIDs + ["--"]
            + command
    }

    /// Starts a probe.
    func probe(mode: String = "0666", user: Int? = nil) throws -> Probe {
        Probe(try start("USBProbe", mode: mode, user: user))
    }

    /// Plugs a device in or out; returns when that has happened at the server.
    func setPlugged(_ isPlugged: Bool, _ device: Int = 0) async throws {
        let verb = isPlugged ? "plug" : "unplug"
        try server.send("\(verb) \(busIDs[device])")
        #expect(await server.nextLine() == "\(verb)ged \(busIDs[device])")
    }

    /// Lets requests of this number fail: `stall`, `silence`, `loss`, `unplug`, or `none` again.
    func setFault(_ fault: String, _ request: UInt8, _ device: Int = 0) async throws {
        try await command("fault \(busIDs[device]) \(fault) \(String(request, radix: 16))")
    }

    /// What is plugged in next in the place of a device, in the notation of `EmulatedUSB`.
    func become(_ kind: String, _ device: Int = 0) async throws {
        try await command("become \(busIDs[device]) \(kind)")
    }

    private func command(_ line: String) async throws {
        try server.send(line)
        #expect(await server.nextLine() == "done \(line.split(separator: " ")[1])")
    }

    /// What usbfs has seen, e.g. `claimed 1-1 0`.
    func events() throws -> [String] {
        // Nothing before the first program has started.
        guard FileManager.default.fileExists(atPath: log.path) else { return [] }
        return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Waits, for at most 10 s, until usbfs has seen `event` so often.
    func waitFor(_ count: Int, _ event: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<200 where try events().count(where: { $0 == event }) < count {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try events().count { $0 == event } == count, sourceLocation: sourceLocation)
    }

    /// Ends the server, and removes its files.
    func end() async {
        try? server.send("quit")
        await server.finish()
        try? FileManager.default.removeItem(at: state)
    }
}

/// A `USBProbe` that sees emulated devices.
struct Probe {
    let process: ChildProcess

    init(_ process: ChildProcess) { self.process = process }

    /// Performs a command; see `USBProbe`.
    func callAsFunction(_ command: String) async throws -> String {
        try process.send(command)
        return try #require(await process.nextLine(), "the probe has ended")
    }

    /// Performs a command that must have this answer.
    func expect(_ command: String, _ wanted: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let answer = try await self(command)
        #expect(answer == wanted, "\(command)", sourceLocation: sourceLocation)
    }

    /// Repeats a command until it has this answer, for at most 10 s.
    func expectEventually(
        _ command: String, _ wanted: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var answer = try await self(command)
        for _ in 0..<200 where answer != wanted {
            try await Task.sleep(for: .milliseconds(50))
            answer = try await self(command)
        }
        #expect(answer == wanted, "\(command)", sourceLocation: sourceLocation)
    }

    /// Reads a port until it fails, with this error: what the device had sent can be read before.
    func expectEnd(_ port: String, _ wanted: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var answer = "ok "
        for _ in 0..<1000 where answer.hasPrefix("ok") { answer = try await self("read \(port) 4096 -1") }
        #expect(answer == wanted, sourceLocation: sourceLocation)
    }

    /// Sends a command without waiting for its answer.
    func begin(_ command: String) throws { try process.send(command) }

    /// The answer to ``begin(_:)``.
    func answer() async throws -> String { try #require(await process.nextLine(), "the probe has ended") }

    /// Closes the ports and ends.
    func end() async { #expect(await process.finish() == 0) }
}
