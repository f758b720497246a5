import BenchExecutor

/// Receives the packets of a socket that came with a message, e.g. the notifications of BlueZ's AcquireNotify.
public final class DBusPackets: Sendable {
    private let stream: PacketStream
    private let bus: BusStream

    init(_ stream: PacketStream, _ bus: BusStream) {
        self.stream = stream
        self.bus = bus
    }

    /// Closes the socket, after the packets that have arrived.
    public func close() {
        bus.remove(stream)
    }

    deinit {
        bus.remove(stream)
    }
}

extension DBusConnection {
    /// Begins to receive packets, on the executor: what a peer sent as a packet and then as a message is handled in
    /// that order. Ends when the other end closes the socket, or with ``DBusPackets/close()``.
    ///
    /// - Parameters:
    ///   - onPacket: a packet; may be empty.
    ///   - onEnd: the last call; with an error, if receiving failed.
    public func receivePackets(
        of descriptor: DBusFileDescriptor, onPacket: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (DBusError?) -> Void
    ) -> DBusPackets {
        let packets = PacketStream(descriptor, executor) { event in
            switch event {
            case .packet(let packet): onPacket(packet)
            case .ended(let error): onEnd(error)
            }
        }
        stream.add(packets)
        return DBusPackets(packets, stream)
    }
}
