import Inbox
import SerialPort
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
    var traits: PortTraits { PortTraits(setsRate: false) }

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
        try SerialPortError.wrap { try link.received.discard() }
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
    let received: RefusalInbox
    var inbox: TCPInbox { received.inbox }

    init(name: String) {
        received = RefusalInbox(name: name)
    }

    /// The error to report when the connection ends with `error`.
    func fault(_ error: TCPError) -> TCPError { received.fault(error) }

    func receive(_ bytes: [UInt8]) throws(TCPError) -> [UInt8] {
        received.append(bytes)
        return []
    }

    func finish(_ error: TCPError) { received.finish(error) }
}
