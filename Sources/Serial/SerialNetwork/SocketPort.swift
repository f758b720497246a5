import Inbox
import SerialPort
import Synchronization
import TCP

/// Raw bytes over TCP: no rate, no modem lines.
final class SocketPort: SerialPort {
    private let link: SocketLink
    private let connection: TCPConnection

    init(_ descriptor: Int32, name: String) {
        link = SocketLink(name: name)
        connection = TCPConnection(descriptor, name: name, receiver: link)
    }

    var name: String { connection.name }
    var hasModemLines: Bool { false }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        try await SerialPortError.wrap { try await link.inbox.read(upTo: maximum, within: timeout) }
    }

    func write(_ bytes: [UInt8]) async throws {
        do {
            try await connection.send(bytes)
        } catch let error as TCPError {
            throw SerialPortError(link.fault(error))
        }
    }

    func discardInput() async throws {
        try SerialPortError.wrap { try link.inbox.discard() }
    }

    func configure(_ settings: SerialSettings) async throws {}
    func setModemLines(_ lines: ModemLines) async throws {}

    func pause(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    func close() async {
        connection.close()
    }
}

/// The bytes received over the socket, and whether they are a refusal.
private final class SocketLink: TCPReceiver {
    let inbox: TCPInbox
    private let refusal = Mutex(Refusal())

    init(name: String) {
        inbox = TCPInbox(name: name)
    }

    /// The error to report when the connection ends with `error`.
    func fault(_ error: TCPError) -> TCPError {
        refusal.withLock { $0.fault(error) }
    }

    func receive(_ bytes: [UInt8]) throws(TCPError) -> [UInt8] {
        refusal.withLock { $0.receive(bytes) }
        inbox.append(bytes)
        return []
    }

    func finish(_ error: TCPError) {
        inbox.finish(fault(error))
    }
}
