/// The command line of `EmulatedUSB`.
struct Options: Sendable {
    /// An argument that is not one.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    var port: UInt16 = 0
    var address = "127.0.0.1"
    var devices: [DeviceOffer] = []

    init(_ arguments: ArraySlice<String>) throws(Fault) {
        var rest = arguments
        // Of the devices after it.
        var reenumeration: Duration? = .milliseconds(300)
        // Of the next device.
        var ports: String?
        while let argument = rest.popFirst() {
            switch argument {
            case "--port":
                let text = rest.popFirst() ?? ""
                guard let number = UInt16(text) else {
                    throw Fault(description: "--port: expected a TCP port, got \"\(text)\"")
                }
                port = number
            case "--listen":
                guard let text = rest.popFirst() else { throw Fault(description: "--listen: expected an address") }
                address = text
            case "--reenumeration":
                let text = rest.popFirst() ?? ""
                guard let number = Int(text), (0...60_000).contains(number) else {
                    throw Fault(description: "--reenumeration: expected milliseconds, 0 for never, got \"\(text)\"")
                }
                reenumeration = number == 0 ? nil : .milliseconds(number)
            case "--ports":
                guard let text = rest.popFirst() else { throw Fault(description: "--ports: expected e.g. 1.4.2") }
                ports = text
            default:
                guard let device = DeviceOffer(argument, reenumeration: reenumeration, ports: ports) else {
                    throw Fault(
                        description: "expected an option or KIND[~FAULT][:SERIAL][=WIRING], got \"\(argument)\"")
                }
                devices.append(device)
                ports = nil
            }
        }
        guard !devices.isEmpty else { throw Fault(description: "expected at least one device") }
    }
}
