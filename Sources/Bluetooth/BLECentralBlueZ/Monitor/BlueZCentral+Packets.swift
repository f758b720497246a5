public import BLECentral
internal import BenchExecutor
internal import ByteCodec

/// The HCI packets of the adapter, from the kernel's monitor channel.
extension BlueZCentral: PacketObserving {
    /// Sets the observer of the packets between the kernel and the adapter, including those of other programs.
    ///
    /// - Throws: ``CentralError`` with code `unavailable`: the channel needs the capability CAP_NET_RAW.
    public func setPacketObserver(_ observer: (@Sendable (ControllerEvent) -> Void)?) throws(CentralError) {
        endPacketObservation()
        guard let observer else { return }
        let adapter = Self.name(try currentSession("observe HCI packets").adapter)
        guard let socket = BluetoothSocket(.monitor) else {
            throw CentralError(
                .unavailable, "observe HCI packets: Linux lets only programs with the capability CAP_NET_RAW see them")
        }
        let watch = executor.watch(socket.descriptor, for: .input) { [weak self] in
            self?.assumeIsolated { $0.readPackets() }
        }
        packetObservation = PacketObservation(socket: socket, watch: watch, adapter: adapter, observer: observer)
        // Reads the events of the existing controllers.
        readPackets()
    }

    /// Removes the observer of the packets.
    func endPacketObservation() {
        if let packetObservation { executor.unwatch(packetObservation.watch) }
        packetObservation = nil
    }

    private func readPackets() {
        while let observation = packetObservation, let bytes = observation.socket.receive() {
            var reader = ByteReader(bytes, subject: "monitor packet")
            guard let packet = try? MonitorPacket(from: &reader), let event = packet.event,
                observation.adapter == "hci\(packet.controller)"
            else { continue }
            observation.observer(event)
        }
    }
}

/// The observers of packets, and the source of the packets.
struct PacketObservation {
    let socket: BluetoothSocket
    let watch: BenchExecutor.Watch
    /// The adapter of the packets, e.g. `hci0`.
    let adapter: String
    let observer: @Sendable (ControllerEvent) -> Void
}
