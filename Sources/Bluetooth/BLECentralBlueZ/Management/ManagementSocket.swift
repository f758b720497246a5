internal import ByteCodec

/// A management socket of Linux (BlueZ's doc/mgmt-api.txt): the kernel sends events of all controllers to it.
final class ManagementSocket: Sendable {
    private let socket: BluetoothSocket

    var descriptor: Int32 { socket.descriptor }

    /// Opens a socket that receives the events of connections; `nil` without a kernel with Bluetooth, or without the
    /// permission (CAP_NET_ADMIN): everybody may open one, but not receive these events.
    init?() {
        guard let socket = BluetoothSocket(.control) else { return nil }
        self.socket = socket
        guard receivesConnections() else { return nil }
    }

    /// Asks which events there are. The kernel answers before the call returns; other events may be in between.
    private func receivesConnections() -> Bool {
        guard socket.send(ManagementPacket(ReadSupportedCommands.code).bytes) else { return false }
        while let packet = receive() {
            if let events = try? ReadSupportedCommands.events(packet) {
                return events.contains(DeviceDisconnected.code)
            }
        }
        return false
    }

    /// The next packet; `nil` if there is none. Packets that are malformed are skipped.
    func receive() -> ManagementPacket? {
        while let bytes = socket.receive() {
            var reader = ByteReader(bytes, subject: "management packet")
            if let packet = try? ManagementPacket(from: &reader) { return packet }
        }
        return nil
    }
}
