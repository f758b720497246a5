import FlyingFox
import FlyingSocks
import Foundation

/// Serves the page to browsers of this machine.
public struct LiveServer: Sendable {
    /// The maximum number of connections at a time, if the system allows so many; further ones wait until one ends.
    public static let connectionLimit = 2048
    /// The maximum number of browsers with an event stream; further ones are refused.
    package static let readerLimit = 64
    /// The interval of checks of deadlines; data to idle browsers are sent at a multiple of it.
    private static let tick = Duration.seconds(1)
    private static let keepAliveTicks = 15

    /// The TCP port of the server.
    public let port: UInt16
    private let listener: Socket
    private let requestGuard: RequestGuard
    private let token: AccessToken
    private let hub: LiveHub
    private let routes: LiveRoutes
    private let connections: LiveConnections

    /// A server that listens on loopback; it answers once ``run()`` is called.
    ///
    /// - Parameters:
    ///   - port: 0: any.
    ///   - routes: the answers other than the page's files.
    ///   - connectionLimit: must be less than the limit of open files of the process.
    /// - Throws: ``LiveServerError`` when the server cannot listen on the port.
    public init(
        port: UInt16, token: AccessToken, hub: LiveHub, routes: LiveRoutes, time: LiveTime,
        connectionLimit: Int = LiveServer.connectionLimit
    ) throws(LiveServerError) {
        do {
            let listener = try Socket(domain: Int32(AF_INET))
            try listener.setValue(true, for: .localAddressReuse)
            try listener.bind(to: .inet(ip4: "127.0.0.1", port: port))
            try listener.listen()
            guard case .ip4(_, let bound) = try listener.sockname() else {
                throw SocketError.unsupportedAddress
            }
            self.listener = listener
            self.port = bound
        } catch {
            throw LiveServerError(port: port, detail: error.localizedDescription)
        }
        requestGuard = RequestGuard(token, port: self.port)
        self.token = token
        self.hub = hub
        self.routes = routes
        connections = LiveConnections(limit: max(1, connectionLimit), time: time)
    }

    /// The page's address.
    public var address: String { "http://127.0.0.1:\(port)/\(token)/" }

    /// The number of connections.
    package var connectionCount: Int { connections.count }

    /// Answers until the task is cancelled.
    public func run() async throws {
        let pool = makeLivePool()
        try await pool.prepare()
        let listener = try AsyncSocket(socket: listener, pool: pool)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await pool.run() }
            group.addTask { await accept(listener, pool) }
            group.addTask { await watchDeadlines() }
            await group.next()
            hub.end()
            await connections.endAll()
            group.cancelAll()
        }
        try? listener.close()
    }

    private func accept(_ listener: AsyncSocket, _ pool: LivePool) async {
        while !Task.isCancelled {
            do {
                let socket = try await listener.accept()
                await connections.waitForSlot()
                connections.start { number in
                    await LiveConnection(
                        socket: socket, pool: pool, connections: connections, number: number
                    ) { await answer($0, number) }.run()
                }
            } catch {
                // E.g. no file descriptor is left: waiting clients are accepted when one is free.
                try? await connections.time.sleep(.milliseconds(100))
            }
        }
    }

    private func watchDeadlines() async {
        var ticks = 0
        while !Task.isCancelled {
            try? await connections.time.sleep(Self.tick)
            connections.endLate()
            ticks += 1
            if ticks % Self.keepAliveTicks == 0 { hub.tick() }
        }
    }

    private func answer(_ request: HTTPRequest, _ number: Int) async -> LiveAnswer {
        do throws(RequestFault) {
            let path = try requestGuard.path(of: request)
            connections.setKnown(number)
            guard !path.isEmpty else {
                let headers: HTTPHeaders = [.location: "/\(token)/"]
                return .whole(HTTPResponse(statusCode: .movedPermanently, headers: headers))
            }
            if path == "/events" { return try events(request) }
            var inner = request
            inner.target = HTTPRequest.Target(path: path, query: request.target.query(percentEncoded: true))
            inner.path = inner.target.path(percentEncoded: false)
            return .whole(await respond(inner))
        } catch {
            return .whole(error.response)
        }
    }

    private func events(_ request: HTTPRequest) throws(RequestFault) -> LiveAnswer {
        guard request.method == .GET else { throw RequestFault(.methodNotAllowed, "expected GET") }
        guard hub.readerCount < Self.readerLimit else {
            throw RequestFault(.serviceUnavailable, "expected at most \(Self.readerLimit) browsers")
        }
        let seen = request.headers[HTTPHeader("Last-Event-ID")].flatMap(LiveReader.Position.init)
        guard let reader = hub.reader(after: seen) else {
            throw RequestFault(.serviceUnavailable, "the server ends")
        }
        return .events(reader)
    }

    private func respond(_ request: HTTPRequest) async -> HTTPResponse {
        if request.method != .POST, let file = PageFiles.file(at: request.path) {
            let headers: HTTPHeaders = [.contentType: file.type]
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data(file.bytes))
        }
        return await routes.response(to: request) ?? HTTPResponse(statusCode: .notFound)
    }
}

/// The server cannot listen on a port.
public struct LiveServerError: Error, CustomStringConvertible {
    /// The port.
    public var port: UInt16
    /// The system's error text.
    public var detail: String

    /// One line.
    public var description: String { "cannot listen on 127.0.0.1:\(port): \(detail)" }
}

#if canImport(Darwin)
    /// Waits for sockets.
    package typealias LivePool = SocketPool<kQueue>
    package func makeLivePool() -> LivePool { .kQueue() }
#else
    /// Waits for sockets.
    package typealias LivePool = SocketPool<ePoll>
    package func makeLivePool() -> LivePool { .ePoll() }
#endif

extension SocketPool {
    /// Returns when the pool has finished its current work. Must be awaited before a socket is closed.
    ///
    /// FlyingSocks (0.27.1) resumes the task that waits for a socket before it removes the socket from its queue. If
    /// the socket is closed in between, the queue keeps the descriptor's number registered, and a task with the next
    /// socket of that number waits for ever.
    package func settle() {}
}

/// The clock with which a server measures its waits for browsers.
public struct LiveTime: Sendable {
    /// The time since some instant.
    public let now: @Sendable () -> Duration
    /// Waits for a duration.
    public let sleep: @Sendable (Duration) async throws -> Void

    /// A clock from a function for the time and a function that waits.
    package init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The time of `clock`.
    public init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }
}

/// The answer to a request.
package enum LiveAnswer {
    /// A response with all of its body.
    case whole(HTTPResponse)
    /// The stream of events.
    case events(LiveReader)
}
