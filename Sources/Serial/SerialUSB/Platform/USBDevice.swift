import CLibUSB
internal import SerialPort

/// A device that was present when its context was created.
// SAFETY: the pointers are constant, and libusb's functions may be called from any thread.
final class USBDevice: @unchecked Sendable {
    let context: USBContext
    let info: USBDeviceInfo
    private let pointer: OpaquePointer

    /// - Returns: `nil` for a hub, and for a device that has just left.
    init?(_ pointer: OpaquePointer, context: USBContext) {
        var descriptor = libusb_device_descriptor()
        guard libusb_get_device_descriptor(pointer, &descriptor) == 0,
            UInt32(descriptor.bDeviceClass) != LIBUSB_CLASS_HUB.rawValue, let location = Self.location(of: pointer)
        else { return nil }
        self.context = context
        self.pointer = libusb_ref_device(pointer)
        let strings = USBStrings(pointer, descriptor, location: location)
        info = USBDeviceInfo(
            identity: USBIdentity(
                vendor: descriptor.idVendor, product: descriptor.idProduct, serialNumber: strings.serialNumber,
                location: location),
            product: strings.product, release: descriptor.bcdDevice, interfaces: Self.interfaces(of: pointer))
    }

    deinit { libusb_unref_device(pointer) }

    /// Opens the device. Blocks.
    func open() throws(USBFault) -> USBHandle {
        var handle: OpaquePointer?
        let status = libusb_open(pointer, &handle)
        guard status == 0, let handle else { throw USBFault(status: status) }
        return USBHandle(handle, device: self)
    }

    /// Bus, `-`, and the ports from the root hub; `nil` for a root hub.
    private static func location(of device: OpaquePointer) -> String? {
        var ports = [UInt8](repeating: 0, count: 8)
        let count = libusb_get_port_numbers(device, &ports, Int32(ports.count))
        guard count > 0 else { return nil }
        let path = ports.prefix(Int(count)).map { "\($0)" }.joined(separator: ".")
        return "\(libusb_get_bus_number(device))-\(path)"
    }

    private static func interfaces(of device: OpaquePointer) -> [USBInterface] {
        var found: UnsafeMutablePointer<libusb_config_descriptor>?
        // An unconfigured device has no active configuration.
        if libusb_get_active_config_descriptor(device, &found) != 0 {
            guard libusb_get_config_descriptor(device, 0, &found) == 0 else { return [] }
        }
        guard let found else { return [] }
        defer { libusb_free_config_descriptor(found) }
        return (0..<Int(found.pointee.bNumInterfaces)).compactMap { index in
            let interface = found.pointee.interface[index]
            guard interface.num_altsetting > 0, let first = interface.altsetting else { return nil }
            return USBInterface(first.pointee)
        }
    }
}

extension USBInterface {
    fileprivate init(_ descriptor: libusb_interface_descriptor) {
        self.init(
            number: descriptor.bInterfaceNumber, classCode: descriptor.bInterfaceClass,
            subclass: descriptor.bInterfaceSubClass, protocolCode: descriptor.bInterfaceProtocol,
            endpoints: (0..<Int(descriptor.bNumEndpoints)).compactMap { index in
                guard let endpoint = descriptor.endpoint?[index] else { return nil }
                return USBEndpoint(
                    address: endpoint.bEndpointAddress,
                    isBulk: UInt32(endpoint.bmAttributes & 3) == LIBUSB_TRANSFER_TYPE_BULK.rawValue,
                    packetSize: max(1, Int(endpoint.wMaxPacketSize & 0x7FF)))
            },
            extra: descriptor.extra.map {
                Array(UnsafeBufferPointer(start: $0, count: max(0, Int(descriptor.extra_length))))
            } ?? [])
    }
}
