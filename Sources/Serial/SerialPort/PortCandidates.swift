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

    /// `ports` with one row for a UART that two kinds of port reach: the earlier kind's, and the other's address beside it.
    ///
    /// The ports of a device with several UARTs are paired in their order; all are listed where the numbers differ.
    public static func joined(_ ports: [PortDescription]) -> [(port: PortDescription, also: PortAddress?)] {
        var rows: [(port: PortDescription, also: PortAddress?)] = []
        for port in ports {
            guard let place = port.usb?.location else {
                rows.append((port, nil))
                continue
            }
            let here = ports.filter { $0.usb?.location == place }
            let kinds = here.reduce(into: [String]()) {
                if !$0.contains($1.address.kind) { $0.append($1.address.kind) }
            }
            let first = here.filter { $0.address.kind == kinds[0] }
            let second = here.filter { kinds.count == 2 && $0.address.kind == kinds[1] }
            guard first.count == second.count else {
                rows.append((port, nil))
                continue
            }
            if let index = first.firstIndex(of: port) { rows.append((port, second[index].address)) }
        }
        return rows
    }

    /// The ports on bridges of ESP boards; if there are none, all ports on USB.
    ///
    /// Ports without USB are never tried unasked: a reset could switch off another device.
    public static func boards(among ports: [PortDescription]) -> [PortDescription] {
        let known = ports.filter { $0.usb.map(BoardBridges.contains) ?? false }
        return known.isEmpty ? ports.filter { $0.usb != nil } : known
    }
}
