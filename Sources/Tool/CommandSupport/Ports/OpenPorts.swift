import SerialNetwork
import SerialPort
import SerialPOSIX
import SerialUSB
import Synchronization

/// The ports that a command has opened; all are closed however the command ends, since the kernel rebinds its driver of
/// a USB device only when the device is closed.
package final class OpenPorts: Sendable {
    /// Maximum number of ports: a monitor opens a port at each reconnection, and the oldest ports have long been
    /// closed.
    private static let limit = 64

    private let ports = Mutex<[any SerialPort]>([])

    /// Records `port` until the command ends.
    func add(_ port: any SerialPort) {
        ports.withLock { ports in
            ports.append(port)
            if ports.count > Self.limit { ports.removeFirst() }
        }
    }

    /// Runs `body`, and then closes all ports that are still open.
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
    /// Each kind of port has one target or file, and one line here.
    package static let kinds = PortKinds([
        TTYKind(),
        USBKind(),
        SocketKind(),
        RFC2217Kind(),
    ])

    /// The ports that are closed at the end of the command.
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
