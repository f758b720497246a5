public import BLECore
internal import BLEPackets
public import MonotonicTime

/// The server's stored state of bonded clients (`ble_gatts_bonding_established`, `ble_gatts_bonding_restored`).
extension GATTServer {
    /// Restores the state that the owner has stored.
    public func setStored(_ subscriptions: [StoredSubscription], features: [StoredFeatures]) {
        storedSubscriptions = Array(subscriptions.prefix(maximumStoredSubscriptions))
        storedFeatures = Array(features.prefix(maximumStoredFeatures))
    }

    /// Call this when a client has bonded: its current and future subscriptions are stored, even if its bond was
    /// deleted or could not be stored. NimBLE does this after the application has returned from its authentication
    /// callback.
    public func bondEstablished(_ connection: UInt16, peer: DeviceAddress) {
        guard let connection = find(connection) else { return }
        connection.bondedPeer = peer
        for slot in connection.configurations.indices where connection.configurations[slot].flags != 0 {
            storeSubscription(slot, of: connection)
        }
        store(StoredFeatures(peer: peer, features: connection.supportedFeatures))
    }

    /// Call this when a bonded client has encrypted the link: its subscriptions are restored and reported, and changed
    /// values are sent. Must not be called while ``isInCallback``.
    public func bondRestored(_ connection: UInt16, peer: DeviceAddress, now: MonotonicInstant) {
        begin(now)
        guard let connection = find(connection) else { return }
        connection.bondedPeer = peer
        if let stored = storedFeatures.first(where: { $0.peer == peer }) {
            connection.supportedFeatures = stored.features
        }
        restore(0, on: connection)
        sendScheduledNotifications(now: now)
    }

    /// Deletes the stored state of a client whose bond was deleted.
    public func forgetSubscriptions(of peer: DeviceAddress) {
        let count = storedSubscriptions.count + storedFeatures.count
        storedSubscriptions.removeAll { $0.peer == peer }
        storedFeatures.removeAll { $0.peer == peer }
        if storedSubscriptions.count + storedFeatures.count != count { perform(.subscriptionsStored) }
    }

    // MARK: Storing

    /// Stores the current configuration of a bonded client, if there is capacity.
    func storeSubscription(_ slot: Int, of connection: GATTServerConnection) {
        guard let peer = connection.bondedPeer else { return }
        _ = store(
            StoredSubscription(
                peer: peer, valueHandle: database.configurable[slot].valueHandle,
                flags: connection.configurations[slot].flags, hasChanged: false))
    }

    /// Stores the value that a client has written, then sends the response: NimBLE calls the application first.
    func store(_ subscription: StoredSubscription, then continuation: Continuation) {
        guard let error = store(subscription) else { return resume(continuation) }
        // The client configuration follows the characteristic's value.
        let handle = subscription.valueHandle + 1
        switch continuation {
        case .respond(let connection, _): refuse(.writeRequest, handle, error, connection)
        case .executeWrite(let connection, _): refuse(.executeWriteRequest, handle, error, connection)
        case .none, .store, .read, .readMultiple, .close, .restore: break
        }
    }

    /// Writes a record, or removes it if it has no flags; returns the error for the client's request.
    private func store(_ subscription: StoredSubscription) -> ATTErrorCode? {
        let place = storedSubscriptions.firstIndex {
            $0.peer == subscription.peer && $0.valueHandle == subscription.valueHandle
        }
        if subscription.flags == 0 {
            // NimBLE's result is BLE_HS_ENOENT, 5: as an ATT error code Insufficient Authentication.
            guard let place else { return .insufficientAuthentication }
            storedSubscriptions.remove(at: place)
        } else if let place {
            guard storedSubscriptions[place] != subscription else { return nil }
            storedSubscriptions[place] = subscription
        } else {
            while storedSubscriptions.count >= maximumStoredSubscriptions {
                if let error = makeRoom(subscription.peer) { return error }
            }
            storedSubscriptions.append(subscription)
        }
        perform(.subscriptionsStored)
        return nil
    }

    /// Stores the changed client supported features; returns the error for the client's request.
    func updateFeatures(of connection: GATTServerConnection) -> ATTErrorCode? {
        guard let peer = connection.bondedPeer else { return nil }
        // NimBLE removes the old record first; BLE_HS_ENOENT is 5.
        guard let place = storedFeatures.firstIndex(where: { $0.peer == peer }) else {
            return .insufficientAuthentication
        }
        storedFeatures[place].features = connection.supportedFeatures
        perform(.subscriptionsStored)
        return nil
    }

    private func store(_ features: StoredFeatures) {
        if let place = storedFeatures.firstIndex(where: { $0.peer == features.peer }) {
            guard storedFeatures[place] != features else { return }
            storedFeatures[place] = features
        } else {
            while storedFeatures.count >= maximumStoredFeatures {
                guard makeRoom(features.peer) == nil else { return }
            }
            storedFeatures.append(features)
        }
        perform(.subscriptionsStored)
    }

    /// Marks a notified value as changed for bonded clients. NimBLE intends this for disconnected clients only, but
    /// looks up their connection with the wrong address and so marks it for all clients: a client that encrypts again
    /// receives the last value once more.
    func markChanged(of valueHandle: UInt16) {
        if isStrict { return }
        for place in storedSubscriptions.indices
        where storedSubscriptions[place].valueHandle == valueHandle && !storedSubscriptions[place].hasChanged {
            storedSubscriptions[place].hasChanged = true
            perform(.subscriptionsStored)
        }
    }

    // MARK: Restoring

    /// Restores one subscription and continues with the next. NimBLE reads each subscription from its store only then,
    /// including changes by the application in the meantime.
    func restore(_ number: Int, on connection: GATTServerConnection) {
        guard connection.isOpen, let peer = connection.bondedPeer,
            let stored = storedSubscriptions.filter({ $0.peer == peer }).dropFirst(number).first
        else { return }
        guard let slot = slot(of: stored.valueHandle) else { return restore(number + 1, on: connection) }
        var missed: MissedValue?
        connection.configurations[slot].flags = stored.flags
        if stored.hasChanged {
            connection.configurations[slot].flags |= GATTServerConnection.Configuration.modified
            if let isIndication = clearChangeFlag(slot, of: connection) {
                missed = MissedValue(subscription: stored, isIndication: isIndication)
            }
        }
        reportSubscription(
            slot, stored.flags & 3, of: connection, then: .restore(connection, number: number + 1, missed: missed))
    }

    func sendMissed(_ value: MissedValue, on connection: GATTServerConnection) {
        guard connection.isOpen else { return }
        var stored = value.subscription
        let status = transmit(nil, of: stored.valueHandle, isIndication: value.isIndication, to: connection, now)
        guard !value.isIndication, status == .success else { return }
        stored.hasChanged = false
        _ = store(stored)
    }

    private func slot(of valueHandle: UInt16) -> Int? {
        index(valueHandle).flatMap { attributes[$0].configurationSlot }
    }
}
