import SerialPort
import TCP

/// Raw bytes over TCP: no rate, no modem lines.
final class SocketPort: SerialPort {
    private let inbox: ByteInbox
    private let connection: TCPConnection

    init(_ descriptor: Int32, name: String) {
        inbox = ByteInbox(name: name)
        connection = TCPConnection(descriptor, name: name, receiver: inbox)
    }

    var name: String { connection.name }
    var hasModemLines: Bool { false }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        try await SerialPortError.wrap { try await inbox.read(upTo: maximum, within: timeout) }
    }

    func write(_ bytes: [UInt8]) async throws {
        try await SerialPortError.wrap { try await connection.send(bytes) }
    }

    func discardInput() async throws {
        try SerialPortError.wrap { try inbox.discard() }
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
