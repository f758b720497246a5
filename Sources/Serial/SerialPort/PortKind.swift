/// A kind of serial port: reads its addresses, lists the available ports, and opens them.
public protocol PortKind: Sendable {
    /// Its name in ``PortAddress/kind``, e.g. `tty`.
    var name: String { get }

    /// The forms of its addresses, for messages and help, e.g. `socket://HOST:PORT`.
    var forms: [String] { get }

    /// Reads an address.
    ///
    /// - Returns: `nil` when `text` is of another kind.
    /// - Throws: ``SerialPortError`` with code `invalidAddress` when `text` is a malformed address of this kind.
    func address(_ text: String) throws(SerialPortError) -> PortAddress?

    /// Opens the port at `address`, which is of this kind.
    ///
    /// - Throws: ``SerialPortError``.
    func open(_ address: PortAddress, _ settings: SerialSettings) async throws -> any SerialPort

    /// The ports of this kind that the machine has now; empty where they cannot be enumerated.
    func ports() async throws -> [PortDescription]

    /// A stream with an element each time that ``ports()`` may have changed; ends when the task that reads it is
    /// cancelled. `nil` if the kind cannot detect changes. One consumer; pending elements are merged.
    func portChanges() -> AsyncStream<Void>?
}

extension PortKind {
    /// Empty: ports behind a network address cannot be enumerated.
    public func ports() async throws -> [PortDescription] { [] }

    /// The kind cannot detect changes.
    public func portChanges() -> AsyncStream<Void>? { nil }
}

/// A port that the machine has, as its kind lists it.
public struct PortDescription: Hashable, Sendable {
    /// The address that opens it.
    public var address: PortAddress
    /// A short name, e.g. `CP2102 USB to UART Bridge Controller`; empty if unknown.
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
    /// The place where it is plugged in: the bus and the ports from the root hub, e.g. `1-2.4`.
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

    /// The kinds of a program, each with a unique name.
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
    /// - Throws: ``SerialPortError``; `invalidAddress` when no kind has the name in ``PortAddress/kind``.
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

/// The address of a serial port, as a user writes it: `/dev/ttyUSB0`, `socket://HOST:PORT`, `usb:10c4:ea60`, …
///
/// A ``PortKind`` parses it and opens the port; ``PortKinds`` is the set of kinds that a program supports.
public struct PortAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name of the ``PortKind`` that opens it, e.g. `tty` or `socket`.
    public let kind: String
    /// The address as a user writes it; the kind can read it again.
    public let text: String

    /// An address of `kind`, whose form the kind has checked.
    public init(kind: String, text: String) {
        self.kind = kind
        self.text = text
    }

    /// The address as a user writes it.
    public var description: String { text }
}

/// Selects the ports of the machine that may lead to a board.
public enum PortCandidates {
    /// `ports` without the ports of a USB device that an earlier kind of port already lists: a bridge with a system
    /// driver is both a tty and a libusb device.
    public static func distinct(_ ports: [PortDescription]) -> [PortDescription] {
        var result: [PortDescription] = []
        for port in ports {
            let isKnown = result.contains { other in
                other.address.kind != port.address.kind && port.usb != nil && other.usb?.location == port.usb?.location
            }
            if !isKnown { result.append(port) }
        }
        return result
    }

    /// `ports` with a single row for each UART, even if two kinds of port list it: the row has the port of the earlier
    /// kind, and the address of the other kind's port.
    ///
    /// The ports of a device with several UARTs are paired in order; if the kinds list different numbers of ports, each
    /// port has its own row.
    public static func joined(_ ports: [PortDescription]) -> [(port: PortDescription, also: PortAddress?)] {
        var rows: [(port: PortDescription, also: PortAddress?)] = []
        for port in ports {
            guard let place = port.usb?.location else {
                rows.append((port, nil))
                continue
            }
            let here = ports.filter { $0.usb?.location == place }
            let kinds = here.reduce(into: [String]()) {
                if !$0.contains($1.address.kind) { $0.append($1.address.kind) }
            }
            let first = here.filter { $0.address.kind == kinds[0] }
            let second = here.filter { kinds.count == 2 && $0.address.kind == kinds[1] }
            guard first.count == second.count else {
                rows.append((port, nil))
                continue
            }
            if let index = first.firstIndex(of: port) { rows.append((port, second[index].address)) }
        }
        return rows
    }

    /// The ports on bridges of ESP boards; if there are none, all ports on USB.
    ///
    /// Ports without USB are tried only on request: a reset could switch off another device.
    public static func boards(among ports: [PortDescription]) -> [PortDescription] {
        let known = ports.filter { $0.usb.map(BoardBridges.contains) ?? false }
        return known.isEmpty ? ports.filter { $0.usb != nil } : known
    }
}

/// Makes text that comes from a device or a file, such as a name, safe to print.
public enum DeviceText {
    /// The first line of `text` without spaces at its ends; `nil` if it is empty. Characters that control a terminal or
    /// the direction of writing become `?`.
    public static func printable(_ text: String) -> String? {
        let line = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\0" }
        let result = withoutControls(String(String.UnicodeScalarView(line))).unicodeScalars
        let trimmed = result.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        return trimmed.isEmpty ? nil : String(String.UnicodeScalarView(trimmed))
    }

    /// All of `text`, in one line: characters that control a terminal or the direction of writing become `?`.
    public static func withoutControls(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isPrintable(scalar) ? scalar : "?") }
        return String(result)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

/// The USB devices that are on ESP boards and programming cables.
public enum BoardBridges {
    /// Makers of bridges, whose devices are all serial ports.
    private static let vendors: [UInt16: String] = [
        0x10C4: "Silicon Labs CP210x", 0x1A86: "WCH CH34x or CH910x", 0x0403: "FTDI", 0x067B: "Prolific PL2303",
        0x303A: "Espressif",
    ]

    /// True if `device` is a bridge on ESP boards, or the USB controller of an ESP32.
    public static func contains(_ device: USBIdentity) -> Bool { vendors[device.vendor] != nil }

    /// The chip's interface behind a port on `device`.
    public static func interface(of device: USBIdentity) -> PortTraits.Interface {
        switch (device.vendor, device.product) {
        case (0x303A, 0x1001): .usbSerialJTAG
        case (0x303A, 0x0002), (0x303A, 0x0009), (0x303A, 0x0012): .usbOTG
        default: .uart
        }
    }

    /// The name of `device`, for ports whose device reports no name; empty if unknown.
    public static func name(of device: USBIdentity) -> String {
        switch (device.vendor, device.product) {
        case (0x303A, 0x1001): "Espressif USB-Serial-JTAG"
        case (0x303A, 0x0002), (0x303A, 0x0009), (0x303A, 0x0012): "Espressif ROM loader on USB-OTG"
        default: vendors[device.vendor] ?? ""
        }
    }
}
