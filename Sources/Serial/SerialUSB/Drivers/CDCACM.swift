package import SerialPort

/// Devices of the USB class CDC-ACM (USB PSTN Subclass 1.2, section 6.3): WCH CH343 and CH9102, Espressif's
/// USB-Serial-JTAG, the ROM's port on USB-OTG, and others.
package struct CDCACM: BridgeDriver {
    private enum Request {
        static let setLineCoding: UInt8 = 0x20
        static let setControlLineState: UInt8 = 0x22
    }

    /// Host to interface, class.
    private static let toInterface: UInt8 = 0x21

    /// The properties of a device beyond those of its class.
    package struct Model: Hashable, Sendable {
        package var name = "USB serial device (CDC-ACM)"
        package var interface = PortTraits.Interface.uart
        package var highestRate: Int?
        package var reenumerates = false
    }

    private let model: Model
    private let control: UInt8
    private let data: UInt8
    package let endpoints: BulkPair

    /// A driver for the UART whose control interface is `control`, or the first.
    ///
    /// - Returns: `nil` when the device has no such UART.
    package init?(_ device: USBDeviceInfo, _ model: Model, control number: UInt8?) {
        guard let control = Self.controls(of: device).first(where: { number == nil || $0.number == number }),
            let data = Self.data(of: control, in: device), let endpoints = data.bulkPair
        else { return nil }
        self.model = model
        self.control = control.number
        self.data = data.number
        self.endpoints = endpoints
    }

    package var name: String { model.name }
    package var traits: PortTraits { PortTraits(interface: model.interface, highestBaudRate: model.highestRate) }
    package var interfaces: [UInt8] { control == data ? [control] : [control, data] }
    package var reenumerates: Bool { model.reenumerates }

    package var start: [ControlTransfer] { [setLines(ModemLines(dtr: false, rts: false))] }

    package func configure(rate: Int) -> [ControlTransfer]? {
        guard rate > 0, rate <= model.highestRate ?? Int(UInt32.max), let rate = UInt32(exactly: rate) else {
            return nil
        }
        // dwDTERate, bCharFormat 0 (1 stop bit), bParityType 0, bDataBits 8.
        return [
            ControlTransfer(
                requestType: Self.toInterface, request: Request.setLineCoding, index: UInt16(control),
                data: rate.littleEndianBytes + [0, 0, 8])
        ]
    }

    package func setLines(_ lines: ModemLines) -> ControlTransfer {
        ControlTransfer(
            requestType: Self.toInterface, request: Request.setControlLineState,
            value: (lines.dtr ? 1 : 0) | (lines.rts ? 2 : 0), index: UInt16(control))
    }

    /// The control interfaces of the device: class Communications, subclass Abstract Control Model.
    package static func controls(of device: USBDeviceInfo) -> [USBInterface] {
        device.interfaces.filter { $0.classCode == 0x02 && $0.subclass == 0x02 }
    }

    /// The data interface that the union descriptor names, or the next one of class CDC Data.
    private static func data(of control: USBInterface, in device: USBDeviceInfo) -> USBInterface? {
        if let number = subordinate(in: control.extra),
            let named = device.interfaces.first(where: { $0.number == number && $0.bulkPair != nil })
        {
            return named
        }
        let following = device.interfaces.drop { $0.number != control.number }.dropFirst()
        if let next = following.first(where: { $0.classCode == 0x0A && $0.bulkPair != nil }) { return next }
        return control.bulkPair == nil ? nil : control
    }

    /// `bSubordinateInterface0` of the Union Functional Descriptor (CDC 1.2, section 5.2.3.2).
    private static func subordinate(in descriptors: [UInt8]) -> UInt8? {
        var rest = descriptors[...]
        while let length = rest.first, length >= 3, rest.count >= Int(length) {
            let descriptor = Array(rest.prefix(Int(length)))
            if length >= 5, descriptor[1] == 0x24, descriptor[2] == 0x06 { return descriptor[4] }
            rest = rest.dropFirst(Int(length))
        }
        return nil
    }
}
