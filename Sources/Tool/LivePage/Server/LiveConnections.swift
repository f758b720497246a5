import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// The connections of a server, with their deadlines.
package final class LiveConnections: Sendable {
    private struct Entry {
        var deadline: Duration?
        /// True if a request with the page's token was received on this connection.
        var isKnown = false
        var task: Task<Void, Never>?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var last = 0
        var slotWaiter: CheckedContinuation<Void, Never>?
    }

    package let time: LiveTime
    private let limit: Int
    private let state = Mutex(State())

    /// At most `limit` connections at a time.
    package init(limit: Int, time: LiveTime) {
        self.limit = limit
        self.time = time
    }

    /// The number of connections.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Returns when another connection may be accepted. One caller at a time. If all are in use, the oldest connection
    /// without the page's token is ended, so that unknown clients cannot block the page.
    package func waitForSlot() async {
        let stranger = state.withLock { state -> Task<Void, Never>? in
            guard state.entries.count >= limit else { return nil }
            return state.entries.filter { !$0.value.isKnown }.min { $0.key < $1.key }?.value.task
        }
        stranger?.cancel()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.entries.count < limit || Task.isCancelled { return true }
                    state.slotWaiter = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.slotWaiter.take() }?.resume()
        }
    }

    /// Runs `body` with the connection's number, until it returns or its deadline has passed.
    package func start(_ body: @escaping @Sendable (Int) async -> Void) {
        let number = state.withLock { state in
            state.last += 1
            state.entries[state.last] = Entry()
            return state.last
        }
        let task = Task.detached {
            await body(number)
            self.remove(number)
        }
        let isOver = state.withLock { state in
            state.entries[number]?.task = task
            return state.entries[number] == nil
        }
        if isOver { task.cancel() }
    }

    private func remove(_ number: Int) {
        let waiter = state.withLock { state in
            state.entries[number] = nil
            return state.slotWaiter.take()
        }
        waiter?.resume()
    }

    /// Records that a request with the page's token was received.
    package func setKnown(_ number: Int) { state.withLock { $0.entries[number]?.isKnown = true } }

    /// Sets the time limit of a connection from now on; `nil`: no limit.
    package func setDeadline(_ limit: Duration?, of number: Int) {
        let deadline = limit.map { time.now() + $0 }
        state.withLock { $0.entries[number]?.deadline = deadline }
    }

    /// Ends the connections whose deadline has passed.
    package func endLate() {
        let now = time.now()
        let late = state.withLock { state in
            state.entries.values.filter { $0.deadline.map { $0 <= now } ?? false }.compactMap(\.task)
        }
        for task in late { task.cancel() }
    }

    /// Ends all connections; returns when they have ended.
    package func endAll() async {
        let tasks = state.withLock { $0.entries.values.compactMap(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

/// One connection of a browser: reads requests and answers them, one after the other. Every wait has a deadline.
package struct LiveConnection: Sendable {
    /// The maximum time for which a browser may keep a connection without a request.
    package static let idleTime = Duration.seconds(60)
    /// The maximum time for the rest of a request, and for each part of an answer.
    package static let progressTime = Duration.seconds(15)
    /// How long the rest of a refused request is read, so that the browser gets the answer before the end.
    package static let lingerTime = Duration.seconds(2)
    /// The pause between two parts of an event stream: events during it are sent together.
    package static let eventPause = Duration.milliseconds(50)

    package let socket: AsyncSocket
    /// The pool that waits for `socket`.
    package let pool: LivePool
    package let connections: LiveConnections
    package let number: Int
    package let answer: @Sendable (HTTPRequest) async -> LiveAnswer

    /// Serves until the browser ends it, or a deadline passes.
    package func run() async {
        do {
            try await serve()
        } catch {
            // The browser has closed the connection or is too slow: no answer can be sent.
        }
        await pool.settle()
        try? socket.close()
    }

    private func serve() async throws {
        var reader = RequestReader()
        while true {
            let request: HTTPRequest
            do throws(RequestFault) {
                guard let next = try await read(&reader) else { return }
                request = next
            } catch {
                return try await refuse(error)
            }
            let closes =
                request.version != .http11 || request.headers[.connection]?.lowercased().contains("close") == true
            expectProgress()
            switch await answer(request) {
            case .whole(let response):
                try await send(
                    ResponseBytes.whole(response, hasBody: request.method.rawValue != "HEAD", closes: closes))
            case .events(let reader): return try await stream(reader)
            }
            if closes { return }
        }
    }

    /// The next request; `nil`: the browser has ended the connection.
    private func read(_ reader: inout RequestReader) async throws(RequestFault) -> HTTPRequest? {
        connections.setDeadline(Self.idleTime, of: number)
        var isContinued = false
        while true {
            if let request = try reader.next() { return request }
            if reader.awaitsContinue, !isContinued {
                isContinued = true
                try? await send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            }
            guard let bytes = try? await socket.read(atMost: 4096) else { return nil }
            // A further byte does not restart the time limit of the rest.
            if reader.isEmpty { expectProgress() }
            reader.append(bytes)
        }
    }

    private func refuse(_ fault: RequestFault) async throws {
        try await send(ResponseBytes.whole(fault.response, hasBody: true, closes: true))
        shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
        connections.setDeadline(Self.lingerTime, of: number)
        while true { _ = try await socket.read(atMost: 4096) }
    }

    private func stream(_ reader: LiveReader) async throws {
        defer { reader.close() }
        let headers: HTTPHeaders = [.contentType: "text/event-stream; charset=utf-8"]
        try await send(ResponseBytes.head(.ok, headers, length: nil, closes: true))
        while true {
            connections.setDeadline(nil, of: number)
            guard let bytes = await reader.next() else { return }
            try await send(bytes)
            try await connections.time.sleep(Self.eventPause)
        }
    }

    private func expectProgress() { connections.setDeadline(Self.progressTime, of: number) }

    private func send(_ bytes: Data) async throws {
        expectProgress()
        try await socket.write(bytes)
    }
}
