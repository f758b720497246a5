public import BLECore
import BLEPackets
public import MonotonicTime

extension Host {
    /// The peers whose keys are kept, oldest first.
    public var bonds: [Bond] { keptBonds }

    /// Puts in place what the owner has kept; oldest first. Of more than ``maximumBonds``
    /// the latest count.
    public func setBonds(_ bonds: [Bond]) {
        keptBonds = Array(bonds.suffix(maximumBonds))
        bondsReplaced()
    }

    /// Forgets a peer, and disconnects it, as NimBLE does (`ble_gap_unpair`). Does nothing when it is not bonded.
    public func removeBond(of peer: DeviceAddress, now: MonotonicInstant) {
        unpair(peer)
        flush(now)
    }

    /// Forgets every peer, and disconnects them.
    public func removeAllBonds(now: MonotonicInstant) {
        for bond in keptBonds { unpair(bond.peer) }
        flush(now)
    }

    /// Forgets the peer bonded longest ago, but not `peer`, and disconnects it: NimBLE does so when its store of
    /// subscriptions overflows. Says whether there was one.
    public func removeOldestBond(except peer: DeviceAddress, now: MonotonicInstant) -> Bool {
        guard let oldest = keptBonds.first(where: { $0.peer != peer }) else { return false }
        unpair(oldest.peer)
        flush(now)
        return true
    }

    private func unpair(_ peer: DeviceAddress) {
        if configuration.unpairingDisconnects {
            for link in links where link.info.identity == peer { disconnect(link, .remoteUserTerminatedConnection) }
        }
        resolvingList.removeAll { $0 == peer }
        forgetBond(of: peer)
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
    /// oldest, as NimBLE-Arduino's `ble_store_util_status_rr` has it.
    func keep(_ bond: Bond, of link: Link) {
        if let place = keptBonds.firstIndex(where: { $0.peer == bond.peer }) {
            keptBonds[place] = bond
        } else {
            while keptBonds.count >= maximumBonds, let oldest = keptBonds.first { unpair(oldest.peer) }
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

    private func bondsReplaced() {
        resolved.removeAll(keepingCapacity: true)
        emit(.bondsChanged)
        // Whether a key is stored decides over ATT errors.
        for link in links { emit(.securityChanged(link.info.handle)) }
    }
}
