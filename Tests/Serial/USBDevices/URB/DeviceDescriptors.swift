internal import ByteCodec

/// The descriptors of a USB device (USB 2.0, 9.6), with one configuration.
package struct DeviceDescriptors: Sendable {
    /// An endpoint other than 0.
    package struct Endpoint: Hashable, Sendable {
        /// How the endpoint transfers.
        package enum Kind: UInt8, Sendable {
            /// Bulk.
            case bulk = 2
            /// Interrupt.
            case interrupt = 3
        }

        /// bEndpointAddress: the number, and 0x80 for IN.
        package var address: UInt8
        /// Bulk or interrupt.
        package var kind: Kind
        /// The bytes of a full packet.
        package var packetSize: UInt16
        /// bInterval.
        package var interval: UInt8

        /// All fields.
        package init(_ address: UInt8, _ kind: Kind, packetSize: UInt16, interval: UInt8 = 0) {
            self.address = address
            self.kind = kind
            self.packetSize = packetSize
            self.interval = interval
        }
    }

    /// An interface without alternate settings.
    package struct Interface: Hashable, Sendable {
        /// bInterfaceClass, bInterfaceSubClass, bInterfaceProtocol.
        package var triple: [UInt8]
        /// The string descriptor's number; 0: none.
        package var name: UInt8
        /// Descriptors between that of the interface and those of the endpoints.
        package var functional: [UInt8]
        /// The endpoints.
        package var endpoints: [Endpoint]

        /// All fields.
        package init(
            class triple: (UInt8, UInt8, UInt8), name: UInt8 = 0, functional: [UInt8] = [], _ endpoints: [Endpoint]
        ) {
            self.triple = [triple.0, triple.1, triple.2]
            self.name = name
            self.functional = functional
            self.endpoints = endpoints
        }
    }

    /// bcdUSB.
    package var usbVersion: UInt16 = 0x0200
    /// bDeviceClass, bDeviceSubClass, bDeviceProtocol.
    package var deviceClass: [UInt8] = [0, 0, 0]
    /// The bytes of a full packet of endpoint 0.
    package var controlPacketSize: UInt8 = 64
    /// idVendor.
    package var vendor: UInt16
    /// idProduct.
    package var product: UInt16
    /// bcdDevice.
    package var release: UInt16
    /// The strings 1, 2, …
    package var strings: [String]
    /// iManufacturer, iProduct, iSerialNumber.
    package var stringNumbers: [UInt8] = [1, 2, 3]
    /// bmAttributes of the configuration.
    package var attributes: UInt8 = 0x80
    /// Half of the maximum current in mA.
    package var maximumPower: UInt8 = 50
    /// An interface association descriptor before the interfaces; empty: none.
    package var association: [UInt8] = []
    /// The interfaces, in order.
    package var interfaces: [Interface]
    /// Damages the configuration descriptor.
    package var alteration: @Sendable (inout [UInt8]) -> Void = { _ in }

    /// A device with the usual fields; the others can be changed.
    package init(vendor: UInt16, product: UInt16, release: UInt16, strings: [String], interfaces: [Interface]) {
        self.vendor = vendor
        self.product = product
        self.release = release
        self.strings = strings
        self.interfaces = interfaces
    }

    /// The serial number, if the device has one.
    package var serialNumber: String? {
        let number = Int(stringNumbers[2])
        return number > 0 && number <= strings.count ? strings[number - 1] : nil
    }

    /// The endpoint with an address.
    package func endpoint(_ address: UInt8) -> Endpoint? {
        interfaces.lazy.flatMap(\.endpoints).first { $0.address == address }
    }

    /// The device descriptor.
    package var device: [UInt8] {
        var writer = ByteWriter()
        writer.uint8(18)
        writer.uint8(1)
        writer.uint16(usbVersion)
        for byte in deviceClass { writer.uint8(byte) }
        writer.uint8(controlPacketSize)
        writer.uint16(vendor)
        writer.uint16(product)
        writer.uint16(release)
        for number in stringNumbers { writer.uint8(number) }
        writer.uint8(1)
        return writer.bytes
    }

    /// The configuration descriptor with all that belongs to it.
    package var configuration: [UInt8] {
        var body = association
        for (number, interface) in interfaces.enumerated() {
            body += [9, 4, UInt8(number), 0, UInt8(interface.endpoints.count)] + interface.triple + [interface.name]
            body += interface.functional
            for endpoint in interface.endpoints {
                body += [7, 5, endpoint.address, endpoint.kind.rawValue]
                body += [UInt8(truncatingIfNeeded: endpoint.packetSize), UInt8(endpoint.packetSize >> 8)]
                body.append(endpoint.interval)
            }
        }
        let total = body.count + 9
        var result =
            [
                9, 2, UInt8(truncatingIfNeeded: total), UInt8(total >> 8), UInt8(interfaces.count), 1, 0, attributes,
                maximumPower,
            ] + body
        alteration(&result)
        return result
    }

    /// String descriptor `number` (0: the languages); `nil` if there is none.
    package func string(_ number: UInt8) -> [UInt8]? {
        if number == 0 { return [4, 3, 0x09, 0x04] }
        guard Int(number) <= strings.count else { return nil }
        let units = strings[Int(number) - 1].utf16.prefix(126)
        return [UInt8(2 + 2 * units.count), 3] + units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
}
