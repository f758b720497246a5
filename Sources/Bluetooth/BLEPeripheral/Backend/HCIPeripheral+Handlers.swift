internal import BLECore
internal import BLEHost
internal import BLEPackets

/// The handlers of the ``BLEPeripheral``.
extension HCIPeripheral {
    /// `definition` with handlers that call those of the published peripheral.
    func relaying(_ definition: PeripheralDefinition) -> PeripheralDefinition {
        var definition = definition
        for path in definition.attributes { relay(path, of: &definition) }
        definition.onPairingInput = { [weak self] input, connection, _ in
            self?.assumeIsolated { $0.handlers.onPairingInput(input, $0.central(connection)) }
        }
        definition.onEvent = { [weak self] event, peripheral in
            self?.assumeIsolated { $0.handle(event) }
        }
        return definition
    }

    private func relay(_ path: AttributePath, of definition: inout PeripheralDefinition) {
        let onRead: ReadHandler = { [weak self] connection, peripheral in
            let value = try self?.assumeIsolated { try $0.handlers.onRead(path, $0.central(connection)) }
            return value ?? peripheral.value(at: path)
        }
        let onWrite: WriteHandler = { [weak self] value, connection, _ in
            try self?.assumeIsolated { try $0.handlers.onWrite(value, path, $0.central(connection)) }
        }
        if let descriptor = path.descriptor {
            definition.services[path.service].characteristics[path.characteristic].descriptors[descriptor].onRead =
                onRead
            definition.services[path.service].characteristics[path.characteristic].descriptors[descriptor].onWrite =
                onWrite
            return
        }
        var characteristic = definition.services[path.service].characteristics[path.characteristic]
        characteristic.onRead = onRead
        characteristic.onWrite = onWrite
        characteristic.onSubscribe = { [weak self] configuration, connection, _ in
            self?.assumeIsolated { $0.subscribed(path, configuration, connection) }
        }
        characteristic.onSent = { [weak self] status, connection, _ in
            // The notification was sent; the indication was confirmed, or has failed.
            guard status != .success else { return }
            self?.assumeIsolated { $0.confirmed(connection) }
        }
        definition.services[path.service].characteristics[path.characteristic] = characteristic
    }

    func central(_ connection: ConnectionHandle) -> RemoteCentral {
        centrals[connection] ?? RemoteCentral("connection \(connection)")
    }

    private func subscribed(
        _ path: AttributePath, _ configuration: ClientConfiguration, _ connection: ConnectionHandle
    ) {
        subscriptions[path, default: [:]][connection] = configuration.isEmpty ? nil : configuration
        let subscription: Subscription =
            if configuration.contains(.notifications) { .notifications } else if configuration.isEmpty { .none } else {
                .indications
            }
        handlers.onSubscribe(subscription, path, central(connection))
    }

    private func confirmed(_ connection: ConnectionHandle) {
        if unconfirmed.remove(connection) != nil { roomChanged() }
    }

    private func handle(_ event: HostEvent) {
        switch event {
        case .linkEstablished(let info): centrals[info.handle] = RemoteCentral(info.identity.description)
        case .connected(let info): handlers.onEvent(.connected(central(info.handle)))
        case .disconnected(let info, _, let wasConnected):
            let central = self.central(info.handle)
            centrals[info.handle] = nil
            unconfirmed.remove(info.handle)
            for path in subscriptions.keys { subscriptions[path]?[info.handle] = nil }
            if wasConnected { handlers.onEvent(.disconnected(central)) }
            if centrals.isEmpty { allGone?.finish() }
            // Calls that waited for the ended connection may continue.
            roomChanged()
        case .roomAvailable: roomChanged()
        case .failed(let error): failed(error)
        default: break
        }
    }
}

extension BLEPeripheral {
    /// Ends advertising and all connections.
    func leave() {
        try? stopAdvertising()
        for info in connections { try? disconnect(info.handle) }
    }
}

extension HCIPacket {
    /// True for the Command Complete event (Core 5.4, Vol 4 Part E 7.7.14) of this command.
    func isCommandComplete(of opcode: HCIOpcode) -> Bool {
        guard kind == .event, bytes.count >= 5, bytes[0] == HCIEventCode.commandComplete.rawValue else { return false }
        return UInt16(bytes[3]) | UInt16(bytes[4]) << 8 == opcode.rawValue
    }
}
