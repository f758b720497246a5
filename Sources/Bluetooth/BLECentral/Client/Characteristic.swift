import BenchExecutor
public import BLECore

/// A characteristic of a connected peripheral. Valid for one connection: discover again after reconnecting.
public struct Characteristic: Sendable {
    /// The maximum number of values buffered for a listener; beyond it the oldest are dropped.
    public static let valueBufferSize = 4096

    /// The discovered characteristic.
    public let discovered: DiscoveredCharacteristic
    /// The peripheral that has it.
    public let peripheral: Peripheral

    /// Its type.
    public var uuid: BLEUUID { discovered.uuid }
    /// The operations it supports.
    public var properties: CharacteristicProperties { discovered.properties }

    private var central: Central { peripheral.central }

    /// Writes the subscription, for use with ``Peripheral/notifications(keeping:)``. It lasts until the next such call,
    /// or until a listener of ``values(_:)`` ends.
    public func subscribe(_ subscription: Subscription) async throws(CentralError) {
        try await central.subscribe(subscription, to: discovered.value, uuid, of: peripheral.id)
    }

    /// Reads the value.
    ///
    /// - Parameter timeout: `nil`: the stack's time-out, 30 s by the specification (Core 5.4, Vol 3 Part F 3.3.3).
    public func read(within timeout: Duration? = nil) async throws(CentralError) -> [UInt8] {
        try await central.read(discovered.value, uuid, of: peripheral.id, within: timeout)
    }

    /// Writes the value.
    ///
    /// - Parameters:
    ///   - kind: `nil`: with a response if the characteristic has the property Write, otherwise without.
    ///   - timeout: `nil`: the stack's time-out, 30 s by the specification.
    public func write(
        _ value: [UInt8], _ kind: WriteKind? = nil, within timeout: Duration? = nil
    ) async throws(CentralError) {
        let chosen = kind ?? (properties.contains(.write) ? .withResponse : .withoutResponse)
        try await central.write(value, chosen, to: discovered.value, uuid, of: peripheral.id, within: timeout)
    }

    /// Subscribes, and returns the stream of values when the peripheral has confirmed. The subscription ends with its
    /// last listener. Buffers the newest ``valueBufferSize`` values.
    ///
    /// When the connection ends, the stream ends with a ``CentralError`` of code `disconnected`, or without an error if
    /// this central has disconnected.
    ///
    /// - Parameter kind: `nil`: notifications if the characteristic supports them, otherwise indications.
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

    /// Adds a listener for the values of one characteristic, or of all (`nil`).
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
            // If the connection has ended, the subscription is still wanted: nothing is reported.
            if let path, links[peer] === link { observe(.subscribed(peer, path, former)) }
            throw error
        }
    }

    fileprivate func values(
        of attribute: AttributeID, _ kind: Subscription, _ peer: PeerID, _ uuid: BLEUUID
    ) async throws(CentralError) -> AsyncThrowingStream<[UInt8], any Error> {
        let link = try link(to: peer, for: "subscribe to \(uuid)")
        // Listen before subscribing: the first value may precede the confirmation.
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
        // The call takes identifiers, since the connection may end before it runs.
        Task(executorPreference: executor) { await self.updateSubscription(attribute, peer, connection) }
    }

    private func updateSubscription(_ attribute: AttributeID, _ peer: PeerID, _ connection: ConnectionID) async {
        guard let link = links[peer], link.connection == connection else { return }
        _ = await updateSubscription(attribute, link)
    }

    /// Adapts the subscription to the listeners, one change at a time; returns the error of a failure.
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

/// Identifies a characteristic of a peripheral across connections: the types of service and characteristic, and the
/// index among several of the same type.
public struct CharacteristicPath: Hashable, Sendable {
    /// The type of the service.
    public var service: BLEUUID
    /// The index among the peripheral's services of this type, from 0.
    public var serviceIndex: Int
    /// The type of the characteristic.
    public var characteristic: BLEUUID
    /// The index among the service's characteristics of this type, from 0.
    public var index: Int

    /// A characteristic; by default the first of its type.
    public init(service: BLEUUID, serviceIndex: Int = 0, characteristic: BLEUUID, index: Int = 0) {
        self.service = service
        self.serviceIndex = serviceIndex
        self.characteristic = characteristic
        self.index = index
    }

    /// The path of a value; `nil` if it is not in `services`.
    package init?(of value: AttributeID, in services: [DiscoveredService]) {
        for (place, service) in services.enumerated() {
            guard let found = service.characteristics.firstIndex(where: { $0.value == value }) else { continue }
            let type = service.characteristics[found].uuid
            self.init(
                service: service.uuid, serviceIndex: services[..<place].count { $0.uuid == service.uuid },
                characteristic: type, index: service.characteristics[..<found].count { $0.uuid == type })
            return
        }
        return nil
    }
}

extension CharacteristicPath: CustomStringConvertible {
    /// The types, e.g. `180D/2A37`, with an index unless it is 0: `180D#1/2A37#2`.
    public var description: String {
        func part(_ type: BLEUUID, _ index: Int) -> String { index == 0 ? "\(type)" : "\(type)#\(index)" }
        return part(service, serviceIndex) + "/" + part(characteristic, index)
    }
}

extension Peripheral {
    /// The characteristic with this path.
    ///
    /// - Throws: `invalidState` when there is none.
    public func characteristic(_ path: CharacteristicPath) async throws(CentralError) -> Characteristic {
        let services = try await services().filter { $0.uuid == path.service }
        let found =
            services.indices.contains(path.serviceIndex)
            ? services[path.serviceIndex].characteristics.filter { $0.uuid == path.characteristic } : []
        guard found.indices.contains(path.index) else {
            throw CentralError(.invalidState, "expected the characteristic \(path), which \(id) lacks")
        }
        return found[path.index]
    }
}

/// A descriptor of a characteristic. Valid for one connection.
public struct Descriptor: Sendable {
    /// The discovered descriptor.
    public let discovered: DiscoveredDescriptor
    /// The peripheral that has it.
    public let peripheral: Peripheral

    /// Its type.
    public var uuid: BLEUUID { discovered.uuid }

    private var central: Central { peripheral.central }

    /// Reads the value.
    ///
    /// - Parameter timeout: `nil`: the stack's time-out, 30 s by the specification.
    public func read(within timeout: Duration? = nil) async throws(CentralError) -> [UInt8] {
        try await central.read(discovered.attribute, uuid, of: peripheral.id, within: timeout)
    }

    /// Writes the value, with a response: descriptors allow no other writes (Core 5.4, Vol 3 Part G 4.12.3).
    ///
    /// - Parameter timeout: `nil`: the stack's time-out, 30 s by the specification.
    public func write(_ value: [UInt8], within timeout: Duration? = nil) async throws(CentralError) {
        try await central.write(
            value, .withResponse, to: discovered.attribute, uuid, of: peripheral.id, within: timeout)
    }
}

extension Characteristic {
    /// Its descriptors, in the order of the server. Descriptors that a stack hides are missing: BlueZ shows no Client
    /// Characteristic Configuration.
    public var descriptors: [Descriptor] {
        discovered.descriptors.map { Descriptor(discovered: $0, peripheral: peripheral) }
    }
}

/// A service of a connected peripheral.
public struct Service: Sendable {
    /// The discovered service.
    public let discovered: DiscoveredService
    /// The peripheral that has it.
    public let peripheral: Peripheral

    /// Its type.
    public var uuid: BLEUUID { discovered.uuid }

    /// Its characteristics, in the order of the peripheral.
    public var characteristics: [Characteristic] {
        discovered.characteristics.map { Characteristic(discovered: $0, peripheral: peripheral) }
    }

    /// Its first characteristic of this type.
    ///
    /// - Throws: `invalidState` when there is none.
    public func characteristic(_ uuid: BLEUUID) throws(CentralError) -> Characteristic {
        guard let found = characteristics.first(where: { $0.uuid == uuid }) else {
            let list = characteristics.isEmpty ? "none" : characteristics.map { "\($0.uuid)" }.joined(separator: ", ")
            throw CentralError(
                .invalidState, "expected the characteristic \(uuid), the service \(self.uuid) has \(list)")
        }
        return found
    }
}
