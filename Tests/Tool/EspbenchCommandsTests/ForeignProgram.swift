import Foundation
import Testing

/// A program of others between espbench and a board, or in place of one of them; `Scripts/test` installs all of them.
struct ForeignProgram {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private static let python = root.appending(path: ".venv/bin/python").path

    private let tool: EspbenchProcess

    /// Prepares the program at `path`.
    init(
        _ path: String, _ arguments: [String], folder: URL, input: FileHandle = .nullDevice
    ) {
        tool = EspbenchProcess(arguments, folder: folder, input: input)
        tool.process.executableURL = URL(filePath: path)
        tool.process.environment?["PYTHONUNBUFFERED"] = "1"
    }

    /// Prepares a module of the Python environment, such as esptool.
    init(module: String, _ arguments: [String], folder: URL, input: FileHandle = .nullDevice) {
        self.init(Self.python, ["-m", module] + arguments, folder: folder, input: input)
    }

    /// Prepares Python code.
    init(code: String, _ arguments: [String] = [], folder: URL) {
        self.init(Self.python, ["-c", code] + arguments, folder: folder)
    }

    /// Runs to the end: exit code, standard output and standard error.
    func run() throws -> (code: Int32, output: String, errors: String) { try tool.run() }

    /// Starts it, with both outputs as one.
    func start() throws {
        tool.process.standardError = tool.process.standardOutput
        try tool.process.run()
    }

    /// Its output up to and including `text`.
    func waitForOutput(_ text: String) -> String { tool.waitForOutput(text, within: .seconds(300)) }

    /// Its output up to and including `text`, while `action` is repeated: what comes before a program of pyserial's has
    /// opened its port is lost, and it does not say when that is.
    func waitForOutput(_ text: String, repeating action: @escaping @Sendable () -> Void) -> String {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now(), repeating: .milliseconds(500))
        timer.setEventHandler(handler: action)
        timer.resume()
        defer { timer.cancel() }
        return waitForOutput(text)
    }

    /// Ends it at once: it has nothing to lose, and ser2net does not end at SIGTERM.
    func end() {
        kill(tool.process.processIdentifier, SIGKILL)
        tool.process.waitUntilExit()
    }

    /// Waits until the program has ended by itself.
    func waitForEnd() { tool.process.waitUntilExit() }

    // MARK: Relays

    /// ser2net with a configuration; `connections` are pairs of an accepter, with PORT for its TCP port, and a connector.
    ///
    /// - Returns: the program, which listens, and the TCP ports.
    static func ser2net(
        _ connections: [(accepter: String, connector: String)], folder: URL
    ) throws -> (program: ForeignProgram, ports: [UInt16]) {
        var (text, ports) = ("%YAML 1.1\n---\n", [UInt16]())
        for (accepter, connector) in connections {
            let port = try TCPPorts.unused()
            let place = accepter.replacing("PORT", with: "127.0.0.1,\(port)")
            text += "connection: &c\(port)\n  accepter: \(place)\n  connector: \(connector)\n"
            ports.append(port)
        }
        let file = folder.appending(path: "ser2net-\(ports).yaml")
        try Data(text.utf8).write(to: file)
        let program = ForeignProgram("/usr/sbin/ser2net", ["-n", "-d", "-u", "-c", file.path], folder: folder)
        try program.start()
        do {
            for port in ports { try TCPPorts.waitForListener(port) }
        } catch {
            program.end()
            throw TCPPorts.Fault(description: "\(error); ser2net: \(program.waitForOutput("\u{0}"))")
        }
        return (program, ports)
    }

    /// socat between two of its addresses, the first of which may be a listener on PORT; it serves one client.
    static func socat(_ first: String, _ second: String, folder: URL) throws -> (program: ForeignProgram, port: UInt16)
    {
        let port = try TCPPorts.unused()
        let place = first.replacing("PORT", with: "\(port)")
        let program = ForeignProgram("/usr/bin/socat", [place, second], folder: folder)
        try program.start()
        if place != first { try TCPPorts.waitForListener(port) }
        return (program, port)
    }
}

/// TCP ports for programs that cannot be asked which one the system has chosen.
enum TCPPorts {
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    /// A port that no program has; it is below those that systems choose.
    static func unused() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 10_000..<32_000)
            if listeners().contains(port) { continue }
            return port
        }
        throw Fault(description: "no free TCP port")
    }

    /// Waits until a program listens on `port`.
    static func waitForListener(_ port: UInt16) throws {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(30)
        while !listeners().contains(port) {
            guard clock.now < deadline else { throw Fault(description: "nobody listens on TCP port \(port)") }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// The ports that programs of this machine listen on over IPv4, from proc(5).
    private static func listeners() -> Set<UInt16> {
        // Its size is not known in advance: it is read to its end.
        let data = (try? FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd()) ?? Data()
        let table = String(decoding: data, as: UTF8.self)
        let ports = table.split(separator: "\n").dropFirst().compactMap { line -> UInt16? in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[3] == "0A" else { return nil }
            return fields[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
        }
        return Set(ports)
    }
}

/// `espbench serve` with a sketch of the tests.
struct ServedSketch {
    private static let sketches = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Board/Sketches").standardized

    let tool: EspbenchProcess
    /// The addresses of its ports.
    let addresses: [String]

    /// Serves `sketch` by `options`, each of which offers a port.
    init(_ sketch: String, _ options: [[String]], folder: URL) throws {
        tool = EspbenchProcess(
            ["serve", Self.sketches.appending(path: sketch).path] + options.flatMap { $0 }, folder: folder,
            input: .nullDevice)
        try tool.process.run()
        let lines = tool.waitForData(lines: options.count).split(separator: "\n")
        addresses = lines.map { line in String(line.prefix { $0 != " " }) }
        try #require(addresses.count == options.count)
    }

    /// The TCP port of the address at `index`.
    func tcpPort(_ index: Int) throws -> UInt16 {
        try #require(addresses[index].split(separator: ":").last.flatMap { UInt16($0) })
    }

    func end() {
        tool.process.terminate()
        tool.process.waitUntilExit()
    }
}
