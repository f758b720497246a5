internal import ByteCodec

/// A management socket of Linux (BlueZ's doc/mgmt-api.txt): the kernel sends events of all controllers to it.
final class ManagementSocket: Sendable {
    private let socket: BluetoothSocket
    /// True if the kernel reports the strength of connections.
    let readsRSSI: Bool

    var descriptor: Int32 { socket.descriptor }

    /// Opens a socket that receives the events of connections; `nil` if the kernel has no Bluetooth, or without the
    /// permission (CAP_NET_ADMIN), which receiving these events requires, but opening a socket does not.
    init?() {
        guard let socket = BluetoothSocket(.control) else { return nil }
        self.socket = socket
        let (commands, events) = Self.supported(socket)
        readsRSSI = commands.contains(GetConnectionInformation.code)
        guard events.contains(DeviceDisconnected.code) else { return nil }
    }

    /// Requests the supported commands and events. The kernel answers before the call returns; other events may precede
    /// the answer.
    private static func supported(_ socket: BluetoothSocket) -> (commands: [UInt16], events: [UInt16]) {
        guard socket.send(ManagementPacket(ReadSupportedCommands.code).bytes) else { return ([], []) }
        while let packet = receive(socket) {
            if let answer = try? ReadSupportedCommands.answer(packet) { return answer }
        }
        return ([], [])
    }

    /// Sends a command; returns whether the kernel has accepted it.
    func send(_ packet: ManagementPacket) -> Bool { socket.send(packet.bytes) }

    /// The next packet; `nil` if there is none. Packets that are malformed are skipped.
    func receive() -> ManagementPacket? { Self.receive(socket) }

    private static func receive(_ socket: BluetoothSocket) -> ManagementPacket? {
        while let bytes = socket.receive() {
            var reader = ByteReader(bytes, subject: "management packet")
            if let packet = try? ManagementPacket(from: &reader) { return packet }
        }
        return nil
    }
}
