public import BLECore
import BLEPackets
public import MonotonicTime

/// How it ended that a bond was to be forgotten. The numbers are NimBLE's return codes (`BLE_HS_E…`), which as ATT error
/// codes reach the client whose record found no room.
public enum UnpairingResult: UInt8, Hashable, Sendable {
    /// The bond is forgotten.
    case done = 0
    /// There is no such bond, or none at all.
    case notBonded = 5
    /// There is no bond but the one to be spared.
    case noOtherBond = 6
    /// The peer has an identity key, and the host advertises or scans: the bond stays.
    case busy = 15
}

extension Host {
    /// The peers whose keys are kept, oldest first.
    public var bonds: [Bond] { keptBonds }

    /// Puts in place what the owner has kept; oldest first. Of more than ``maximumBonds``
    /// the latest count.
    public func setBonds(_ bonds: [Bond]) {
        keptBonds = Array(bonds.suffix(maximumBonds))
        bondsReplaced()
    }

    /// Forgets a peer, and disconnects it, bonded or not (`ble_gap_unpair`). NimBLE disconnects before it finds out that
    /// the bond cannot be forgotten now.
    @discardableResult
    public func removeBond(of peer: DeviceAddress, now: MonotonicInstant) -> UnpairingResult {
        defer { flush(now) }
        return unpair(peer)
    }

    /// Forgets every peer, and disconnects them.
    public func removeAllBonds(now: MonotonicInstant) {
        for bond in keptBonds { _ = unpair(bond.peer) }
        flush(now)
    }

    /// Forgets the peer bonded longest ago, but not `peer`, and disconnects it: NimBLE does so when its store of
    /// subscriptions or of supported features overflows (`ble_gap_unpair_oldest_except`).
    public func removeOldestBond(except peer: DeviceAddress, now: MonotonicInstant) -> UnpairingResult {
        guard !keptBonds.isEmpty else { return .notBonded }
        guard let oldest = keptBonds.first(where: { $0.peer != peer }) else { return .noOtherBond }
        defer { flush(now) }
        return unpair(oldest.peer)
    }

    private func unpair(_ peer: DeviceAddress) -> UnpairingResult {
        if configuration.unpairsAsNimBLE {
            for link in links where link.info.identity == peer || link.info.peer == peer {
                disconnect(link, .remoteUserTerminatedConnection)
            }
        }
        guard let bond = keptBonds.first(where: { $0.peer == peer }) else { return .notBonded }
        if configuration.unpairsAsNimBLE, bond.peerIRK != nil, isAdvertising || scanning != .off { return .busy }
        resolvingList.removeAll { $0 == peer }
        forgetBond(of: peer)
        return .done
    }

    /// The bond with the peer of a link.
    func bond(of link: Link) -> Bond? {
        keptBonds.first { $0.peer == link.info.identity }
    }

    func forgetBond(of peer: DeviceAddress) {
        let count = keptBonds.count
        keptBonds.removeAll { $0.peer == peer }
        guard keptBonds.count != count else { return }
        emit(.bondRemoved(peer))
        bondsReplaced()
    }

    /// Keeps a new bond: in the place of an older one with the same peer, or else as the latest; one too many costs the
    /// oldest, as NimBLE-Arduino's `ble_store_util_status_rr` has it. Where that one cannot be forgotten, the new one is
    /// not kept, and nobody is told: the connection counts as bonded all the same.
    func keep(_ bond: Bond, of link: Link) {
        if let place = keptBonds.firstIndex(where: { $0.peer == bond.peer }) {
            keptBonds[place] = bond
        } else if makeRoomForBond() {
            keptBonds.append(bond)
        }
        if link.info.identity != bond.peer {
            link.info.identity = bond.peer
            emit(.identityResolved(link.info.handle, bond.peer))
        }
        if bond.peerIRK != nil, !resolvingList.contains(bond.peer), resolvingList.count < maximumBonds {
            resolvingList.append(bond.peer)
            drawPrivateAddressSeeds(configuration.seedsPerBond)
        }
        bondsReplaced()
    }

    /// Forgets the oldest bonds until there is room for one more; returns whether there is.
    private func makeRoomForBond() -> Bool {
        while keptBonds.count >= maximumBonds, let oldest = keptBonds.first {
            guard unpair(oldest.peer) == .done else { return false }
        }
        return true
    }

    private func bondsReplaced() {
        resolved.removeAll(keepingCapacity: true)
        emit(.bondsChanged)
        // Whether a key is stored decides over ATT errors.
        for link in links { emit(.securityChanged(link.info.handle)) }
    }
}
