import BenchExecutor
public import BLECentral
import BLECore
import BLEHost
internal import BLEPackets
import MonotonicTime

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
        guard case .services(let services) = result else { return [] }
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
            // The command is sent after the pending operations.
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

/// ATT PDUs that bypass the GATT client.
extension HCICentral {
    /// A sent PDU that waits for the peer's response.
    struct RawExchange {
        var continuation: CheckedContinuation<[UInt8]?, Never>
        var timer: BenchExecutor.Event
    }

    /// Sends any bytes as an ATT PDU; returns the first PDU received within `timeout` that is not a notification or
    /// indication.
    public func exchangeATT(
        _ pdu: [UInt8], on id: ConnectionID, within timeout: Duration
    ) async throws(CentralError) -> [UInt8]? {
        let connection = try self.connection(id)
        guard timeout > .zero else {
            send(pdu, on: connection)
            return nil
        }
        lastRawExchange += 1
        let number = lastRawExchange
        let answer = await withCheckedContinuation { continuation in
            let timer = executor.schedule(at: executor.now.advanced(by: timeout)) { [weak self] in
                self?.assumeIsolated { $0.rawExchangeTimedOut(number, on: id) }
            }
            rawExchanges[number] = RawExchange(continuation: continuation, timer: timer)
            connection.rawExchange = number
            send(pdu, on: connection)
        }
        if answer == nil { try checkAvailable() }
        return answer
    }

    /// Ends the pending exchanges without an answer after the loss of the controller.
    func endRawExchanges() {
        let pending = rawExchanges
        rawExchanges = [:]
        for exchange in pending.values {
            executor.cancel(exchange.timer)
            exchange.continuation.resume(returning: nil)
        }
    }

    /// The connection may have ended before.
    private func rawExchangeTimedOut(_ number: Int, on id: ConnectionID) {
        if let connection = connections.first(where: { $0.id == id }), connection.rawExchange == number {
            connection.rawExchange = nil
        }
        rawExchanges.removeValue(forKey: number)?.continuation.resume(returning: nil)
    }

    func endRawExchange(_ number: Int, _ pdu: [UInt8]) {
        guard let exchange = rawExchanges.removeValue(forKey: number) else { return }
        executor.cancel(exchange.timer)
        exchange.continuation.resume(returning: pdu)
    }

    private func send(_ pdu: [UInt8], on connection: Connection) {
        host.sendATT(pdu[...], on: connection.handle, now: executor.now)
        pump()
    }

    // MARK: Conformance tests

    /// Sends any bytes as an ATT PDU, bypassing the GATT client: for tests that replay recorded PDUs.
    package func sendRawATT(_ pdu: [UInt8], on connection: ConnectionID) throws(CentralError) {
        send(pdu, on: try self.connection(connection))
    }

    /// Passes every ATT PDU of the peer to `handler` instead of the GATT client (`nil`: to the client again): the
    /// counterpart of ``sendRawATT(_:on:)``.
    package func setRawATTHandler(
        _ handler: (@Sendable (ArraySlice<UInt8>) -> Void)?, on connection: ConnectionID
    ) throws(CentralError) {
        try self.connection(connection).rawHandler = handler
    }
}

extension HCICentral {
    /// The peer with its identity address, if its address is a private address of a bonded peer; otherwise `peer`.
    public func identity(of peer: PeerID) -> PeerID {
        peer.address.map { PeerID(host.identity(of: $0)) } ?? peer
    }
}
