import Dispatch
import Inbox
internal import SerialPort
import Synchronization
import TCP

/// A port behind a telnet server that speaks RFC 2217.
///
/// Commands wait for the server's answers, so that the pauses of a reset sequence reach the board.
final class RFC2217Port: SerialPort {
    /// How long a server may take to answer a command.
    private static let answerLimit = Duration.seconds(3)

    let name: String
    var hasModemLines: Bool { link.hasModemLines }
    private let link: RFC2217Link
    private let connection: TCPConnection

    init(_ descriptor: Int32, name: String) {
        self.name = name
        link = RFC2217Link(name: name)
        connection = TCPConnection(descriptor, name: name, receiver: link)
    }

    /// Negotiates RFC 2217 and sets 115200 8N1; leaves the modem lines as they are.
    func negotiate(within limit: Duration) async throws {
        try await send(link.change { $0.greeting() })
        let error = SerialPortError(
            .unsupported, port: name, "expected a server that agrees to telnet COM-PORT-OPTION (RFC 2217), got none")
        try await link.wait(within: limit, orThrow: error) { $0.hasComPort }
        try await configure(.default) { $0.askForDTR() }
    }

    private func send(_ bytes: [UInt8]) async throws {
        do {
            try await connection.send(bytes)
        } catch let error as TCPError {
            throw SerialPortError(link.fault(error))
        }
    }

    private func perform(
        _ what: String, otherwise code: SerialPortError.Code = .system, _ body: (inout RFC2217Client) -> [UInt8]
    ) async throws {
        try await send(link.change(body))
        let error = SerialPortError(
            code, port: name, "expected the server's answer to \(what) within \(Self.answerLimit), got none")
        try await link.wait(within: Self.answerLimit, orThrow: error) { $0.isSettled }
    }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        try await SerialPortError.wrap { try await link.inbox.read(upTo: maximum, within: timeout) }
    }

    func write(_ bytes: [UInt8]) async throws {
        try await send(Telnet.escaped(bytes))
    }

    func discardInput() async throws {
        // A full inbox stops reading, and the answer comes after the buffered bytes.
        try SerialPortError.wrap { try link.received.discard() }
        try await perform("PURGE-DATA") { $0.purgeInput() }
    }

    func configure(_ settings: SerialSettings) async throws {
        try await configure(settings) { _ in [] }
    }

    private func configure(
        _ settings: SerialSettings, after first: (inout RFC2217Client) -> [UInt8]
    ) async throws {
        try await perform("SET-BAUDRATE \(settings.baudRate)") { first(&$0) + $0.configure(settings) }
        guard let rate = link.baudRate, rate != settings.baudRate else { return }
        throw SerialPortError(
            .unsupported, port: name, "expected \(settings.baudRate) baud, the server's port is set to \(rate)")
    }

    func setModemLines(_ lines: ModemLines) async throws {
        guard hasModemLines else { return }
        try await perform("SET-CONTROL of DTR and RTS", otherwise: .noModemLines) { $0.setModemLines(lines) }
    }

    func pause(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    func close() async {
        connection.close()
    }
}

/// The state of one RFC 2217 client connection, shared by its socket and its callers.
final class RFC2217Link: TCPReceiver {
    private struct Waiter {
        let id: UInt64
        let condition: @Sendable (RFC2217Client) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var client = RFC2217Client()
        var waiters: [Waiter] = []
        var nextID: UInt64 = 0
        var error: TCPError?
    }

    /// The received data.
    let received: RefusalInbox
    var inbox: TCPInbox { received.inbox }
    private let name: String
    private let state = Mutex(State())

    init(name: String) {
        self.name = name
        received = RefusalInbox(name: name)
    }

    /// Updates the client; returns the bytes to send.
    func change(_ body: (inout RFC2217Client) -> [UInt8]) -> [UInt8] {
        state.withLock { body(&$0.client) }
    }

    /// The rate in the server's last answer.
    var baudRate: Int? { state.withLock { $0.client.baudRate } }

    /// True unless the server is known to lack DTR and RTS.
    var hasModemLines: Bool { state.withLock { $0.client.hasModemLines } }

    /// The error to report when the connection ends with `error`.
    func fault(_ error: TCPError) -> TCPError { received.fault(error) }

    func receive(_ bytes: [UInt8]) throws(TCPError) -> [UInt8] {
        let result = state.withLock { state -> Result<([RFC2217Client.Event], [UInt8], [Waiter]), TelnetOverflow> in
            do throws(TelnetOverflow) {
                let events = try state.client.receive(bytes)
                var ready: [Waiter] = []
                state.waiters.removeAll { waiter in
                    guard waiter.condition(state.client) else { return false }
                    ready.append(waiter)
                    return true
                }
                return .success((events, state.client.drainReplies(), ready))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .failure(let overflow):
            throw TCPError(
                .disconnected, name: name,
                "expected a telnet subnegotiation of at most \(overflow.limit) bytes, got a longer one")
        case .success((let events, let replies, let ready)):
            for event in events {
                switch event {
                case .data(let data): received.append(data)
                case .purged: try received.discard()
                }
            }
            for waiter in ready { waiter.continuation.resume() }
            return replies
        }
    }

    func finish(_ error: TCPError) {
        let fault = fault(error)
        let waiters = state.withLock { state in
            state.error = fault
            defer { state.waiters.removeAll() }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(throwing: SerialPortError(fault)) }
        received.finish(error)
    }

    /// Waits until `condition` holds.
    ///
    /// - Throws: `timeoutError` after `limit`; the connection's error.
    func wait(
        within limit: Duration, orThrow timeoutError: SerialPortError,
        until condition: @escaping @Sendable (RFC2217Client) -> Bool
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let (id, outcome) = state.withLock { state -> (UInt64, Result<Void, any Error>?) in
                state.nextID += 1
                if let error = state.error { return (state.nextID, .failure(SerialPortError(error))) }
                if condition(state.client) { return (state.nextID, .success(())) }
                state.waiters.append(Waiter(id: state.nextID, condition: condition, continuation: continuation))
                return (state.nextID, nil)
            }
            if let outcome {
                continuation.resume(with: outcome)
                return
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatchInterval) { [weak self] in
                self?.timeOut(id, timeoutError)
            }
        }
    }

    private func timeOut(_ id: UInt64, _ error: SerialPortError) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            state.client.discardUnanswered()
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(throwing: error)
    }
}
