internal import BLEPackets
internal import ByteCodec
public import MonotonicTime

/// Notifications and indications, as NimBLE-Arduino's `notify()` and `indicate()` send them.
extension GATTServer {
    /// Marks a characteristic as changed (`notify()` or `indicate()` without arguments): every subscribed client
    /// receives its value, as notification or indication, when the server is idle. Several changes before that are
    /// merged.
    public func notifySubscribers(of valueHandle: UInt16, now: MonotonicInstant) {
        guard let index = index(valueHandle), let slot = attributes[index].configurationSlot else { return }
        for connection in connections {
            connection.configurations[slot].flags |= GATTServerConnection.Configuration.modified
            hasScheduledNotifications = true
        }
        markChanged(of: valueHandle)
        sendScheduledNotifications(now: now)
    }

    /// Sends a value at once, also from within a callback: `notify(value)`, `notify(connection)` and similar calls.
    ///
    /// - Parameters:
    ///   - value: truncated to MTU − 3 bytes; `nil` or empty: the characteristic's value.
    ///   - connection: the client; `nil`: all clients, which requires a value. With ``HostBehaviour/specification``
    ///     only clients that have subscribed to this kind receive it.
    /// - Returns: the return value of NimBLE's call: true if the last transmission succeeded.
    @discardableResult
    public func send(
        _ value: [UInt8]?, of valueHandle: UInt16, isIndication: Bool, to connection: UInt16?, now: MonotonicInstant
    ) -> Bool {
        let value = value?.isEmpty == true ? nil : value
        guard let connection else {
            guard let value else {
                notifySubscribers(of: valueHandle, now: now)
                return true
            }
            var status = GATTSendStatus.success
            for connection in connections where isWanted(valueHandle, isIndication: isIndication, by: connection) {
                status = transmit(value, of: valueHandle, isIndication: isIndication, to: connection, now)
            }
            return status == .success
        }
        guard let connection = find(connection),
            isWanted(valueHandle, isIndication: isIndication, by: connection)
        else {
            report(.notConnected, valueHandle, isIndication: isIndication, connection)
            return false
        }
        return transmit(value, of: valueHandle, isIndication: isIndication, to: connection, now) == .success
    }

    /// `ble_gattc_notify_custom`, `ble_gattc_indicate_custom`: sends a value (`nil`: the characteristic's) at once, and
    /// returns the result of NimBLE's function. ``GATTServerAction/sent(valueHandle:connection:status:)`` reports only
    /// the end of an indication.
    package func sendUnreported(
        _ value: [UInt8]?, of valueHandle: UInt16, isIndication: Bool, to connection: UInt16, now: MonotonicInstant
    ) -> GATTSendStatus {
        guard let connection = find(connection) else { return .notConnected }
        return attempt(value, of: valueHandle, isIndication: isIndication, to: connection, now)
    }

    /// True if a client receives a value; as in NimBLE, the client need not be subscribed.
    private func isWanted(_ valueHandle: UInt16, isIndication: Bool, by connection: GATTServerConnection) -> Bool {
        guard isStrict else { return true }
        guard let slot = index(valueHandle).flatMap({ attributes[$0].configurationSlot }) else { return false }
        return connection.configurations[slot].clientBits & (isIndication ? 2 : 1) != 0
    }

    /// Sends all changed characteristics to all clients, unless received packets are pending: NimBLE's host task first
    /// empties its receive queue. NimBLE's list of connections starts with the newest.
    ///
    /// - Returns: true if any characteristic had changed.
    @discardableResult
    package func sendScheduledNotifications(now: MonotonicInstant) -> Bool {
        guard !isInCallback, hasScheduledNotifications, !defersNotifications() else { return false }
        hasScheduledNotifications = false
        for slot in database.configurable.indices {
            for connection in connections.reversed() where connection.configurations[slot].isModified {
                guard let isIndication = clearChangeFlag(slot, of: connection) else { continue }
                let handle = database.configurable[slot].valueHandle
                transmit(nil, of: handle, isIndication: isIndication, to: connection, now)
            }
        }
        return true
    }

    /// Clears the change flag of a characteristic that is sent now; returns true for an indication, false for a
    /// notification (`ble_gatts_schedule_update`). Returns `nil`, and keeps the flag, without a subscription or while a
    /// confirmation is outstanding.
    func clearChangeFlag(_ slot: Int, of connection: GATTServerConnection) -> Bool? {
        let bits = connection.configurations[slot].clientBits
        let isIndication = bits & 1 == 0
        guard bits != 0, !isIndication || connection.indicatedHandle == 0 else { return nil }
        connection.configurations[slot].flags = bits
        return isIndication
    }

    @discardableResult
    func transmit(
        _ value: [UInt8]?, of handle: UInt16, isIndication: Bool, to connection: GATTServerConnection,
        _ now: MonotonicInstant
    ) -> GATTSendStatus {
        let status = attempt(value, of: handle, isIndication: isIndication, to: connection, now)
        // The success of an indication is reported at its confirmation.
        if !isIndication || status != .success {
            report(status, handle, isIndication: isIndication, connection.handle)
        }
        return status
    }

    /// NimBLE's limit of simultaneous GATT client procedures and indications.
    private static let maximumOpenIndications = 4

    private func attempt(
        _ value: [UInt8]?, of handle: UInt16, isIndication: Bool, to connection: GATTServerConnection,
        _ now: MonotonicInstant
    ) -> GATTSendStatus {
        if isIndication, openIndications.count >= Self.maximumOpenIndications { return .noMemory }
        guard let index = index(handle) else { return .noEntry }
        let value = value ?? attributes[index].value
        guard freeBuffers >= hostBuffers().pool.count(forNotificationOf: value.count) else { return .noMemory }
        var pdu: [UInt8] = []
        pdu.reserveCapacity(3 + value.count)
        let opcode = isIndication ? ATTOpcode.handleValueIndication : .handleValueNotification
        pdu.append(opcode.rawValue)
        pdu.append(UInt8(truncatingIfNeeded: handle))
        pdu.append(UInt8(truncatingIfNeeded: handle >> 8))
        pdu.append(contentsOf: value.prefix(connection.mtu - 3))
        guard isIndication else {
            send(pdu, to: connection)
            return .success
        }
        if connection.isAwaitingResponse {
            connection.delayedPDUs.append(pdu)
        } else {
            connection.isAwaitingResponse = true
            send(pdu, to: connection)
        }
        connection.indicatedHandle = handle
        let deadline = now.advanced(by: Self.transactionTimeout)
        openIndications.append(OpenIndication(connection: connection, valueHandle: handle, deadline: deadline))
        return .success
    }

    private func report(_ status: GATTSendStatus, _ handle: UInt16, isIndication: Bool, _ connection: UInt16) {
        guard let index = index(handle), attributes[index].hasCallbacks else { return }
        perform(.sent(valueHandle: handle, connection: connection, status: status))
    }

    // MARK: Confirmations

    func handleConfirmation(_ connection: GATTServerConnection, _ now: MonotonicInstant) {
        sendDelayedPDU(connection)
        closeIndication(of: connection, .done, now)
    }

    /// An error response ends an indication like a confirmation, but reports the error to the application.
    func handleErrorResponse(
        _ body: ArraySlice<UInt8>, _ connection: GATTServerConnection, _ now: MonotonicInstant
    ) {
        sendDelayedPDU(connection)
        guard let error = decode(ATTErrorResponse.self, body, connection) else { return }
        closeIndication(of: connection, GATTSendStatus(rawValue: 0x100 + Int(error.code.rawValue)), now)
    }

    /// After any response, sends the next delayed indication.
    func sendDelayedPDU(_ connection: GATTServerConnection) {
        connection.isAwaitingResponse = !connection.delayedPDUs.isEmpty
        if !connection.delayedPDUs.isEmpty { send(connection.delayedPDUs.removeFirst(), to: connection) }
    }

    private func closeIndication(
        of connection: GATTServerConnection, _ status: GATTSendStatus, _ now: MonotonicInstant
    ) {
        guard let place = openIndications.firstIndex(where: { $0.connection === connection }) else { return }
        let handle = openIndications.remove(at: place).valueHandle
        // A confirmation is valid only for the last indication, and only if the characteristic has the property.
        guard let index = index(handle), let slot = attributes[index].configurationSlot,
            database.configurable[slot].allowed & 2 != 0, connection.indicatedHandle == handle
        else { return }
        connection.indicatedHandle = 0
        if !connection.configurations[slot].isModified { storeSubscription(slot, of: connection) }
        report(status, handle, isIndication: true, connection.handle)
        let next = connection.configurations.firstIndex { $0.isModified }
        guard let next else { return }
        connection.configurations[next].flags = connection.configurations[next].clientBits
        let nextHandle = database.configurable[next].valueHandle
        transmit(nil, of: nextHandle, isIndication: true, to: connection, now)
    }

    /// Fails the open indications of an ended connection.
    func failIndications(of connection: GATTServerConnection) {
        let failed = openIndications.filter { $0.connection === connection }
        openIndications.removeAll { $0.connection === connection }
        for indication in failed {
            report(.notConnected, indication.valueHandle, isIndication: true, connection.handle)
        }
    }

    func expireIndications(_ now: MonotonicInstant) {
        while let first = openIndications.first, first.deadline <= now {
            openIndications.removeFirst()
            report(.timedOut, first.valueHandle, isIndication: true, first.connection.handle)
            perform(.disconnect(connection: first.connection.handle, reason: Self.terminationReason))
        }
    }

    /// As in NimBLE, indications to the server are also confirmed, for any handle except 0.
    func handleIndication(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let indication = decode(ATTHandleValueIndication.self, body, connection), indication.handle != 0 else {
            return
        }
        guard freeBuffers > 0 else {
            return refuse(.handleValueIndication, indication.handle, .insufficientResources, connection)
        }
        send(ATTHandleValueConfirmation().bytes, to: connection)
    }
}
