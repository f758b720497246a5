import SerialNetwork
import SerialPOSIX
import SerialPort

/// Opens ports by their address.
enum Ports {
    /// Opens the port at `address`.
    static func open(_ address: PortAddress) async throws -> any SerialPort {
        switch address {
        case .device(let path): try POSIXSerialPort(path: path)
        case .socket, .rfc2217: try await NetworkPort.open(address)
        }
    }
}
