public import BLECore
internal import BLEPackets
public import MonotonicTime

/// The result of deleting a bond. The numbers are NimBLE's return codes (`BLE_HS_E…`), which a client receives as ATT
/// error codes if its record could not be stored.
public enum UnpairingResult: UInt8, Hashable, Sendable {
    /// The bond was deleted.
    case done = 0
    /// There is no such bond.
    case notBonded = 5
    /// No bond exists except the excluded one.
    case noOtherBond = 6
    /// The peer has an identity key, and the host advertises or scans: the bond stays.
    case busy = 15
}

extension Host {
    /// The bonds, oldest first.
    public var bonds: [Bond] { storedBonds }

    /// Sets the bonds that the owner has stored, oldest first; keeps only the latest ``maximumBonds``.
    public func setBonds(_ bonds: [Bond]) {
        storedBonds = Array(bonds.suffix(maximumBonds))
        bondsReplaced()
    }

    /// Deletes a peer's bond, and disconnects the peer, bonded or not (`ble_gap_unpair`). NimBLE disconnects the peer
    /// even if the bond then cannot be deleted.
    @discardableResult
    public func removeBond(of peer: DeviceAddress, now: MonotonicInstant) -> UnpairingResult {
        defer { flush(now) }
        return unpair(peer)
    }

    /// Deletes all bonds, and disconnects the peers.
    public func removeAllBonds(now: MonotonicInstant) {
        for bond in storedBonds { _ = unpair(bond.peer) }
        flush(now)
    }

    /// Deletes the oldest bond, excluding that of `peer`, and disconnects the peer of the deleted bond. NimBLE does so
    /// when its store of subscriptions or of supported features overflows (`ble_gap_unpair_oldest_except`).
    public func removeOldestBond(except peer: DeviceAddress, now: MonotonicInstant) -> UnpairingResult {
        guard !storedBonds.isEmpty else { return .notBonded }
        guard let oldest = storedBonds.first(where: { $0.peer != peer }) else { return .noOtherBond }
        defer { flush(now) }
        return unpair(oldest.peer)
    }

    private func unpair(_ peer: DeviceAddress) -> UnpairingResult {
        if configuration.unpairsAsNimBLE {
            for link in links where link.info.identity == peer || link.info.peer == peer {
                disconnect(link, .remoteUserTerminatedConnection)
            }
        }
        guard let bond = storedBonds.first(where: { $0.peer == peer }) else { return .notBonded }
        if configuration.unpairsAsNimBLE, bond.peerIRK != nil, isAdvertising || scanning != .off { return .busy }
        resolvingList.removeAll { $0 == peer }
        forgetBond(of: peer)
        return .done
    }

    /// The bond with the peer of a link.
    func bond(of link: Link) -> Bond? {
        storedBonds.first { $0.peer == link.info.identity }
    }

    func forgetBond(of peer: DeviceAddress) {
        let count = storedBonds.count
        storedBonds.removeAll { $0.peer == peer }
        guard storedBonds.count != count else { return }
        emit(.bondRemoved(peer))
        bondsReplaced()
    }

    /// Stores a new bond: in place of an older bond with the same peer, otherwise as the latest. At the capacity it
    /// replaces the oldest bond, like NimBLE-Arduino's `ble_store_util_status_rr`. If the oldest bond cannot be
    /// deleted, the new bond is not stored, without an error: the connection is still reported as bonded.
    func store(_ bond: Bond, of link: Link) {
        if let place = storedBonds.firstIndex(where: { $0.peer == bond.peer }) {
            storedBonds[place] = bond
        } else if makeSpaceForBond() {
            storedBonds.append(bond)
        }
        link.info.identity = bond.peer
        link.manager.peerIdentity = bond.peer
        // NimBLE reports a distributed identity only if the peer uses a private address, and then each time
        // (`identity_ev` in `ble_sm_persist_keys`).
        if bond.peerIRK != nil, link.info.peer.isResolvablePrivate {
            emit(.identityResolved(link.info.handle, bond.peer))
        }
        if bond.peerIRK != nil, !resolvingList.contains(bond.peer), resolvingList.count < maximumBonds {
            resolvingList.append(bond.peer)
            drawPrivateAddressSeeds(configuration.seedsPerBond)
        }
        bondsReplaced()
    }

    /// Deletes the oldest bonds until there is space for one more; returns false if that fails.
    private func makeSpaceForBond() -> Bool {
        while storedBonds.count >= maximumBonds, let oldest = storedBonds.first {
            guard unpair(oldest.peer) == .done else { return false }
        }
        return true
    }

    private func bondsReplaced() {
        resolved.removeAll(keepingCapacity: true)
        emit(.bondsChanged)
        // ATT errors depend on whether a key is stored.
        for link in links { emit(.securityChanged(link.info.handle)) }
    }
}
