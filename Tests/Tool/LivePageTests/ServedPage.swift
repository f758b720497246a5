import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

import LivePage

/// A board that does what it is told, but for its power.
final class ScriptedBoard: LiveBoard {
    struct Stuck: Error, CustomStringConvertible { let description = "the switch is stuck" }

    let log = Mutex<[String]>([])

    func setPower(_ isOn: Bool) async throws { throw Stuck() }
    func reset() async throws { log.withLock { $0.append("reset") } }
    func setButton(pin: Int, isPressed: Bool) async throws { log.withLock { $0.append("button \(pin) \(isPressed)") } }
    func type(_ line: String) async throws { log.withLock { $0.append("type \(line)") } }

    func set(_ part: String, _ quantity: String, to value: Double) async throws {
        log.withLock { $0.append("set \(part).\(quantity) \(value)") }
    }

    func setPlugged(_ part: String, _ isPlugged: Bool) async throws {
        log.withLock { $0.append("plug \(part) \(isPlugged)") }
    }
}

/// A page that is served, and its browsers.
struct ServedPage: Sendable {
    let server: LiveServer
    let hub: LiveHub
    let token: AccessToken
    let board: ScriptedBoard
    private let pool: LivePool

    var host: String { "127.0.0.1:\(server.port)" }
    var path: String { "/\(token)" }

    static func run(
        time: LiveTime = LiveTime(ContinuousClock()), connectionLimit: Int = 100,
        _ body: @escaping @Sendable (ServedPage) async throws -> Void
    ) async throws {
        var generator = SystemRandomNumberGenerator()
        let token = AccessToken(using: &generator)
        let hub = LiveHub(run: "run-1")
        let board = ScriptedBoard()
        var routes = LiveRoutes()
        routes.addCommands(LiveBench(boards: [board]))
        let server = try LiveServer(
            port: 0, token: token, hub: hub, routes: routes, time: time, connectionLimit: connectionLimit)
        let pool = makeLivePool()
        try await pool.prepare()
        let page = ServedPage(server: server, hub: hub, token: token, board: board, pool: pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await pool.run() }
            group.addTask { try await server.run() }
            defer { group.cancelAll() }
            try await body(page)
        }
    }

    func connect() async throws -> AsyncSocket {
        let socket = try Socket(domain: Int32(AF_INET))
        let connection = try AsyncSocket(socket: socket, pool: pool)
        try await connection.connect(to: .inet(ip4: "127.0.0.1", port: server.port))
        return connection
    }

    /// Closes a browser's connection.
    func close(_ socket: AsyncSocket) async {
        await pool.settle()
        try? socket.close()
    }

    func readAll(_ socket: AsyncSocket) async throws -> String {
        var bytes: [UInt8] = []
        while let more = try? await socket.read(atMost: 4096) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The head of an answer without a body.
    func readHead(_ socket: AsyncSocket) async throws -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) { bytes += try await socket.read(atMost: 4096) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole answer to a request, after which the connection is to end.
    func exchange(_ request: String) async throws -> String {
        let socket = try await connect()
        let closing = request.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n", maxReplacements: 1)
        try await socket.write(Data(closing.utf8))
        let answer = try await readAll(socket)
        await close(socket)
        return answer.replacing("Connection: close\r\n", with: "")
    }

    func get(_ path: String) async throws -> String {
        try await exchange("GET \(self.path)\(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    }

    func post(_ body: String) async throws -> String {
        try await exchange(
            "POST \(path)/command HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    func events(_ headers: String = "") async throws -> EventStream {
        let socket = try await connect()
        try await socket.write(Data("GET \(path)/events HTTP/1.1\r\nHost: \(host)\r\n\(headers)\r\n".utf8))
        return EventStream(socket, of: self)
    }
}

/// A browser's event stream.
final class EventStream: Sendable {
    private let socket: AsyncSocket
    private let page: ServedPage
    private let bytes = Mutex<[UInt8]>([])

    init(_ socket: AsyncSocket, of page: ServedPage) {
        self.socket = socket
        self.page = page
    }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    /// Reads until `end` has come.
    func read(until end: String) async throws {
        let end = Array(end.utf8)
        while true {
            let isThere = bytes.withLock { $0.suffix(40_000).contains(end) }
            if isThere { return }
            let more = try await socket.read(atMost: 4096)
            bytes.withLock { $0 += more }
        }
    }

    func close() async { await page.close(socket) }
}

/// Time that only goes on when it is told to.
final class ManualClock: Sendable {
    private struct State {
        var now = Duration.zero
        var sleepers: [(Duration, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var time: LiveTime {
        LiveTime(now: { self.state.withLock { $0.now } }, sleep: { try await self.sleep($0) })
    }

    private func sleep(_ duration: Duration) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers.append((state.now + duration, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            advance(by: .seconds(86_400))
        }
        try Task.checkCancellation()
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.0 <= state.now }
            state.sleepers.removeAll { $0.0 <= state.now }
            return due
        }
        for (_, continuation) in due { continuation.resume() }
    }
}

/// Raises the limit of open files, as the program does.
func raiseFileLimit(to count: UInt) -> Bool {
    #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return false }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    return setrlimit(resource, &limit) == 0
}
