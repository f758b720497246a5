internal import ByteCodec
import Glibc

/// A management socket of Linux (BlueZ's doc/mgmt-api.txt): the kernel sends events of all controllers to it.
final class ManagementSocket: Sendable {
    /// BTPROTO_HCI, and HCI_CHANNEL_CONTROL, of Linux.
    private static let hciProtocol: Int32 = 1
    private static let controlChannel: UInt16 = 3
    /// Longer than any event.
    private static let packetSize = 4096

    /// `struct sockaddr_hci` of Linux.
    private struct Address {
        var family = sa_family_t(AF_BLUETOOTH)
        var device = ManagementPacket.noController
        var channel = ManagementSocket.controlChannel
    }

    let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// Opens a socket that receives the events of connections; `nil` without a kernel with Bluetooth, or without the
    /// permission (CAP_NET_ADMIN): everybody may open one, but not receive these events.
    static func open() -> ManagementSocket? {
        let type = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_BLUETOOTH, type, hciProtocol)
        guard descriptor >= 0 else { return nil }
        let management = ManagementSocket(descriptor)
        var address = Address()
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard status == 0, management.receivesConnections() else { return nil }
        return management
    }

    /// Asks which events there are. The kernel answers before the call returns; other events may be in between.
    private func receivesConnections() -> Bool {
        let command = ManagementPacket(ReadSupportedCommands.code).bytes
        guard Glibc.send(descriptor, command, command.count, Int32(MSG_NOSIGNAL)) == command.count else { return false }
        while let packet = receive() {
            if let events = try? ReadSupportedCommands.events(packet) { return events.contains(DeviceDisconnected.code) }
        }
        return false
    }

    /// The next packet; `nil` if there is none. Packets that are malformed are skipped.
    func receive() -> ManagementPacket? {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.packetSize) { buffer, size in
                repeat {
                    count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                } while count < 0 && errno == EINTR
                size = max(0, count)
            }
            guard count > 0 else { return nil }
            var reader = ByteReader(bytes, subject: "management packet")
            if let packet = try? ManagementPacket(from: &reader) { return packet }
        }
    }
}
