public import BLECore
public import MonotonicTime

/// What a server keeps of bonded clients (`ble_gatts_bonding_established`, `ble_gatts_bonding_restored`).
extension GATTServer {
    /// Puts in place what the owner has kept.
    public func setStored(_ subscriptions: [StoredSubscription], features: [StoredFeatures]) {
        storedSubscriptions = Array(subscriptions.prefix(maximumStoredSubscriptions))
        storedFeatures = features
    }

    /// A client has bonded: what it has subscribed to is kept, and what it will.
    public func bondEstablished(_ connection: UInt16, peer: DeviceAddress) {
        guard let connection = find(connection) else { return }
        connection.bondedPeer = peer
        for slot in connection.configurations.indices where connection.configurations[slot].flags != 0 {
            keepSubscription(slot, of: connection)
        }
        keepFeatures(of: connection)
    }

    /// A bonded client has encrypted: its subscriptions are restored and reported, and what changed is sent.
    public func bondRestored(_ connection: UInt16, peer: DeviceAddress, now: MonotonicInstant) {
        guard let connection = find(connection) else { return }
        connection.bondedPeer = peer
        restoreLater(storedSubscriptions.filter { $0.peer == peer }, on: connection)
        if let stored = storedFeatures.first(where: { $0.peer == peer }) {
            connection.supportedFeatures = stored.features
        }
        if !isInCallback { workOff(now) }
    }

    /// A bond is gone, and with it what was kept of that client.
    public func forgetSubscriptions(of peer: DeviceAddress) {
        let count = storedSubscriptions.count + storedFeatures.count
        storedSubscriptions.removeAll { $0.peer == peer }
        storedFeatures.removeAll { $0.peer == peer }
        if storedSubscriptions.count + storedFeatures.count != count { perform(.subscriptionsStored) }
    }

    // MARK: Keeping

    /// Keeps the configuration of a bonded client as it is now. False when there is no room.
    @discardableResult
    func keepSubscription(_ slot: Int, of connection: GATTServerConnection) -> Bool {
        guard let peer = connection.bondedPeer else { return true }
        let handle = database.configurable[slot].valueHandle
        let flags = connection.configurations[slot].flags
        let place = storedSubscriptions.firstIndex { $0.peer == peer && $0.valueHandle == handle }
        let stored = StoredSubscription(peer: peer, valueHandle: handle, flags: flags, hasChanged: false)
        switch (place, flags) {
        case (let place?, 0): storedSubscriptions.remove(at: place)
        case (nil, 0): return true
        case (let place?, _):
            guard storedSubscriptions[place] != stored else { return true }
            storedSubscriptions[place] = stored
        case (nil, _):
            if storedSubscriptions.count >= maximumStoredSubscriptions {
                guard storedSubscriptions.contains(where: { $0.peer != peer }) else { return false }
                perform(.subscriptionsOverflowed(except: peer))
            }
            storedSubscriptions.append(stored)
        }
        perform(.subscriptionsStored)
        return true
    }

    func keepFeatures(of connection: GATTServerConnection) {
        guard let peer = connection.bondedPeer else { return }
        let stored = StoredFeatures(peer: peer, features: connection.supportedFeatures)
        if let place = storedFeatures.firstIndex(where: { $0.peer == peer }) {
            guard storedFeatures[place] != stored else { return }
            storedFeatures[place] = stored
        } else {
            storedFeatures.append(stored)
        }
        perform(.subscriptionsStored)
    }

    /// A value was notified. NimBLE means to note this for clients that are away, but looks for their connection under
    /// the wrong address, so that it notes it for all: who encrypts again gets the last value once more.
    func noteChange(of valueHandle: UInt16) {
        for place in storedSubscriptions.indices
        where storedSubscriptions[place].valueHandle == valueHandle && !storedSubscriptions[place].hasChanged {
            storedSubscriptions[place].hasChanged = true
            perform(.subscriptionsStored)
        }
    }

    // MARK: Restoring

    func restore(_ stored: StoredSubscription, on connection: GATTServerConnection) {
        guard connection.isOpen, let slot = slot(of: stored.valueHandle) else { return }
        connection.configurations[slot].flags = stored.flags
        reportSubscription(slot, stored.flags & 3, of: connection, then: .none)
    }

    func sendRestored(_ stored: StoredSubscription, on connection: GATTServerConnection, _ now: MonotonicInstant) {
        guard connection.isOpen, let slot = slot(of: stored.valueHandle) else { return }
        let bits = stored.flags & 3
        guard bits != 0 else { return }
        let isIndication = bits & 1 == 0
        guard !isIndication || connection.indicatedHandle == 0 else {
            connection.configurations[slot].flags |= GATTServerConnection.Configuration.modified
            return
        }
        let status = transmit(nil, of: stored.valueHandle, isIndication: isIndication, to: connection, now)
        if !isIndication, status == .success { keepSubscription(slot, of: connection) }
    }

    private func slot(of valueHandle: UInt16) -> Int? {
        index(valueHandle).flatMap { attributes[$0].configurationSlot }
    }
}
