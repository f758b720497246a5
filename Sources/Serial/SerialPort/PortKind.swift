/// A kind of serial port: reads its addresses, lists the ports there are, and opens them.
public protocol PortKind: Sendable {
    /// Its name in ``PortAddress/kind``, e.g. `tty`.
    var name: String { get }

    /// The forms of its addresses, for messages and help, e.g. `socket://HOST:PORT`.
    var forms: [String] { get }

    /// Reads an address.
    ///
    /// - Returns: `nil` when `text` is of another kind.
    /// - Throws: ``SerialPortError`` with code `invalidAddress` when `text` is of this kind, and malformed.
    func address(_ text: String) throws(SerialPortError) -> PortAddress?

    /// Opens the port at `address`, which is of this kind.
    ///
    /// - Throws: ``SerialPortError``.
    func open(_ address: PortAddress, _ settings: SerialSettings) async throws -> any SerialPort

    /// The ports of this kind that the machine has now; empty where they cannot be enumerated.
    func ports() async throws -> [PortDescription]

    /// An element each time that ``ports()`` may have changed, until the task that reads it is cancelled; `nil` where
    /// the kind cannot tell. One consumer; pending elements are merged.
    func portChanges() -> AsyncStream<Void>?
}

extension PortKind {
    /// None: ports behind a network address cannot be enumerated.
    public func ports() async throws -> [PortDescription] { [] }

    /// The kind cannot tell.
    public func portChanges() -> AsyncStream<Void>? { nil }
}

/// A port that the machine has, as its kind lists it.
public struct PortDescription: Hashable, Sendable {
    /// The address that opens it.
    public var address: PortAddress
    /// What it is, in a few words, e.g. `CP2102 USB to UART Bridge Controller`; empty if unknown.
    public var name: String
    /// The USB device behind it, if there is one.
    public var usb: USBIdentity?
    /// The system's driver of the port, e.g. `cp210x`; empty if there is none or it is unknown.
    public var driver: String
    /// The program that has the port open, e.g. `minicom (pid 4711)`; `nil` if there is none or it cannot be known.
    public var holder: String?

    /// A port at `address`.
    public init(
        _ address: PortAddress, name: String = "", usb: USBIdentity? = nil, driver: String = "", holder: String? = nil
    ) {
        self.address = address
        self.name = name
        self.usb = usb
        self.driver = driver
        self.holder = holder
    }
}

/// A USB device's ids and place.
public struct USBIdentity: Hashable, Sendable {
    /// The vendor id, e.g. 0x10C4.
    public var vendor: UInt16
    /// The product id, e.g. 0xEA60.
    public var product: UInt16
    /// The serial number, if the device has one.
    public var serialNumber: String?
    /// Where it is plugged in: the bus and the ports from the root hub, e.g. `1-2.4`.
    public var location: String

    /// A device at `location`.
    public init(vendor: UInt16, product: UInt16, serialNumber: String? = nil, location: String) {
        self.vendor = vendor
        self.product = product
        self.serialNumber = serialNumber
        self.location = location
    }

    /// Vendor and product as tools print them, e.g. `10c4:ea60`.
    public var ids: String { "\(Self.hex(vendor)):\(Self.hex(product))" }

    private static func hex(_ value: UInt16) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// The kinds of port that a program knows.
public struct PortKinds: Sendable {
    /// The kinds, in the order in which they are asked and listed.
    public let kinds: [any PortKind]

    /// The kinds of a program, each with a name of its own.
    public init(_ kinds: [any PortKind]) {
        self.kinds = kinds
    }

    /// Reads an address of any of the kinds.
    ///
    /// - Throws: ``SerialPortError`` with code `invalidAddress`.
    public func address(_ text: String) throws(SerialPortError) -> PortAddress {
        for kind in kinds {
            if let address = try kind.address(text) { return address }
        }
        throw SerialPortError(.invalidAddress, port: text, "expected \(forms)")
    }

    /// The forms of all addresses, e.g. `/dev/…, socket://HOST:PORT or rfc2217://HOST:PORT`.
    public var forms: String {
        let all = kinds.flatMap(\.forms)
        guard all.count > 1, let last = all.last else { return all.first ?? "" }
        return "\(all.dropLast().joined(separator: ", ")) or \(last)"
    }

    /// Opens the port at `address`.
    ///
    /// - Throws: ``SerialPortError``; `invalidAddress` when no kind has the address's name.
    public func open(_ address: PortAddress, _ settings: SerialSettings = .default) async throws -> any SerialPort {
        guard let kind = kinds.first(where: { $0.name == address.kind }) else {
            throw SerialPortError(.invalidAddress, port: address.text, "no port kind '\(address.kind)' is known")
        }
        return try await kind.open(address, settings)
    }

    /// All ports that the machine has now, in the order of the kinds.
    public func ports() async throws -> [PortDescription] {
        var result: [PortDescription] = []
        for kind in kinds { result += try await kind.ports() }
        return result
    }
}
