package import SerialPort
import Synchronization

/// A `usb:` address: selects a device by its ids or by its place, and one of its UARTs.
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

    /// True if the address selects the device; it may select others too.
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

/// A USB device as its descriptors describe it.
package struct USBDeviceInfo: Hashable, Sendable {
    /// Ids, serial number and place.
    package var identity: USBIdentity
    /// The product string; empty if there is none or it cannot be read.
    package var product = ""
    /// The release number, `bcdDevice`, e.g. 0x0600.
    package var release: UInt16 = 0
    /// The interfaces of the active configuration, alternate setting 0, in the order of the descriptors.
    package var interfaces: [USBInterface] = []

    package init(
        identity: USBIdentity, product: String = "", release: UInt16 = 0, interfaces: [USBInterface] = []
    ) {
        (self.identity, self.product, self.release, self.interfaces) = (identity, product, release, interfaces)
    }
}

/// An interface of a device.
package struct USBInterface: Hashable, Sendable {
    /// `bInterfaceNumber`
    package var number: UInt8
    /// `bInterfaceClass`
    package var classCode: UInt8
    /// `bInterfaceSubClass`
    package var subclass: UInt8 = 0
    /// `bInterfaceProtocol`
    package var protocolCode: UInt8 = 0
    /// Its endpoints.
    package var endpoints: [USBEndpoint] = []
    /// Class-specific descriptors that follow the interface's own.
    package var extra: [UInt8] = []

    package init(
        number: UInt8, classCode: UInt8, subclass: UInt8 = 0, protocolCode: UInt8 = 0, endpoints: [USBEndpoint] = [],
        extra: [UInt8] = []
    ) {
        (self.number, self.classCode, self.subclass, self.protocolCode) = (number, classCode, subclass, protocolCode)
        (self.endpoints, self.extra) = (endpoints, extra)
    }

    /// The pair of bulk endpoints, if it has one.
    package var bulkPair: BulkPair? {
        guard let input = endpoints.first(where: { $0.isBulk && $0.isInput }),
            let output = endpoints.first(where: { $0.isBulk && !$0.isInput })
        else { return nil }
        return BulkPair(input: input, output: output)
    }
}

/// The endpoints that carry the bytes of a UART.
package struct BulkPair: Hashable, Sendable {
    /// Device to host.
    package var input: USBEndpoint
    /// Host to device.
    package var output: USBEndpoint
}

/// An endpoint of an interface.
package struct USBEndpoint: Hashable, Sendable {
    /// `bEndpointAddress`; bit 7 is the direction.
    package var address: UInt8
    /// True if it is a bulk endpoint.
    package var isBulk: Bool
    /// The largest packet in bytes, at least 1.
    package var packetSize: Int

    package init(address: UInt8, isBulk: Bool, packetSize: Int) {
        (self.address, self.isBulk, self.packetSize) = (address, isBulk, packetSize)
    }

    /// True if it carries data to the host.
    package var isInput: Bool { address & 0x80 != 0 }
}

/// Recognises a device that returns to the bus, perhaps with other ids: a chip may have two USB controllers, and its
/// loader and application may have different ids.
package final class DeviceReturn: Sendable {
    private let device: USBIdentity
    /// The places occupied by devices after the device had left.
    private let occupied = Mutex<Set<String>?>(nil)

    /// Waits for `device`.
    package init(_ device: USBIdentity) { self.device = device }

    /// The index in `devices` of the device that has come back; `nil` while it is missing.
    ///
    /// It is the device in the same place, or a device with the same ids and serial number that was plugged in
    /// elsewhere since the first call. Ids and serial number alone are not sufficient: some products have the same
    /// number in all devices.
    package func index(in devices: [USBIdentity]) -> Int? {
        let occupied = occupied.withLock { occupied in
            let places = occupied ?? Set(devices.map(\.location))
            occupied = places
            return places
        }
        return devices.firstIndex { $0.location == device.location && mayBe($0) }
            ?? devices.firstIndex {
                !occupied.contains($0.location) && $0.serialNumber != nil && $0.serialNumber == device.serialNumber
                    && ($0.vendor, $0.product) == (device.vendor, device.product)
            }
    }

    /// True if `other`, in the same place, may be the same device.
    private func mayBe(_ other: USBIdentity) -> Bool {
        guard other.vendor == device.vendor else { return false }
        guard let before = device.serialNumber, let now = other.serialNumber else { return true }
        if other.product == device.product { return before == now }
        // The serial numbers of a chip's two controllers differ, unless both are its MAC address.
        guard let before = Self.address(before), let now = Self.address(now) else { return true }
        return before == now
    }

    /// The twelve digits of a MAC address, with or without separators.
    private static func address(_ text: String) -> String? {
        let digits = text.filter { $0 != ":" && $0 != "-" }.uppercased()
        return digits.count == 12 && digits.allSatisfy(\.isHexDigit) ? digits : nil
    }
}
