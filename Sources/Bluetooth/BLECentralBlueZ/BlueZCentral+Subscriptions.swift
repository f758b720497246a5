public import BLECentral
public import BLECore
internal import DBus

extension BlueZCentral {
    /// A running read of a characteristic that notifies by signals. BlueZ also reports the read's result as a change of
    /// the value, immediately before it answers the read.
    struct SignalledRead {
        let attribute: AttributeID
        /// The last change of the value, which may be the read's result.
        var held: [UInt8]?
    }

    /// How long the peer may take to confirm; longer than BlueZ's ATT transaction time-out.
    private static let subscriptionTimeout = Duration.seconds(35)

    /// Subscribes, or ends a subscription. BlueZ uses notifications if the characteristic supports them, otherwise
    /// indications, regardless of the requested kind.
    ///
    /// Notifications are received through a socket (AcquireNotify), which buffers bursts. Indications, and
    /// notifications of a characteristic to which another program has subscribed, are received as changes of the value
    /// (StartNotify). Returns when the peer has confirmed a subscription; the end of a subscription is written before
    /// the next operation of this connection.
    public func setSubscription(
        _ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID
    ) async throws(CentralError) {
        let connection = try self.connection(connection)
        let operation = OperationName("subscribe to", characteristic)
        try await enter(connection, operation)
        defer { leave(connection) }
        let target = try attribute(characteristic, of: connection, operation)
        guard subscription != .none else {
            return try await unsubscribe(characteristic, target, connection, operation)
        }
        guard connection.subscriptions[characteristic] == nil else { return }
        guard target.interface == BlueZ.characteristic, !target.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw CentralError(
                .invalidState, "\(operation): expected a characteristic with notifications or indications")
        }
        if target.properties.contains(.notify) {
            do throws(CentralError) {
                return try await acquire(characteristic, target, connection, operation)
            } catch {
                // Another program is subscribed: BlueZ then sends signals to all subscribers.
                guard error.detail.contains(BlueZ.Fault.inProgress) else { throw error }
            }
        }
        try await startSignals(characteristic, target, connection, operation)
    }

    private func acquire(
        _ characteristic: AttributeID, _ target: ServiceTree.Attribute, _ connection: Connection,
        _ operation: OperationName
    ) async throws(CentralError) {
        let message = DBusMessage(
            call: BlueZ.service, target.path, target.interface, "AcquireNotify", [.options([:])])
        let reply = try await perform(operation, on: connection, message, within: Self.subscriptionTimeout)
        // The connection may have ended since the answer, and nothing would close the socket later. Releasing the
        // answer closes it.
        if let end = connection.end { throw end }
        guard let descriptor = reply.first?.fileDescriptor, let bus = session?.bus else {
            throw CentralError(
                .protocolViolation, "\(operation): expected a file descriptor from BlueZ, got \(reply.map(\.type.code))"
            )
        }
        let id = connection.id
        let packets = bus.receivePackets(of: descriptor) { [weak self] value in
            self?.assumeIsolated { $0.notified(id, characteristic, value, isIndication: false) }
        } onEnd: { _ in
        }
        connection.subscriptions[characteristic] = .packets(packets)
    }

    private func startSignals(
        _ characteristic: AttributeID, _ target: ServiceTree.Attribute, _ connection: Connection,
        _ operation: OperationName
    ) async throws(CentralError) {
        let bus = try currentSession(operation.description).bus
        let match = DBusMatch(
            sender: BlueZ.service, path: target.path, interface: BlueZ.properties, member: "PropertiesChanged")
        do throws(DBusError) { try await bus.addMatch(match) } catch {
            throw CentralError(error, operation.description)
        }
        let isIndication = !target.properties.contains(.notify)
        // Set before the answer, since the first value may precede it.
        connection.subscriptions[characteristic] = .signals(match, isIndication: isIndication)
        do throws(CentralError) {
            let message = DBusMessage(call: BlueZ.service, target.path, target.interface, "StartNotify")
            _ = try await perform(
                operation, on: connection, message, within: Self.subscriptionTimeout, isCancellable: false)
        } catch {
            connection.subscriptions[characteristic] = nil
            try? await bus.removeMatch(match)
            throw error
        }
    }

    private func unsubscribe(
        _ characteristic: AttributeID, _ target: ServiceTree.Attribute, _ connection: Connection,
        _ operation: OperationName
    ) async throws(CentralError) {
        guard let active = connection.subscriptions.removeValue(forKey: characteristic) else { return }
        switch active {
        case .packets(let packets):
            packets.close()
            // bluetoothd detects the closed socket, and writes the client configuration, before it answers this call.
            let message = DBusMessage(
                call: BlueZ.service, target.path, BlueZ.properties, "Get",
                [.string(BlueZ.characteristic), .string("Notifying")])
            _ = try await perform(operation, on: connection, message, within: Self.subscriptionTimeout)
        case .signals(let match, _):
            let message = DBusMessage(call: BlueZ.service, target.path, target.interface, "StopNotify")
            _ = try await perform(operation, on: connection, message, within: Self.subscriptionTimeout)
            try? await session?.bus.removeMatch(match)
        }
    }

    /// Closes the sockets and removes the match rules of an ended connection.
    func endSubscriptions(of connection: Connection) {
        for (attribute, active) in connection.subscriptions {
            switch active {
            case .packets(let packets): packets.close()
            case .signals(let match, _):
                session?.bus.removeMatchLater(match)
                // Without this, BlueZ would subscribe again when the peer reconnects.
                guard let path = connection.services?.attributes[attribute]?.path else { continue }
                send(path, BlueZ.characteristic, "StopNotify")
            }
        }
        connection.subscriptions = [:]
    }

    private func notified(_ id: ConnectionID, _ attribute: AttributeID, _ value: [UInt8], isIndication: Bool) {
        events.post(.notification(id, attribute, value: value, isIndication: isIndication))
    }

    // MARK: Values as signals

    /// The value of a characteristic has changed: a notification or indication, or the result of a read.
    func valueChanged(_ path: String, _ value: [UInt8]) {
        for connection in connections where path.hasPrefix(connection.path + "/") {
            guard let attribute = connection.services?.identifiers[path],
                case .signals(_, let isIndication) = connection.subscriptions[attribute]
            else { return }
            guard connection.read?.attribute == attribute else {
                return notified(connection.id, attribute, value, isIndication: isIndication)
            }
            // Only the last change before the answer is the read's result; an earlier one is a notification.
            if let held = connection.read?.held {
                notified(connection.id, attribute, held, isIndication: isIndication)
            }
            connection.read?.held = value
        }
    }

    /// Begins to distinguish the result of a read from notifications.
    func beginRead(of attribute: AttributeID, on connection: Connection) {
        if case .signals = connection.subscriptions[attribute] { connection.read = SignalledRead(attribute: attribute) }
    }

    /// Ends the distinction of ``beginRead(of:on:)``; `result` is the read value, `nil` after a failure.
    func endRead(_ result: [UInt8]?, on connection: Connection) {
        guard let read = connection.read else { return }
        connection.read = nil
        guard let held = read.held, held != result,
            case .signals(_, let isIndication) = connection.subscriptions[read.attribute]
        else { return }
        notified(connection.id, read.attribute, held, isIndication: isIndication)
    }
}
