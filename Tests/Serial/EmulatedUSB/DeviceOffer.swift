import USBDevices

/// A device of the command line: `KIND[~DESCRIPTOR-FAULT][:SERIAL][=WIRING]`.
struct DeviceOffer: Sendable {
    /// What is at the device's UART.
    enum Wiring: Sendable {
        /// TXD to RXD.
        case loopback
        /// Prints so many bytes at 3 Mbaud.
        case source(Int)
        /// A virtual board, with its flash in this file; `nil`: in memory, erased.
        case board(flash: String?)
    }

    static let kinds = [
        "cp2102", "cp2102n", "ch340", "ch343", "ch9102", "ft232r", "cdc-acm", "usb-serial-jtag", "rom-otg-s2",
        "rom-otg-s3", "rom-otg-p4",
    ]

    let kind: String
    let serialNumber: String?
    private let fault: DescriptorFault?
    /// The ports from the root hub.
    let ports: String?
    let wiring: Wiring
    /// How long it is off the bus after a reset of the chip, if that has the USB controller; `nil`: it stays.
    let reenumeration: Duration?

    /// Parses an offer; `nil` if the kind is unknown.
    init?(_ text: String, reenumeration: Duration?, ports: String? = nil) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = halves[0].split(separator: ":", maxSplits: 1)
        let parts = names.first?.split(separator: "~", maxSplits: 1).map(String.init) ?? []
        guard let first = parts.first, Self.kinds.contains(first) else { return nil }
        fault = parts.count > 1 ? DescriptorFault(rawValue: parts[1]) : nil
        guard parts.count == 1 || fault != nil else { return nil }
        kind = first
        self.ports = ports
        self.reenumeration = Self.hasUART(kind) ? nil : reenumeration
        serialNumber = names.count > 1 ? String(names[1]) : nil
        switch halves.count > 1 ? String(halves[1]) : "" {
        case "loopback": wiring = .loopback
        case let text where text.hasPrefix("source:"): wiring = .source(Int(text.dropFirst(7)) ?? 0)
        case "": wiring = .board(flash: nil)
        case let path: wiring = .board(flash: path)
        }
    }

    /// Whether the device is a bridge with a UART behind it; otherwise the chip's own USB controller.
    var hasUART: Bool { Self.hasUART(kind) }

    private static func hasUART(_ kind: String) -> Bool {
        !kind.hasPrefix("usb-serial-jtag") && !kind.hasPrefix("rom-otg")
    }

    /// The chip, as it is after power-on.
    func chip() -> any BridgeChip {
        let sound = soundChip()
        return fault.map { AlteredChip(sound, $0) } ?? sound
    }

    private func soundChip() -> any BridgeChip {
        switch kind {
        case "cp2102": CP2102(.cp2102, serialNumber: serialNumber ?? "0001")
        case "cp2102n": CP2102(.cp2102N, serialNumber: serialNumber ?? "0001")
        case "ch340": CH340()
        case "ch343": CDCACM.ch343(serialNumber: serialNumber ?? "5647012345")
        case "ch9102": CDCACM.ch343(product: 0x55D4, serialNumber: serialNumber ?? "5647012346")
        case "ft232r": FT232R(serialNumber: serialNumber ?? "A5069RR4")
        case "usb-serial-jtag": ChipUSB.serialJTAG(serialNumber: serialNumber ?? "7C:DF:A1:00:00:01")
        case "rom-otg-s2": ChipUSB.romOTG(product: 0x0002, serialNumber: serialNumber ?? "0")
        case "rom-otg-s3": ChipUSB.romOTG(product: 0x0009, serialNumber: serialNumber ?? "0")
        case "rom-otg-p4": ChipUSB.romOTG(product: 0x0012, serialNumber: serialNumber ?? "0")
        default: CDCACM.plain(serialNumber: serialNumber ?? "0001")
        }
    }
}
