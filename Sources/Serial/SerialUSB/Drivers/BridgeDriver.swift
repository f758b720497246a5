package import SerialPort

/// The protocol of a kind of USB serial device: pure values, no I/O. A driver is made for one UART of one device.
///
/// Order of use: ``inquiry`` and its answer, ``start``, ``configure(rate:)``, then anything; ``stop`` before the device
/// is given back.
package protocol BridgeDriver: Sendable {
    /// The chip in a few words, e.g. `CP2102N`.
    var name: String { get }
    /// Interface, and the highest rate of the chip.
    var traits: PortTraits { get }
    /// The interfaces to claim.
    var interfaces: [UInt8] { get }
    /// The endpoints that carry the bytes.
    var endpoints: BulkPair { get }
    /// True if the device vanishes and comes back when the chip behind it is reset.
    var reenumerates: Bool { get }

    /// A question about the variant of the chip; a device may refuse it.
    var inquiry: ControlTransfer? { get }
    /// Receives the answer to ``inquiry``; empty when the device refused it.
    mutating func learn(_ answer: [UInt8])

    /// Sets the UART up: 8N1, no flow control, both modem lines deasserted.
    var start: [ControlTransfer] { get }
    /// Sets the rate in bits per second; `nil` when the chip has no rate near it.
    func configure(rate: Int) -> [ControlTransfer]?
    /// Sets both modem lines in one transfer.
    func setLines(_ lines: ModemLines) -> ControlTransfer
    /// Discards what the chip has received and not yet sent to the host; empty when the chip cannot.
    var purgeInput: [ControlTransfer] { get }
    /// Ends the use of the UART.
    var stop: [ControlTransfer] { get }

    /// The serial bytes in a completed bulk transfer.
    func payload(of transfer: [UInt8]) -> [UInt8]
}

extension BridgeDriver {
    package var reenumerates: Bool { false }
    package var inquiry: ControlTransfer? { nil }
    package mutating func learn(_ answer: [UInt8]) {}
    package var purgeInput: [ControlTransfer] { [] }
    package var stop: [ControlTransfer] { [] }
    package func payload(of transfer: [UInt8]) -> [UInt8] { transfer }
}

/// The devices that have a driver.
package enum BridgeTable {
    private static let siliconLabs: UInt16 = 0x10C4
    private static let wch: UInt16 = 0x1A86
    private static let ftdi: UInt16 = 0x0403
    private static let espressif: UInt16 = 0x303A

    private static let cp210x: Set<UInt16> = [0xEA60, 0xEA61, 0xEA63, 0xEA70, 0xEA71, 0xEA7A, 0xEA7B]
    private static let ch34x: Set<UInt16> = [0x5523, 0x7522, 0x7523]
    private static let ftdiChips: Set<UInt16> = [0x6001, 0x6010, 0x6011, 0x6014, 0x6015]

    /// The driver for the UART at `interface` of `device`, or for its first; `nil` when there is none.
    package static func driver(for device: USBDeviceInfo, interface: UInt8? = nil) -> (any BridgeDriver)? {
        let ids = device.identity
        let vendorSpecific = device.interfaces.first {
            (interface == nil || $0.number == interface) && $0.bulkPair != nil
        }
        if let vendorSpecific, let endpoints = vendorSpecific.bulkPair {
            let number = vendorSpecific.number
            switch ids.vendor {
            case siliconLabs where cp210x.contains(ids.product):
                return CP210x(interface: number, endpoints: endpoints)
            case wch where ch34x.contains(ids.product):
                return CH34x(interface: number, endpoints: endpoints)
            case ftdi where ftdiChips.contains(ids.product):
                return FTDI(device: device, interface: number, endpoints: endpoints)
            default: break
            }
        }
        return CDCACM(device, model(of: ids), control: interface)
    }

    /// The interfaces that are UARTs.
    package static func interfaces(of device: USBDeviceInfo) -> [UInt8] {
        device.interfaces.map(\.number).filter { driver(for: device, interface: $0) != nil }
    }

    private static func model(of ids: USBIdentity) -> CDCACM.Model {
        switch (ids.vendor, ids.product) {
        case (wch, 0x55D3): .init(name: "CH343", highestRate: 6_000_000)
        case (wch, 0x55D4): .init(name: "CH9102", highestRate: 4_000_000)
        case (espressif, 0x1001): .init(name: "USB-Serial-JTAG", interface: .usbSerialJTAG, reenumerates: true)
        // The port of the ROM (S2 0002, S3 0009, P4 0012), or of an application on the same controller.
        case (espressif, _): .init(name: "USB-OTG", interface: .usbOTG, reenumerates: true)
        default: .init()
        }
    }
}

/// A transfer on endpoint 0: the setup packet (USB 2.0, section 9.3), and the data sent or the length asked for.
package struct ControlTransfer: Hashable, Sendable {
    /// `bmRequestType`; bit 7 is the direction.
    package var requestType: UInt8
    /// `bRequest`
    package var request: UInt8
    /// `wValue`
    package var value: UInt16 = 0
    /// `wIndex`
    package var index: UInt16 = 0
    /// The data of a transfer to the device.
    package var data: [UInt8] = []
    /// The length asked for by a transfer from the device.
    package var answerLength = 0

    /// True if data goes to the host.
    package var isInput: Bool { requestType & 0x80 != 0 }

    /// `wLength`
    package var length: Int { isInput ? answerLength : data.count }
}
