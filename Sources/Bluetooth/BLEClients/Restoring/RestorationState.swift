package import BLECentral
import BLECore

/// What a restoring central keeps: a pure state machine, which the central's journal changes.
package struct RestorationState {
    /// The most peripherals that are kept; of more, those connected longest ago are forgotten.
    package static let peripheralLimit = 64
    /// The most subscriptions of a peripheral that are kept, and the most operations; of more, the oldest are not.
    package static let entryLimit = 128
    /// The longest value of an operation that is kept, in bytes: that of an attribute (Core 5.4, Vol 3 Part F 3.2.9).
    static let valueLimit = 512
    /// The longest name that is kept, in bytes.
    static let nameLimit = 255

    /// How a change has to be stored.
    package enum Change {
        /// Nothing has changed.
        case none
        /// Soon: if it is lost, an operation seems not to have ended.
        case soon
        /// Before anything else happens.
        case now
    }

    /// The peripherals, the one connected last at the end.
    package private(set) var peripherals: [RestorablePeripheral]
    /// The operations that run, and whose they are.
    private var running: [Int: (peer: PeerID, operation: CentralOperation)] = [:]

    package init(_ peripherals: [RestorablePeripheral] = []) {
        self.peripherals = peripherals
    }

    package mutating func apply(_ entry: CentralJournalEntry) -> Change {
        switch entry {
        case .connected(let peer, let name): return connected(peer, name)
        case .secured: return .none
        case .disconnected(let peer): return forget(peer)
        case .subscribed(let peer, let path, let kind): return subscribed(peer, path, kind)
        case .began(let number, let peer, let operation): return began(number, peer, operation)
        case .ended(let number): return ended(number)
        }
    }

    private mutating func connected(_ peer: PeerID, _ name: String?) -> Change {
        var kept = RestorablePeripheral(peer)
        if let index = index(of: peer) { kept = peripherals.remove(at: index) }
        kept.peer = peer
        // Those of an earlier connection have been told.
        kept.unfinished = []
        if let name, !name.isEmpty, name.utf8.count <= Self.nameLimit { kept.name = name }
        if peripherals.count == Self.peripheralLimit { peripherals.removeFirst() }
        peripherals.append(kept)
        return .now
    }

    /// The identity of a peer has become known.
    package mutating func identify(_ peer: PeerID, _ identity: PeerID) -> Change {
        guard identity != peer, let index = index(of: peer), peripherals[index].identity != identity else {
            return .none
        }
        peripherals[index].identity = identity
        // It had been connected to at another address.
        peripherals = peripherals.enumerated().filter { $0 == index || !$1.isKept(of: identity) }.map(\.element)
        return .now
    }

    mutating func forget(_ peer: PeerID) -> Change {
        guard let index = index(of: peer) else { return .none }
        peripherals.remove(at: index)
        return .now
    }

    private mutating func subscribed(_ peer: PeerID, _ path: CharacteristicPath, _ kind: Subscription) -> Change {
        guard let index = index(of: peer) else { return .none }
        var all = peripherals[index].subscriptions
        if let known = all.firstIndex(where: { $0.path == path }) {
            if kind == .none { all.remove(at: known) } else { all[known].kind = kind }
        } else if kind != .none {
            if all.count == Self.entryLimit { all.removeFirst() }
            all.append(RestorablePeripheral.SubscribedCharacteristic(path, kind))
        }
        guard all != peripherals[index].subscriptions else { return .none }
        peripherals[index].subscriptions = all
        return .now
    }

    private mutating func began(_ number: Int, _ peer: PeerID, _ operation: CentralOperation) -> Change {
        guard let index = index(of: peer) else { return .none }
        if case .write(let value, let kind) = operation.kind {
            // A command has no answer, so nobody waits for it.
            guard kind != .withoutResponse, value.count <= Self.valueLimit else { return .none }
        }
        if peripherals[index].unfinished.count == Self.entryLimit { peripherals[index].unfinished.removeFirst() }
        peripherals[index].unfinished.append(operation)
        running[number] = (peer, operation)
        return .now
    }

    private mutating func ended(_ number: Int) -> Change {
        guard let (peer, operation) = running.removeValue(forKey: number), let index = index(of: peer),
            let place = peripherals[index].unfinished.firstIndex(of: operation)
        else { return .none }
        peripherals[index].unfinished.remove(at: place)
        return .soon
    }

    private func index(of peer: PeerID) -> Int? { peripherals.firstIndex { $0.isKept(of: peer) } }
}
