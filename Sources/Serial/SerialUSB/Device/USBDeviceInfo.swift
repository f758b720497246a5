import SerialPort

/// A USB device as its descriptors describe it.
struct USBDeviceInfo: Hashable, Sendable {
    /// Ids, serial number and place.
    var identity: USBIdentity
    /// The product string; empty if there is none or it cannot be read.
    var product = ""
    /// The release number, `bcdDevice`, e.g. 0x0600.
    var release: UInt16 = 0
    /// The interfaces of the active configuration, alternate setting 0, in the order of the descriptors.
    var interfaces: [USBInterface] = []
}

/// An interface of a device.
struct USBInterface: Hashable, Sendable {
    /// `bInterfaceNumber`
    var number: UInt8
    /// `bInterfaceClass`
    var classCode: UInt8
    /// `bInterfaceSubClass`
    var subclass: UInt8 = 0
    /// `bInterfaceProtocol`
    var protocolCode: UInt8 = 0
    /// Its endpoints.
    var endpoints: [USBEndpoint] = []
    /// Class-specific descriptors that follow the interface's own.
    var extra: [UInt8] = []

    /// The pair of bulk endpoints, if it has one.
    var bulkPair: BulkPair? {
        guard let input = endpoints.first(where: { $0.isBulk && $0.isInput }),
            let output = endpoints.first(where: { $0.isBulk && !$0.isInput })
        else { return nil }
        return BulkPair(input: input, output: output)
    }
}

/// The endpoints that carry the bytes of a UART.
struct BulkPair: Hashable, Sendable {
    /// Device to host.
    var input: USBEndpoint
    /// Host to device.
    var output: USBEndpoint
}

/// An endpoint of an interface.
struct USBEndpoint: Hashable, Sendable {
    /// `bEndpointAddress`; bit 7 is the direction.
    var address: UInt8
    /// Whether it is a bulk endpoint.
    var isBulk: Bool
    /// The largest packet in bytes, at least 1.
    var packetSize: Int

    /// Whether it carries data to the host.
    var isInput: Bool { address & 0x80 != 0 }
}
