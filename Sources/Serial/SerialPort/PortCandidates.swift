/// Which of the machine's ports may have a board.
public enum PortCandidates {
    /// `ports` without those by which an earlier kind of port already reaches the same USB device: a bridge with a
    /// driver of the system is a tty and a device for libusb.
    public static func distinct(_ ports: [PortDescription]) -> [PortDescription] {
        var result: [PortDescription] = []
        for port in ports {
            let isKnown = result.contains { other in
                other.address.kind != port.address.kind && port.usb != nil && other.usb?.location == port.usb?.location
            }
            if !isKnown { result.append(port) }
        }
        return result
    }

    /// The ports on bridges of ESP boards; if there are none, all ports on USB.
    ///
    /// Ports without USB are never tried unasked: a reset could switch off another device.
    public static func boards(among ports: [PortDescription]) -> [PortDescription] {
        let known = ports.filter { $0.usb.map(BoardBridges.contains) ?? false }
        return known.isEmpty ? ports.filter { $0.usb != nil } : known
    }
}
