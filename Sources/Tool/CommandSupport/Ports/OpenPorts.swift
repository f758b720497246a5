import SerialNetwork
import SerialPort
import SerialPOSIX
import SerialUSB
import Synchronization

/// The ports that a command has opened, so that each is given back however the command ends: the kernel's driver of a
/// USB device is bound again only when the device is closed.
package final class OpenPorts: Sendable {
    /// A monitor that reconnects opens a port each time; the oldest have long been closed.
    private static let limit = 64

    private let ports = Mutex<[any SerialPort]>([])

    /// Remembers `port` until the command ends.
    func add(_ port: any SerialPort) {
        ports.withLock { ports in
            ports.append(port)
            if ports.count > Self.limit { ports.removeFirst() }
        }
    }

    /// Runs `body`, and then closes the ports; those that are closed already stay so.
    func closing<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            let result = try await body()
            await closeAll()
            return result
        } catch {
            await closeAll()
            throw error
        }
    }

    private func closeAll() async {
        let open = ports.withLock { ports in
            defer { ports = [] }
            return ports
        }
        for port in open { await port.close() }
    }
}

/// The kinds of port that the commands know.
package enum Ports {
    /// A kind of port is one target or file, and one line here.
    package static let kinds = PortKinds([
        TTYKind(),
        USBKind(),
        SocketKind(),
        RFC2217Kind(),
    ])

    /// The open ports, for the end of the command.
    package static let opened = OpenPorts()

    /// Opens the port at `address`.
    package static func open(_ address: PortAddress, _ settings: SerialSettings = .default) async throws
        -> any SerialPort
    {
        let port = try await kinds.open(address, settings)
        opened.add(port)
        return port
    }
}
