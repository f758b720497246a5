public import BLECentral
import BLECore
import BLEHost
internal import BLEPackets
import MonotonicTime
import BenchExecutor

extension HCICentral {
    /// Exchanges the MTU, offering `mtu` (23...517); returns the MTU in effect.
    public func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int {
        guard let offered = UInt16(exactly: mtu), (23...517).contains(offered) else {
            throw CentralError(.invalidState, "exchange MTU: expected 23...517, got \(mtu)")
        }
        let result = try await perform(on: connection) { $0.exchangeMTU(offered, now: $1) }
        if case .mtu(let mtu) = result { return mtu }
        return mtu
    }

    /// Discovers every primary service with its characteristics and descriptors, in the order of the server.
    public func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService] {
        let result = try await perform(on: connection) { $0.discoverServices(now: $1) }
        guard case .services(let found) = result else { return [] }
        let services = found.map(DiscoveredService.init)
        try self.connection(connection).services = services
        return services
    }

    /// Reads a whole attribute value.
    public func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8] {
        let result = try await perform(on: connection) { $0.read(attribute.rawValue, now: $1) }
        if case .value(let value) = result { return value }
        return []
    }

    /// Writes a value. Without a response it returns when the command is queued; it waits while the queue is full.
    public func write(
        _ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID
    ) async throws(CentralError) {
        switch kind {
        case .withResponse:
            _ = try await perform(on: connection) { $0.write(value[...], to: attribute.rawValue, now: $1) }
        case .reliable:
            _ = try await perform(on: connection) {
                $0.write(value[...], to: attribute.rawValue, isReliable: true, now: $1)
            }
        case .withoutResponse:
            try await writeCommand(value, to: attribute.rawValue, on: try self.connection(connection))
        }
    }

    private func writeCommand(
        _ value: [UInt8], to handle: UInt16, on connection: Connection
    ) async throws(CentralError) {
        if !connection.writeWaiters.isEmpty || !host.hasRoom(on: connection.handle) {
            let error = await withCheckedContinuation { connection.writeWaiters.append($0) }
            if let error { throw error }
        }
        guard connection.client.isIdle, connection.client.closeReason == nil else {
            // After the pending operations.
            _ = try await perform(on: connection.id) { $0.writeCommand(value[...], to: handle, now: $1) }
            return
        }
        if let error = GATTClientError(writeCommandOf: value.count, to: handle, mtu: connection.client.mtu) {
            throw CentralError(error)
        }
        host.sendATT(ATTWriteCommand(handle: handle, value: value[...]), on: connection.handle, now: executor.now)
        pump()
    }

    /// Writes the characteristic's Client Characteristic Configuration; runs service discovery first if necessary.
    public func setSubscription(
        _ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID
    ) async throws(CentralError) {
        let descriptor = try await configuration(of: characteristic, on: connection)
        let value = [
            UInt8(truncatingIfNeeded: subscription.configuration),
            UInt8(truncatingIfNeeded: subscription.configuration >> 8),
        ]
        try await write(value, to: descriptor, kind: .withResponse, on: connection)
    }

    private func configuration(
        of characteristic: AttributeID, on id: ConnectionID
    ) async throws(CentralError) -> AttributeID {
        let connection = try self.connection(id)
        let services: [DiscoveredService]
        if let known = connection.services { services = known } else { services = try await discoverServices(on: id) }
        let found = services.lazy.flatMap(\.characteristics).first { $0.value == characteristic }
        guard let descriptor = found?.descriptors.first(where: { $0.uuid == BLEUUID(0x2902) }) else {
            throw CentralError(
                .invalidState,
                """
                subscribe to \(String(characteristic.rawValue, radix: 16)): the server has no Client Characteristic \
                Configuration for it
                """)
        }
        return descriptor.attribute
    }

    // MARK: Operations

    private func perform(
        on id: ConnectionID, _ start: (inout GATTClient, MonotonicInstant) -> GATTOperation
    ) async throws(CentralError) -> GATTResult {
        let connection = try self.connection(id)
        let operation = start(&connection.client, executor.now)
        let result = await withCheckedContinuation { continuation in
            connection.operations[operation] = continuation
            drain(connection)
            pump()
        }
        return try result.get()
    }

    /// Sends the PDUs of a connection's GATT client, and posts its events.
    func drain(_ connection: Connection) {
        while let pdu = connection.client.nextOutput() {
            host.sendATT(pdu[...], on: connection.handle, now: executor.now)
        }
        while let event = connection.client.nextEvent() {
            switch event {
            case .completed(let operation, let result):
                connection.operations.removeValue(forKey: operation)?.resume(
                    returning: result.mapError { connection.endError ?? CentralError($0) })
            case .notification(let handle, let value, let isIndication):
                events.post(
                    .notification(
                        connection.id, AttributeID(rawValue: handle), value: Array(value), isIndication: isIndication))
            case .mtuChanged(let mtu):
                events.post(.mtuChanged(connection.id, mtu))
            }
        }
    }

    func receive(_ pdu: ArraySlice<UInt8>, on connection: Connection) {
        if let rawHandler = connection.rawHandler { return rawHandler(pdu) }
        if let exchange = connection.rawExchange, let opcode = pdu.first.map({ ATTOpcode(rawValue: $0) }),
            opcode != .handleValueNotification, opcode != .handleValueIndication
        {
            connection.rawExchange = nil
            return endRawExchange(exchange, Array(pdu))
        }
        connection.client.receive(pdu, now: executor.now)
        drain(connection)
    }
}

extension DiscoveredService {
    fileprivate init(_ service: RemoteService) {
        self.init(
            uuid: service.uuid, handles: service.handles,
            characteristics: service.characteristics.map { characteristic in
                DiscoveredCharacteristic(
                    uuid: characteristic.uuid, value: AttributeID(rawValue: characteristic.value),
                    handle: characteristic.value, properties: characteristic.properties,
                    descriptors: characteristic.descriptors.map {
                        DiscoveredDescriptor(
                            uuid: $0.uuid, attribute: AttributeID(rawValue: $0.handle), handle: $0.handle)
                    })
            })
    }
}
