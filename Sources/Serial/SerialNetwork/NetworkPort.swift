import Dispatch
public import SerialPort
import TCP

/// Raw bytes over TCP: `socket://HOST:PORT`; no modem lines.
public struct SocketKind: PortKind {
    /// The kind of raw TCP ports.
    public init() {}

    /// `socket`
    public var name: String { NetworkAddress.Scheme.socket.rawValue }

    /// The form of its addresses.
    public var forms: [String] { [NetworkAddress.Scheme.socket.form] }

    /// Takes `socket://`.
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

    /// Takes `rfc2217://`.
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
