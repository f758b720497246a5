package import SerialPort

/// What a `usb:` address selects: a device by its ids or by its place, and one of its UARTs.
package struct USBAddress: Hashable, Sendable {
    /// How the device is found.
    package enum Selector: Hashable, Sendable {
        /// By its ids, and by its serial number if one is given.
        case ids(vendor: UInt16, product: UInt16, serialNumber: String?)
        /// By the bus and the ports from the root hub, e.g. `1-2.4`.
        case location(String)
    }

    /// The scheme, with its colon.
    package static let scheme = "usb:"
    /// The forms of addresses, for messages.
    package static let forms = ["usb:VENDOR:PRODUCT[:SERIAL]", "usb:BUS-PORT"]

    /// How the device is found.
    package var selector: Selector
    /// The number of the interface, of a device with several UARTs; `nil` is the first.
    package var interface: UInt8?

    /// The address of a device at `location`.
    package init(location: String, interface: UInt8? = nil) {
        selector = .location(location)
        self.interface = interface
    }

    /// Reads `usb:10c4:ea60`, `usb:10c4:ea60:SERIAL`, `usb:1-2.4`, each also with `/1` for the interface 1.
    ///
    /// - Returns: `nil` when the text has another scheme.
    /// - Throws: `invalidAddress`.
    package init?(_ text: String) throws(SerialPortError) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        var rest = text.dropFirst(Self.scheme.count)
        if let slash = rest.lastIndex(of: "/"), let number = UInt8(rest[rest.index(after: slash)...]) {
            interface = number
            rest = rest[..<slash]
        }
        if Self.isLocation(rest) {
            selector = .location(String(rest))
            return
        }
        let parts = rest.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let vendor = Self.id(parts[0]), let product = Self.id(parts[1]),
            parts.count == 2 || !parts[2].isEmpty
        else {
            throw SerialPortError(
                .invalidAddress, port: text,
                "expected \(Self.forms.joined(separator: " or ")), e.g. usb:10c4:ea60 or usb:1-2.4")
        }
        selector = .ids(vendor: vendor, product: product, serialNumber: parts.count == 3 ? String(parts[2]) : nil)
    }

    /// The address as a user writes it.
    package var text: String {
        let device =
            switch selector {
            case .location(let place): place
            case .ids(let vendor, let product, let serialNumber):
                USBIdentity.hex(vendor) + ":" + USBIdentity.hex(product) + (serialNumber.map { ":" + $0 } ?? "")
            }
        return Self.scheme + device + (interface.map { "/\($0)" } ?? "")
    }

    /// Whether the device is the one, or one of those, that the address selects.
    package func matches(_ identity: USBIdentity) -> Bool {
        switch selector {
        case .location(let place):
            return identity.location == place
        case .ids(let vendor, let product, let serialNumber):
            guard identity.vendor == vendor, identity.product == product else { return false }
            return serialNumber == nil || identity.serialNumber == serialNumber
        }
    }

    /// Bus, `-`, and port numbers separated by `.`.
    private static func isLocation(_ text: Substring) -> Bool {
        let halves = text.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, UInt8(halves[0]) != nil else { return false }
        return halves[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { UInt8($0) != nil }
    }

    private static func id(_ text: Substring) -> UInt16? {
        (1...4).contains(text.count) && text.allSatisfy(\.isHexDigit) ? UInt16(text, radix: 16) : nil
    }
}

extension USBIdentity {
    /// Four hexadecimal digits.
    package static func hex(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
