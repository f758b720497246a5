import Inbox
import BLECore
import BLEPackets
import BLERadio
import BLERadioServing
import Foundation
import MonotonicTime
import BenchExecutor
import Synchronization
import TCP

/// A host that sends H4, or garbage, over TCP.
final class H4Client: Sendable {
    private let inbox: TCPInbox
    private let connection: TCPConnection

    init(port: UInt16) throws {
        let descriptor = try TCPSocket.connect(host: "127.0.0.1", port: port, name: "client", milliseconds: 5000)
        inbox = TCPInbox(name: "client")
        connection = TCPConnection(descriptor, name: "client", receiver: inbox)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await connection.send(bytes)
    }

    /// Waits for `count` bytes.
    func read(_ count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await inbox.read(upTo: count - bytes.count, within: .seconds(20))
            guard !more.isEmpty else { return bytes }
            bytes += more
        }
        return bytes
    }

    /// Waits for the next event with `code`, and returns its parameters.
    func event(_ code: UInt8) async throws -> [UInt8] {
        while true {
            let header = try await read(3)
            guard header.count == 3, header[0] == 4 else { return header }
            let parameters = try await read(Int(header[2]))
            if header[1] == code { return parameters }
        }
    }

    /// Sends a command, and returns the return parameters of its Command Complete.
    func command(_ opcode: UInt16, _ parameters: [UInt8] = []) async throws -> [UInt8] {
        let code = [UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
        try await send([1] + code + [UInt8(parameters.count)] + parameters)
        return Array(try await event(0x0E).dropFirst(3))
    }

    /// Waits until the server has ended the connection.
    func waitForEnd() async {
        do {
            while true { _ = try await inbox.read(upTo: 65_536, within: .seconds(20)) }
        } catch {}
    }

    func close() {
        connection.close()
    }
}

/// Lines of a log.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Runs `body` against an H4 server on a radio in real time, on a separate thread.
func withH4Server(
    _ limits: H4Limits = H4Limits(), address: DeviceAddress? = nil, log: LogLines = LogLines(),
    _ body: @escaping @Sendable (H4Server, Radio) async throws -> Void
) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let thread = Thread {
            let executor = BenchExecutor(pace: .real)
            continuation.resume(
                with: Result { try executor.run { try await serve(executor, limits, address, log, body) } })
        }
        thread.start()
    }
}

private func serve(
    _ executor: BenchExecutor, _ limits: H4Limits, _ address: DeviceAddress?, _ log: LogLines,
    _ body: @escaping @Sendable (H4Server, Radio) async throws -> Void
) async throws {
    let radio = Radio(executor, seed: 1)
    let server = try H4Server(
        radio, executor, personality: .esp32, address: address, addresses: ControllerAddresses(), port: 0,
        limits: limits
    ) { log.add($0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await server.run() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server, radio))
        } catch {
            result = .failure(error)
        }
        server.stop()
        try await group.waitForAll()
        try result.get()
    }
}
