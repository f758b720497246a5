/// The USB devices that are on ESP boards and programming cables.
public enum BoardBridges {
    /// Makers of bridges, whose devices are all serial ports.
    private static let vendors: [UInt16: String] = [
        0x10C4: "Silicon Labs CP210x", 0x1A86: "WCH CH34x or CH910x", 0x0403: "FTDI", 0x067B: "Prolific PL2303",
        0x303A: "Espressif",
    ]

    /// Whether `device` is a bridge on ESP boards, or the USB controller of an ESP32.
    public static func contains(_ device: USBIdentity) -> Bool { vendors[device.vendor] != nil }

    /// What is at the chip's end of a port on `device`.
    public static func interface(of device: USBIdentity) -> PortTraits.Interface {
        switch (device.vendor, device.product) {
        case (0x303A, 0x1001): .usbSerialJTAG
        case (0x303A, 0x0002), (0x303A, 0x0009), (0x303A, 0x0012): .usbOTG
        default: .uart
        }
    }

    /// What `device` is, for ports whose device has no name of its own; empty if unknown.
    public static func name(of device: USBIdentity) -> String {
        switch (device.vendor, device.product) {
        case (0x303A, 0x1001): "Espressif USB-Serial-JTAG"
        case (0x303A, 0x0002), (0x303A, 0x0009), (0x303A, 0x0012): "Espressif ROM loader on USB-OTG"
        default: vendors[device.vendor] ?? ""
        }
    }
}
