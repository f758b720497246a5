import Inbox
import SerialPort
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
