import SerialPort

extension PortCandidates {
    /// What `port` is, in a line.
    static func line(_ port: PortDescription) -> String {
        let details = [name(of: port), port.usb.map(\.ids) ?? "", port.usb?.serialNumber ?? ""]
        let text = details.filter { !$0.isEmpty }.joined(separator: ", ")
        return text.isEmpty ? port.address.text : "\(port.address.text)  \(text)"
    }

    /// The name of `port`, or of the kind of its bridge.
    static func name(of port: PortDescription) -> String {
        port.name.isEmpty ? port.usb.map(BoardBridges.name) ?? "" : port.name
    }
}
