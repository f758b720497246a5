import Dispatch
import Inbox
public import SerialPort
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

/// The bytes received over the socket, with detection of a refusal.
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

/// Raw bytes over TCP: `socket://HOST:PORT`; no modem lines.
public struct SocketKind: PortKind {
    /// The kind of raw TCP ports.
    public init() {}

    /// `socket`
    public var name: String { NetworkAddress.Scheme.socket.rawValue }

    /// The form of its addresses.
    public var forms: [String] { [NetworkAddress.Scheme.socket.form] }

    /// Accepts `socket://` addresses.
    public func address(_ text: String) throws(SerialPortError) -> PortAddress? {
        try NetworkAddress(text, .socket)?.address
    }

    /// Connects within 5 seconds.
    public func open(_ address: PortAddress, _ settings: SerialSettings) async throws -> any SerialPort {
        try await NetworkPort.open(address, settings)
    }
}

/// Telnet COM-PORT-OPTION over TCP (RFC 2217): `rfc2217://HOST:PORT`.
public struct RFC2217Kind: PortKind {
    /// The kind of RFC 2217 ports.
    public init() {}

    /// `rfc2217`
    public var name: String { NetworkAddress.Scheme.rfc2217.rawValue }

    /// The form of its addresses.
    public var forms: [String] { [NetworkAddress.Scheme.rfc2217.form] }

    /// Accepts `rfc2217://` addresses.
    public func address(_ text: String) throws(SerialPortError) -> PortAddress? {
        try NetworkAddress(text, .rfc2217)?.address
    }

    /// Connects and negotiates within 5 seconds each.
    public func open(_ address: PortAddress, _ settings: SerialSettings) async throws -> any SerialPort {
        try await NetworkPort.open(address, settings)
    }
}

extension PortAddress {
    /// `socket://host:port`
    public static func socket(host: String, port: UInt16) -> PortAddress {
        NetworkAddress(scheme: .socket, host: host, port: port).address
    }

    /// `rfc2217://host:port`
    public static func rfc2217(host: String, port: UInt16) -> PortAddress {
        NetworkAddress(scheme: .rfc2217, host: host, port: port).address
    }
}

/// Opens `socket://` and `rfc2217://` ports.
public enum NetworkPort {
    /// Connects to the port at `address`.
    ///
    /// - Parameter timeout: the longest wait for the connection, and for the server to agree to RFC 2217.
    /// - Throws: ``SerialPortError``: `notFound` when no program listens there, `unsupported` when the server does not
    ///   speak RFC 2217, `invalidAddress` for an address of another kind.
    public static func open(
        _ address: PortAddress, _ settings: SerialSettings = .default, within timeout: Duration = .seconds(5)
    ) async throws -> any SerialPort {
        guard let place = try NetworkAddress(address) else {
            throw SerialPortError(
                .invalidAddress, port: address.text,
                "expected \(NetworkAddress.Scheme.socket.form) or \(NetworkAddress.Scheme.rfc2217.form)")
        }
        let descriptor = try await connect(place, timeout)
        switch place.scheme {
        case .socket:
            return SocketPort(descriptor, name: address.text)
        case .rfc2217:
            let result = RFC2217Port(descriptor, name: address.text)
            do {
                try await result.negotiate(within: timeout)
                if settings != .default { try await result.configure(settings) }
            } catch {
                await result.close()
                throw error
            }
            return result
        }
    }

    private static func connect(_ place: NetworkAddress, _ timeout: Duration) async throws -> Int32 {
        let milliseconds = Int32(min(max(timeout, .zero), .seconds(600)) / .milliseconds(1))
        return try await withCheckedThrowingContinuation { continuation in
            // Name look-up blocks, so it runs on another thread.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try SerialPortError.wrap {
                            try TCPSocket.connect(
                                host: place.host, port: place.port, name: place.address.text,
                                milliseconds: milliseconds)
                        }
                    })
            }
        }
    }
}

/// `SCHEME://HOST:PORT`; an IPv6 address is written in brackets.
public struct NetworkAddress: Hashable, Sendable {
    /// The protocol on the connection; its raw value is the scheme and the name of the port kind.
    public enum Scheme: String, CaseIterable, Sendable {
        /// Raw bytes.
        case socket
        /// Telnet with COM-PORT-OPTION.
        case rfc2217

        /// The form of the scheme's addresses.
        public var form: String { "\(rawValue)://HOST:PORT" }
    }

    /// The protocol on the connection.
    public var scheme: Scheme
    /// The name or the IP address, without brackets.
    public var host: String
    /// The TCP port, from 1.
    public var port: UInt16

    /// `scheme://host:port`
    public init(scheme: Scheme, host: String, port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Reads `text`.
    ///
    /// - Returns: `nil` when it has another scheme.
    /// - Throws: `SerialPortError` with code `invalidAddress`.
    public init?(_ text: String, _ scheme: Scheme) throws(SerialPortError) {
        let prefix = "\(scheme.rawValue)://"
        guard text.hasPrefix(prefix) else { return nil }
        let rest = text.dropFirst(prefix.count)
        guard let colon = rest.lastIndex(of: ":"), colon > rest.startIndex,
            let port = UInt16(rest[rest.index(after: colon)...]), port > 0
        else {
            throw SerialPortError(
                .invalidAddress, port: text, "expected \(scheme.form) with a port from 1 to 65535")
        }
        var host = String(rest[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self.init(scheme: scheme, host: host, port: port)
    }

    /// The network address in a port address; `nil` for another kind of port.
    ///
    /// - Throws: `SerialPortError` with code `invalidAddress`.
    public init?(_ address: PortAddress) throws(SerialPortError) {
        guard let scheme = Scheme(rawValue: address.kind) else { return nil }
        try self.init(address.text, scheme)
    }

    /// The port address, as a user writes it.
    public var address: PortAddress {
        PortAddress(
            kind: scheme.rawValue, text: "\(scheme.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)")
    }
}

extension SerialPortError {
    /// The port error for a TCP error.
    init(_ error: TCPError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .accessDenied: .accessDenied
            case .busy: .busy
            case .disconnected: .disconnected
            case .system: .system
            }
        self.init(code, port: error.name, error.detail)
    }

    /// Runs `body`; converts a TCP error to a port error.
    static func wrap<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as TCPError {
            throw SerialPortError(error)
        }
    }

    /// Runs `body`; converts a TCP error to a port error.
    static func wrap<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as TCPError {
            throw SerialPortError(error)
        }
    }
}
