import SerialNetwork
import SerialPOSIX
import SerialPort
import SerialUSB

/// The kinds of port that the commands know.
enum Ports {
    /// A kind of port is one target or file, and one line here.
    static let kinds = PortKinds([
        TTYKind(),
        USBKind(),
        SocketKind(),
        RFC2217Kind(),
    ])

    /// What is open, for the end of the command.
    static let opened = OpenPorts()

    /// Opens the port at `address`.
    static func open(_ address: PortAddress, _ settings: SerialSettings = .default) async throws -> any SerialPort {
        let port = try await kinds.open(address, settings)
        opened.add(port)
        return port
    }
}
