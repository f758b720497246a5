public import SerialPort

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
    /// A name or an address, without brackets.
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

    /// The place of a port address; `nil` for another kind.
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
