public import BLECore
import BenchExecutor

/// A characteristic of a connected peripheral. It is that of one connection: discover again after the next.
public struct Characteristic: Sendable {
    /// The most values that wait for a listener; of more, the oldest are dropped.
    public static let valueBufferSize = 4096

    /// What was discovered.
    public let discovered: DiscoveredCharacteristic
    /// Whose.
    public let peripheral: Peripheral

    /// Its type.
    public var uuid: BLEUUID { discovered.uuid }
    /// What it offers.
    public var properties: CharacteristicProperties { discovered.properties }

    private var central: Central { peripheral.central }

    /// Reads the value.
    ///
    /// - Parameter timeout: `nil`: the stack's own, 30 s by the specification (Core 5.4, Vol 3 Part F 3.3.3).
    public func read(within timeout: Duration? = nil) async throws(CentralError) -> [UInt8] {
        try await central.read(discovered.value, uuid, of: peripheral.id, within: timeout)
    }

    /// Writes the value; with a response unless the characteristic takes none.
    ///
    /// - Parameters:
    ///   - kind: `nil`: with a response if the characteristic has the property.
    ///   - timeout: `nil`: the stack's own, 30 s by the specification.
    public func write(
        _ value: [UInt8], _ kind: WriteKind? = nil, within timeout: Duration? = nil
    ) async throws(CentralError) {
        let chosen = kind ?? (properties.contains(.write) ? .withResponse : .withoutResponse)
        try await central.write(value, chosen, to: discovered.value, uuid, of: peripheral.id, within: timeout)
    }

    /// Subscribes, and has the values that the peripheral sends; returns when it has confirmed that. The last listener that
    /// goes away ends the subscription. Keeps the newest ``valueBufferSize``.
    ///
    /// The stream ends with a ``CentralError`` of code `disconnected` when the connection ends, and without one when this
    /// central ended it.
    ///
    /// - Parameter kind: `nil`: indications only if the characteristic does not notify.
    public func values(
        _ kind: Subscription? = nil
    ) async throws(CentralError) -> AsyncThrowingStream<[UInt8], any Error> {
        try await central.values(
            of: discovered.value, kind ?? (properties.contains(.notify) ? .notifications : .indications),
            peripheral.id, uuid)
    }
}

extension Central {
    func read(
        _ attribute: AttributeID, _ uuid: BLEUUID, of peer: PeerID, within timeout: Duration?
    ) async throws(CentralError) -> [UInt8] {
        let backend = backend
        return try await operate(.read, on: attribute, of: peer, uuid, within: timeout) {
            connection async throws(CentralError) in
            try await backend.read(attribute, on: connection)
        }
    }

    func write(
        _ value: [UInt8], _ kind: WriteKind, to attribute: AttributeID, _ uuid: BLEUUID, of peer: PeerID,
        within timeout: Duration?
    ) async throws(CentralError) {
        let backend = backend
        try await operate(.write(value, kind), on: attribute, of: peer, uuid, within: timeout) {
            connection async throws(CentralError) in
            try await backend.write(value, to: attribute, kind: kind, on: connection)
        }
    }

    fileprivate func values(
        of attribute: AttributeID, _ kind: Subscription, _ peer: PeerID, _ uuid: BLEUUID
    ) async throws(CentralError) -> AsyncThrowingStream<[UInt8], any Error> {
        let link = try link(to: peer, for: "subscribe to \(uuid)")
        let number = nextNumber()
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingNewest(Characteristic.valueBufferSize))
        // Before the subscription: the first value may come before its confirmation.
        link.add(number, attribute, kind, continuation)
        if let error = await updateSubscription(attribute, link) {
            link.remove(number)
            throw error
        }
        let (executor, connection) = (executor, link.connection)
        continuation.onTermination = { [weak self] _ in
            executor.post { [weak self] in self?.assumeIsolated { $0.endValues(number, attribute, peer, connection) } }
        }
        return stream
    }

    private func endValues(_ number: Int, _ attribute: AttributeID, _ peer: PeerID, _ connection: ConnectionID) {
        guard let link = links[peer], link.connection == connection else { return }
        link.remove(number)
        guard !link.isEndWanted else { return }
        // The connection may end meanwhile.
        Task(executorPreference: executor) { await self.updateSubscription(attribute, peer, connection) }
    }

    private func updateSubscription(_ attribute: AttributeID, _ peer: PeerID, _ connection: ConnectionID) async {
        guard let link = links[peer], link.connection == connection else { return }
        _ = await updateSubscription(attribute, link)
    }

    /// Subscribes as the listeners want it, one change after the other; returns why that failed.
    private func updateSubscription(_ attribute: AttributeID, _ link: PeripheralLink) async -> CentralError? {
        let (former, peer, connection) = (link.subscriptionUpdate, link.peer, link.connection)
        let update = Task(executorPreference: executor) { () -> CentralError? in
            _ = await former?.value
            return await self.applySubscription(attribute, peer, connection)
        }
        link.subscriptionUpdate = update
        return await update.value
    }

    private func applySubscription(
        _ attribute: AttributeID, _ peer: PeerID, _ connection: ConnectionID
    ) async -> CentralError? {
        guard let link = links[peer], link.connection == connection else {
            return CentralError(.notConnected, "subscribe: the connection to \(peer) has ended")
        }
        let wanted = link.subscription(of: attribute)
        let former = link.confirmed[attribute] ?? .none
        guard wanted != former else { return nil }
        let path = CharacteristicPath(of: attribute, in: link.discovered)
        func note(_ subscription: Subscription) {
            if let path { journal?(.subscribed(peer, path, subscription)) }
        }
        if wanted != .none { note(wanted) }
        do throws(CentralError) {
            try await backend.setSubscription(wanted, of: attribute, on: connection)
            link.confirmed[attribute] = wanted
            if wanted == .none { note(.none) }
            return nil
        } catch {
            // What the end of the connection has ended is still wanted.
            if links[peer] === link { note(former) }
            return error
        }
    }
}
