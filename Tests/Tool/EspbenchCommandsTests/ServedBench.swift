import Foundation
import Synchronization
import Testing

/// A virtual board that `espbench serve` offers with a radio, and a project with a bench on it: all that is not hardware.
struct ServedBench {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    let folder: URL
    let served: EspbenchProcess
    /// The keys of the served board.
    private let keys = Pipe()
    /// The pipes whose bytes are relayed.
    private let relays = Relays()
    /// The arguments that select the project.
    var project: [String] { ["--project", folder.path] }

    /// The addresses of the radio, HOST:PORT; the bench has the first.
    let radios: [String]

    /// Serves what the arguments say for a bench with these lines besides board and central.
    init(_ served: [String], in folder: URL, settings: [String] = []) throws {
        self.folder = folder
        self.served = EspbenchProcess(
            ["serve", "--rfc2217", "0", "--h4", "0", "--keys"]
                + (served.contains("--chip") ? [] : ["--project", Self.root.path]) + served, folder: folder,
            input: keys.fileHandleForReading)
        try self.served.process.run()
        var lines = ""
        let count = 1 + served.count { $0 == "--h4" }
        while lines.matches(of: #/h4://.*\n/#).count < count || !lines.contains("rfc2217://") {
            let more = self.served.waitForOutput("\n")
            guard !more.isEmpty else { break }
            lines += more
        }
        let board = try #require(lines.firstMatch(of: #/rfc2217://127\.0\.0\.1:\d+/#), "\(lines)")
        radios = lines.matches(of: #/h4://(127\.0\.0\.1:\d+)/#).map { String($0.1) }
        let radio = try #require(radios.first, "\(lines)")
        let firmware = Self.root.appending(path: "Firmware").path
        let bench = ["kind: hardware", "board: \(board.0)", "central: h4:\(radio)"] + settings
        let yaml = """
            sketches: [\(firmware)/Calculator, \(firmware)/ServoLock, \(Self.root.path)/Tests/Board/Sketches/*]
            benches:
              desk:
            \(bench.map { "    \($0)" }.joined(separator: "\n"))

            """
        try Data(yaml.utf8).write(to: folder.appending(path: "espbench.yaml"))
    }

    /// Types a key of the served board.
    func type(_ key: String) { keys.fileHandleForWriting.write(Data(key.utf8)) }

    /// Types what commands write to the named pipe `name` in the folder.
    func relayKeys(from name: String) throws {
        let path = folder.appending(path: name).path
        try #require(mkfifo(path, 0o600) == 0)
        // Open in both directions: there is always a writer, and the commands never wait for a reader.
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        relays.pipes.withLock { $0.append(pipe) }
        pipe.readabilityHandler = { [keys] in keys.fileHandleForWriting.write($0.availableData) }
    }

    /// A file of the project's firmware.
    static func suite(_ path: String) -> String { root.appending(path: "Firmware/\(path)").path }

    /// Runs `espbench` with `arguments` in the project.
    func run(_ arguments: [String]) throws -> (code: Int32, output: String, errors: String) {
        try EspbenchProcess(
            Array(arguments.prefix(1)) + (arguments.first == "compare" ? [] : project) + arguments.dropFirst(),
            folder: folder
        ).run()
    }

    /// Runs `espbench test` with `--json`, and stores its output in the folder.
    func test(_ arguments: [String], to file: String) throws -> (code: Int32, output: String, errors: String) {
        let result = try run(["test"] + arguments + ["--json"])
        try Data(result.output.utf8).write(to: folder.appending(path: file))
        return result
    }

    /// Ends the server.
    func end() {
        relays.end()
        served.process.terminate()
        served.process.waitUntilExit()
    }
}

/// Named pipes that are read until the end of a test.
private final class Relays: Sendable {
    let pipes = Mutex<[FileHandle]>([])

    func end() {
        for pipe in pipes.withLock({ $0 }) { pipe.readabilityHandler = nil }
        pipes.withLock { $0 = [] }
    }
}
