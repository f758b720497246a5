/// Where a serial port is, as a user writes it: a device path, `socket://HOST:PORT` or `rfc2217://HOST:PORT`.
public enum PortAddress: Hashable, Sendable, CustomStringConvertible {
    /// A tty by its path.
    case device(path: String)
    /// Raw bytes over TCP; no modem lines.
    case socket(host: String, port: UInt16)
    /// Telnet COM-PORT-OPTION over TCP (RFC 2217).
    case rfc2217(host: String, port: UInt16)

    /// Parses an address.
    ///
    /// - Throws: ``SerialPortError`` with code `invalidAddress`.
    public init(_ text: String) throws(SerialPortError) {
        guard let separator = text.firstRange(of: "://") else {
            guard text.hasPrefix("/") else {
                throw SerialPortError(
                    .invalidAddress, port: text,
                    "expected a device path (/dev/…), socket://HOST:PORT or rfc2217://HOST:PORT")
            }
            self = .device(path: text)
            return
        }
        let scheme = text[..<separator.lowerBound]
        let rest = text[separator.upperBound...]
        guard let colon = rest.lastIndex(of: ":"), colon > rest.startIndex,
            let port = UInt16(rest[rest.index(after: colon)...]), port > 0
        else {
            throw SerialPortError(
                .invalidAddress, port: text, "expected \(scheme)://HOST:PORT with a port from 1 to 65535")
        }
        var host = String(rest[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        switch scheme {
        case "socket": self = .socket(host: host, port: port)
        case "rfc2217": self = .rfc2217(host: host, port: port)
        default:
            throw SerialPortError(
                .invalidAddress, port: text, "unknown scheme \(scheme)://; known are socket:// and rfc2217://")
        }
    }

    /// The address as a user writes it.
    public var description: String {
        switch self {
        case .device(let path): path
        case .socket(let host, let port): "socket://\(host):\(port)"
        case .rfc2217(let host, let port): "rfc2217://\(host):\(port)"
        }
    }
}
