import Dispatch
public import SerialPort

/// USB serial devices of the machine, without the kernel's tty: `usb:10c4:ea60`, `usb:10c4:ea60:SERIAL`, `usb:1-2.4`.
///
/// `usb:1-2.4/1` is the UART at interface 1 of a device with several UARTs.
public struct USBKind: PortKind {
    /// How long a port waits for a device that vanished in a reset.
    public var returnLimit: Duration

    /// The kind of USB ports.
    public init(returnLimit: Duration = .seconds(10)) {
        self.returnLimit = returnLimit
    }

    /// `usb`
    public var name: String { "usb" }

    /// The forms of its addresses.
    public var forms: [String] { USBAddress.forms }

    /// Accepts `usb:` addresses.
    public func address(_ text: String) throws(SerialPortError) -> PortAddress? {
        try USBAddress(text).map { PortAddress(kind: name, text: $0.text) }
    }

    /// Claims and sets up the device.
    ///
    /// - Throws: `notFound`, `ambiguous` (several devices match), `accessDenied`, `busy`, `unsupported` (no driver, or
    ///   no such rate) or `system`.
    public func open(_ address: PortAddress, _ settings: SerialSettings) async throws -> any SerialPort {
        guard let place = try USBAddress(address.text) else {
            throw SerialPortError(
                .invalidAddress, port: address.text, "expected \(USBAddress.forms.joined(separator: " or "))")
        }
        return try await USBSerialPort.open(place, name: address.text, settings, returnLimit: returnLimit)
    }

    /// The devices that have a driver, by place; empty on a machine without USB.
    public func ports() async throws -> [PortDescription] {
        let result: Result<[PortDescription], SerialPortError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(SerialPortError) in try Self.list() })
            }
        }
        return try result.get()
    }

    /// As ``changes()``; `nil` on a machine without USB.
    public func portChanges() -> AsyncStream<Void>? { USBSystem.isPresent ? Self.changes() : nil }

    /// A value whenever a device was plugged in or removed; call ``ports()`` then. Several changes may be merged into
    /// one value. Ends at once if the system does not report changes. One consumer; ending the stream ends the watch.
    public static func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        DispatchQueue.global().async {
            guard let context = try? USBContext(), let watch = context.watch({ continuation.yield() }) else {
                return continuation.finish()
            }
            context.start()
            continuation.onTermination = { _ in withExtendedLifetime(watch) {} }
        }
        return stream
    }

    private static func list() throws(SerialPortError) -> [PortDescription] {
        guard USBSystem.isPresent else { return [] }
        let devices: [USBDevice]
        do throws(USBFault) {
            devices = try USBContext().devices()
        } catch {
            throw error.error(USBAddress.scheme, "listing the USB devices")
        }
        return devices.map(\.info).sorted { $0.identity.location < $1.identity.location }.flatMap(descriptions)
    }

    /// A port for each UART of the device.
    static func descriptions(of device: USBDeviceInfo) -> [PortDescription] {
        let interfaces = BridgeTable.interfaces(of: device)
        return interfaces.compactMap { interface in
            guard let driver = BridgeTable.driver(for: device, interface: interface) else { return nil }
            let address = USBAddress(
                location: device.identity.location, interface: interfaces.count > 1 ? interface : nil)
            return PortDescription(
                PortAddress(kind: "usb", text: address.text),
                name: device.product.isEmpty ? driver.name : device.product, usb: device.identity)
        }
    }

    /// The device that `address` selects.
    static func select(
        _ address: USBAddress, _ name: String, _ devices: [USBDevice]
    ) throws(SerialPortError) -> USBDevice {
        let found = devices.filter { address.matches($0.info.identity) }
        guard let first = found.first else {
            throw SerialPortError(.notFound, port: name, "there is no such USB device")
        }
        guard found.count == 1 else {
            let places = found.map { USBAddress(location: $0.info.identity.location).text }.sorted()
            throw SerialPortError(
                .ambiguous, port: name,
                "\(found.count) devices match; give one of \(places.joined(separator: ", "))")
        }
        return first
    }
}

extension SerialPortError.Code {
    /// Several devices match the address.
    public static let ambiguous = Self(rawValue: "ambiguous")
}

extension USBDeviceInfo {
    /// Ids and product, for messages.
    var summary: String {
        let ids = USBIdentity.hex(identity.vendor) + ":" + USBIdentity.hex(identity.product)
        return product.isEmpty ? ids : "\(ids) (\(product))"
    }
}
