internal import SerialPort

/// The devices that there is a driver for.
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
        // The ROM's port (S2 0002, S3 0009, P4 0012), and that of an application on the same controller.
        case (espressif, _): .init(name: "USB-OTG", interface: .usbOTG, reenumerates: true)
        default: .init()
        }
    }
}
