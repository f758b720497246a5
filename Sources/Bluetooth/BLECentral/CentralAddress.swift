public import BLECore

/// The Bluetooth stack that a central uses, in the form that a user writes: `h4:HOST:PORT`, `h4:/dev/ttyUSB0,1000000`,
/// `bluez`, `bluez:hci0`, `corebluetooth`.
public enum CentralAddress: Hashable, Sendable {
    /// espbench's own host on an HCI controller behind H4.
    case h4(H4Address)
    /// bluetoothd, with the adapter of this name, e.g. `hci0`; `nil`: its default adapter.
    case bluez(adapter: String?)
    /// CoreBluetooth of macOS.
    case coreBluetooth

    /// The forms of all addresses, for messages and help.
    public static let forms = ["bluez", "bluez:hciN", "h4:HOST:PORT", "h4:/dev/TTY[,BAUD]", "corebluetooth"]

    /// Reads an address.
    ///
    /// - Throws: ``CentralAddressError`` when `text` has none of the ``forms``.
    public init(_ text: String) throws(CentralAddressError) {
        let colon = text.firstIndex(of: ":")
        let kind = colon.map { text[..<$0] } ?? text[...]
        let rest = colon.map { String(text[text.index(after: $0)...]) }
        switch (kind, rest) {
        case ("bluez", nil): self = .bluez(adapter: nil)
        case ("bluez", let adapter?): self = .bluez(adapter: try Self.adapter(adapter, text))
        case ("h4", let place?): self = .h4(try H4Address(place))
        case ("corebluetooth", nil): self = .coreBluetooth
        default: throw CentralAddressError(text, expected: Self.forms)
        }
    }

    private static func adapter(_ name: String, _ text: String) throws(CentralAddressError) -> String {
        let number = name.dropFirst(3)
        guard name.hasPrefix("hci"), (1...5).contains(number.utf8.count),
            number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw CentralAddressError(text, expected: ["bluez", "bluez:hciN, e.g. bluez:hci0"]) }
        return name
    }
}

extension CentralAddress: CustomStringConvertible {
    /// The address in the form that a user writes.
    public var description: String {
        switch self {
        case .h4(let place): "h4:\(place)"
        case .bluez(nil): "bluez"
        case .bluez(let adapter?): "bluez:\(adapter)"
        case .coreBluetooth: "corebluetooth"
        }
    }
}

/// The error for a text that is not a ``CentralAddress``.
public struct CentralAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String
    /// The accepted forms.
    public let expected: [String]

    init(_ text: String, expected: [String]) {
        self.text = text
        self.expected = expected
    }

    /// The expected and the found text, one line.
    public var description: String {
        let forms = expected.count > 1 ? expected.dropLast().joined(separator: ", ") + " or " : ""
        return "central: expected \(forms)\(expected.last ?? ""), got \"\(text)\""
    }
}

/// The place of an HCI controller with H4 (UART transport layer: Core 5.4, Vol 4 Part A).
public enum H4Address: Hashable, Sendable {
    /// A TCP server, such as `espbench serve --h4` or Bumble's `tcp-server:`. An IPv6 address is stored without brackets.
    case tcp(host: String, port: UInt16)
    /// A serial port with RTS/CTS flow control, at this rate in bits per second.
    case tty(path: String, baudRate: Int)

    /// The rate of a tty if the address contains no rate.
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
    /// The place in the form that a user writes.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .tty(let path, Self.defaultBaudRate): path
        case .tty(let path, let rate): "\(path),\(rate)"
        }
    }
}

/// A Bluetooth adapter that a central can use.
public struct CentralAdapter: Hashable, Sendable {
    /// The address that opens it.
    public var address: CentralAddress
    /// The adapter's public address; `nil` if the stack hides it, or the adapter has none.
    public var deviceAddress: DeviceAddress?
    /// The stack's name of the adapter, e.g. the name of the machine; `nil` if it has no name.
    public var name: String?
    /// The version of the Core Specification as a number of Assigned Numbers 2.1, e.g. 9 for 5.0; `nil` if unknown.
    public var version: UInt8?
    /// The company identifier of the controller's manufacturer; `nil` if unknown.
    public var manufacturer: UInt16?
    /// True if it is switched on.
    public var isPowered: Bool
    /// True if the system prevents switching it on, e.g. by rfkill.
    public var isBlocked: Bool

    /// An adapter.
    public init(
        address: CentralAddress, deviceAddress: DeviceAddress? = nil, name: String? = nil, version: UInt8? = nil,
        manufacturer: UInt16? = nil, isPowered: Bool = true, isBlocked: Bool = false
    ) {
        self.address = address
        self.deviceAddress = deviceAddress
        self.name = name
        self.version = version
        self.manufacturer = manufacturer
        self.isPowered = isPowered
        self.isBlocked = isBlocked
    }

    /// The version's usual name, e.g. `5.0`.
    public var versionText: String? {
        // Assigned Numbers 2.1.
        let names = [
            "1.0b", "1.1", "1.2", "2.0", "2.1", "3.0", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4", "6.0",
        ]
        return version.map { Int($0) < names.count ? names[Int($0)] : "number \($0)" }
    }
}
