package import SerialPort

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
    /// Whether it is a bulk endpoint.
    package var isBulk: Bool
    /// The largest packet in bytes, at least 1.
    package var packetSize: Int

    package init(address: UInt8, isBulk: Bool, packetSize: Int) {
        (self.address, self.isBulk, self.packetSize) = (address, isBulk, packetSize)
    }

    /// Whether it carries data to the host.
    package var isInput: Bool { address & 0x80 != 0 }
}
