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

    /// Writes the subscription, for values by ``Peripheral/notifications(keeping:)``: it lasts until another one is
    /// written, or a listener of ``values(_:)`` goes away.
    public func subscribe(_ subscription: Subscription) async throws(CentralError) {
        try await central.subscribe(subscription, to: discovered.value, uuid, of: peripheral.id)
    }

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
    package func read(
        _ attribute: AttributeID, _ uuid: BLEUUID, of peer: PeerID, within timeout: Duration? = nil
    ) async throws(CentralError) -> [UInt8] {
        try await perform(.read(attribute), of: peer, "read \(uuid)", within: timeout, answer: { .value($0) }) {
            backend, connection async throws(CentralError) in
            try await backend.read(attribute, on: connection)
        }
    }

    package func write(
        _ value: [UInt8], _ kind: WriteKind, to attribute: AttributeID, _ uuid: BLEUUID, of peer: PeerID,
        within timeout: Duration? = nil
    ) async throws(CentralError) {
        try await perform(.write(attribute, value, kind), of: peer, "write \(uuid)", within: timeout) {
            backend, connection async throws(CentralError) in
            try await backend.write(value, to: attribute, kind: kind, on: connection)
        }
    }

    /// The values that a peer sends, of one characteristic or of all, for a listener.
    func listen<Element: Sendable>(
        to attribute: AttributeID?, _ kind: Subscription, of link: PeripheralLink, keeping count: Int,
        _ element: @escaping @Sendable (ReceivedValue) -> Element
    ) -> (number: Int, AsyncThrowingStream<Element, any Error>, AsyncThrowingStream<Element, any Error>.Continuation) {
        let number = nextNumber()
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(count))
        droppedCount += link.add(
            PeripheralLink.Listener(
                number: number, attribute: attribute, kind: kind,
                yield: { if case .dropped = continuation.yield(element($0)) { true } else { false } },
                finish: { continuation.finish(throwing: $0) }))
        return (number, stream, continuation)
    }

    /// Writes a subscription.
    package func subscribe(
        _ wanted: Subscription, to attribute: AttributeID, _ uuid: BLEUUID?, of peer: PeerID
    ) async throws(CentralError) {
        let operation = "subscribe\(uuid.map { " to \($0)" } ?? "")"
        let link = try link(to: peer, for: operation)
        let former = link.confirmed[attribute] ?? .none
        let path = CharacteristicPath(of: attribute, in: link.discovered)
        if let path, wanted != .none { observe(.subscribed(peer, path, wanted)) }
        do throws(CentralError) {
            try await perform(.subscribe(attribute, wanted), of: peer, operation) {
                backend, connection async throws(CentralError) in
                try await backend.setSubscription(wanted, of: attribute, on: connection)
            }
            link.confirmed[attribute] = wanted
            if let path, wanted == .none { observe(.subscribed(peer, path, .none)) }
        } catch {
            // What the end of the connection has ended is still wanted.
            if let path, links[peer] === link { observe(.subscribed(peer, path, former)) }
            throw error
        }
    }

    fileprivate func values(
        of attribute: AttributeID, _ kind: Subscription, _ peer: PeerID, _ uuid: BLEUUID
    ) async throws(CentralError) -> AsyncThrowingStream<[UInt8], any Error> {
        let link = try link(to: peer, for: "subscribe to \(uuid)")
        // Before the subscription: the first value may come before its confirmation.
        let (number, stream, continuation) = listen(
            to: attribute, kind, of: link, keeping: Characteristic.valueBufferSize, \.value)
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
        guard wanted != link.confirmed[attribute] ?? .none else { return nil }
        do throws(CentralError) {
            try await subscribe(wanted, to: attribute, nil, of: peer)
            return nil
        } catch {
            return error
        }
    }
}
