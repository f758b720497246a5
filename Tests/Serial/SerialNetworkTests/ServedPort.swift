import Foundation
import SerialNetwork
import SerialPort
import BenchExecutor
import Synchronization

/// Collects the lines of a server's log.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}

/// Runs `body` in real time on a separate thread, so that its time-outs do not depend on the load of the thread pool.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
            continuation.resume(with: Result { try BenchExecutor(pace: .real).run(body) })
        }
        thread.start()
    }
}

/// Runs `body` against a server that gives `port` to one client at a time.
func withServer<Value: Sendable>(
    _ transport: SerialServer.Transport, limits: SerialServer.Limits = .init(), log: LogLines = LogLines(),
    open: @escaping @Sendable () async throws -> any SerialPort,
    _ body: @escaping @Sendable (SerialServer) async throws -> Value
) async throws -> Value {
    let server = try SerialServer(transport, port: 0, limits: limits) { log.add($0) }
    return try await onOwnThread {
        try await serve(server, open, body)
    }
}

private func serve<Value: Sendable>(
    _ server: SerialServer, _ open: @escaping @Sendable () async throws -> any SerialPort,
    _ body: @escaping @Sendable (SerialServer) async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
            await server.run(opening: open)
            return nil
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        server.stop()
        try await group.waitForAll()
        return try result.get()
    }
}

/// Reads exactly `count` bytes.
func read(_ count: Int, from port: any SerialPort) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
        let more = try await port.read(upTo: count - bytes.count, within: .seconds(20))
        guard !more.isEmpty else { return bytes }
        bytes += more
    }
    return bytes
}
