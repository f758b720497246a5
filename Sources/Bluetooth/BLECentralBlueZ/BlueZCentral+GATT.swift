public import BLECentral
internal import BLECore
internal import BenchExecutor
internal import DBus
internal import MonotonicTime

extension BlueZCentral {
    /// The time-out of an operation; longer than bluetoothd's ATT transaction time-out of 30 s (Core 5.4, Vol 3 Part F
    /// 3.3.3).
    private static let operationTimeout = Duration.seconds(35)

    /// Returns the services that BlueZ has discovered; waits for the end of a running discovery.
    public func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService] {
        let connection = try self.connection(connection)
        let operation: OperationName = "discover services"
        try await enter(connection, operation)
        defer { leave(connection) }
        if connection.end == nil, Device(tree, connection.path)?.hasResolvedServices != true {
            try await resolution(of: connection)
        }
        // The objects of the services may be announced after the property ServicesResolved.
        _ = try await perform(
            operation, on: connection, AdapterAccess.managedObjects, within: Self.operationTimeout,
            answersObjects: true)
        let services = ServiceTree(tree, device: connection.path)
        connection.services = services
        if let mtu = services.mtu, mtu != connection.mtu {
            connection.mtu = mtu
            events.post(.mtuChanged(connection.id, mtu))
        }
        return services.services
    }

    /// Waits until BlueZ has discovered the services.
    private func resolution(of connection: Connection) async throws(CentralError) {
        let id = connection.id
        let number = nextOperation()
        let timer = schedule(at: executor.now.advanced(by: Self.operationTimeout)) { central in
            guard let connection = central.connections.first(where: { $0.id == id }) else { return }
            connection.endResolution(
                CentralError(
                    .timedOut, "discover services: expected BlueZ to resolve them within \(Self.operationTimeout)"))
        }
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { connection.resolvedWaiters[number] = $0 }
        } onCancel: {
            post { central in
                central.connections.first { $0.id == id }?.resolvedWaiters.removeValue(forKey: number)?
                    .resume(returning: Self.cancellation("discover services"))
            }
        }
        executor.cancel(timer)
        if let error { throw error }
    }

    /// BlueZ has discovered the services of a device.
    func servicesResolved(_ path: String) {
        unsettled[path] = nil
        if let connection = connection(path: path) {
            connection.isResolved = true
            connection.endResolution(nil)
        }
        continueAttempts()
    }

    /// The path and properties of an attribute that was discovered.
    func attribute(
        _ attribute: AttributeID, of connection: Connection, _ operation: OperationName
    ) throws(CentralError) -> ServiceTree.Attribute {
        guard let services = connection.services else {
            throw CentralError(.invalidState, "\(operation): expected service discovery before it")
        }
        guard let found = services.attributes[attribute] else {
            throw CentralError(.invalidState, "\(operation): expected an attribute that was discovered")
        }
        return found
    }

    /// Reads a whole attribute value; BlueZ sends the necessary Read Blob Requests.
    public func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8] {
        try await read(attribute, offset: 0, on: connection)
    }

    /// Reads an attribute value from `offset` on.
    public func read(
        _ attribute: AttributeID, offset: UInt16, on connection: ConnectionID
    ) async throws(CentralError) -> [UInt8] {
        let connection = try self.connection(connection)
        let operation = OperationName("read", attribute)
        try await enter(connection, operation)
        defer { leave(connection) }
        let target = try self.attribute(attribute, of: connection, operation)
        let message = DBusMessage(
            call: BlueZ.service, target.path, target.interface, "ReadValue",
            [offset == 0 ? .options([:]) : .options(["offset": .uint16(offset)])])
        beginRead(of: attribute, on: connection)
        do throws(CentralError) {
            let reply = try await perform(operation, on: connection, message, within: Self.operationTimeout)
            guard let value = reply.first?.octets else {
                throw CentralError(
                    .protocolViolation, "\(operation): expected bytes from BlueZ, got \(reply.map(\.type.code))")
            }
            endRead(value, on: connection)
            return value
        } catch {
            // The result of a cancelled read has not arrived yet.
            if connection.abandoned.isEmpty { endRead(nil, on: connection) }
            throw error
        }
    }

    /// Writes a value; BlueZ sends one that is too long for a Write Request as a long write. Without a response it
    /// returns when bluetoothd has accepted the command.
    ///
    /// Commands are sent as method calls, not through AcquireWrite: its separate socket reports no errors, and does not
    /// keep the order with later operations. Descriptors cannot be written reliably.
    public func write(
        _ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID
    ) async throws(CentralError) {
        let connection = try self.connection(connection)
        let operation = OperationName("write", attribute)
        try await enter(connection, operation)
        defer { leave(connection) }
        let target = try self.attribute(attribute, of: connection, operation)
        if kind == .withoutResponse, let mtu = connection.mtu, value.count > mtu - 3 {
            throw CentralError(
                .invalidState,
                "\(operation): expected at most \(mtu - 3) bytes without a response (MTU \(mtu)), got \(value.count)")
        }
        var options: DBusValue = .options([:])
        if target.interface == BlueZ.characteristic {
            let type =
                switch kind {
                case .withResponse: "request"
                case .withoutResponse: "command"
                case .reliable: "reliable"
                }
            options = .options(["type": .string(type)])
        } else if kind == .reliable {
            throw CentralError(
                .unsupported(.reliableWrites), "\(operation): BlueZ writes characteristics reliably, not descriptors")
        }
        let message = DBusMessage(
            call: BlueZ.service, target.path, target.interface, "WriteValue", [.bytes(value), options])
        _ = try await perform(operation, on: connection, message, within: Self.operationTimeout)
    }
}
