/// Where an HCI controller speaks H4 (UART transport layer: Core 5.4, Vol 4 Part A).
public enum H4Address: Hashable, Sendable {
    /// A TCP server, such as `espbench serve --h4` or Bumble's `tcp-server:`. An IPv6 address is stored without brackets.
    case tcp(host: String, port: UInt16)
    /// A serial port with RTS/CTS flow control, at this rate in bits per second.
    case tty(path: String, baudRate: Int)

    /// The rate of a tty when the address has none.
    public static let defaultBaudRate = 115_200

    /// The accepted rates; drivers may refuse some of them.
    private static let baudRates = 1200...12_000_000

    /// Reads `HOST:PORT`, `[IPV6]:PORT` or `/dev/TTY[,BAUD]`; `//` before a host, as servers print it, is allowed.
    init(_ text: String) throws(CentralAddressError) {
        if text.hasPrefix("//") {
            self = try Self.tcp(String(text.dropFirst(2)))
        } else {
            self = text.hasPrefix("/") ? try Self.tty(text) : try Self.tcp(text)
        }
    }

    private static func tty(_ text: String) throws(CentralAddressError) -> H4Address {
        guard let comma = text.lastIndex(of: ",") else { return .tty(path: text, baudRate: defaultBaudRate) }
        guard let rate = Int(text[text.index(after: comma)...]), baudRates.contains(rate) else {
            throw CentralAddressError(
                "h4:\(text)",
                expected: ["h4:/dev/TTY[,BAUD] with a rate from \(baudRates.lowerBound) to \(baudRates.upperBound)"])
        }
        return .tty(path: String(text[..<comma]), baudRate: rate)
    }

    private static func tcp(_ text: String) throws(CentralAddressError) -> H4Address {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            throw CentralAddressError(
                "h4:\(text)", expected: ["h4:HOST:PORT with a port from 1 to 65535", "h4:/dev/TTY[,BAUD]"])
        }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, isBracketed || !host.contains(":") else {
            throw CentralAddressError("h4:\(text)", expected: ["h4:HOST:PORT", "h4:[IPV6]:PORT"])
        }
        return .tcp(host: String(host), port: port)
    }
}

extension H4Address: CustomStringConvertible {
    /// The place as a user writes it.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .tty(let path, Self.defaultBaudRate): path
        case .tty(let path, let rate): "\(path),\(rate)"
        }
    }
}
