public import BLECentral
public import BLECore
import PrivateFile

/// A change of a central's peripherals, subscriptions or operations.
package enum RestorationEntry: Sendable, Hashable {
    /// Connected; the peer's name, if known.
    case connected(PeerID, name: String?)
    /// The security of the connection has changed; the peer's identity may now be known.
    case secured(PeerID)
    /// The connection to the peer is no longer wanted.
    case disconnected(PeerID)
    /// The subscription to a characteristic has changed; `none`: it has ended.
    case subscribed(PeerID, CharacteristicPath, Subscription)
    /// An operation begins.
    case began(Int, PeerID, CentralOperation)
    /// An operation has ended, successfully or not.
    case ended(Int)
}

/// The state that a restoring central keeps: a pure state machine, changed by each ``RestorationEntry``.
package struct RestorationState {
    /// Limit of kept peripherals; beyond it, those with the oldest connections are forgotten.
    package static let peripheralLimit = 64
    /// Limit of kept subscriptions per peripheral, and of kept operations; beyond it, the oldest are dropped.
    package static let entryLimit = 128
    /// Limit of the value of a kept operation, in bytes: the maximum of an attribute (Core 5.4, Vol 3 Part F 3.2.9).
    static let valueLimit = 512
    /// Limit of a kept name, in bytes.
    static let nameLimit = 255

    /// The urgency of storing a change.
    package enum Change {
        /// Nothing has changed.
        case none
        /// Store soon: if the change is lost, an ended operation appears unfinished.
        case soon
        /// Store before any other action.
        case now
    }

    /// The peripherals, the last connected one at the end.
    package private(set) var peripherals: [RestorablePeripheral]
    /// The operations in progress, with their peers.
    private var running: [Int: (peer: PeerID, operation: CentralOperation)] = [:]

    package init(_ peripherals: [RestorablePeripheral] = []) {
        self.peripherals = peripherals
    }

    package mutating func apply(_ entry: RestorationEntry) -> Change {
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
        // The unfinished operations of earlier connections were already reported.
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
        // The identity may already have a record, from a connection at another address.
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
            // A command has no response, so it cannot be unfinished.
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

/// The result of restoring a peripheral that a central had before it ended.
public enum Restoration: Sendable {
    /// Connected, with the subscriptions that could be restored.
    case connected(RestoredPeripheral)
    /// Restoring failed; the record is kept for the next attempt.
    case failed(RestorablePeripheral, CentralError)
}

/// A restored peripheral.
public struct RestoredPeripheral: Sendable {
    /// The peripheral.
    public let peripheral: Peripheral
    /// The kept record, with the unfinished operations.
    public let record: RestorablePeripheral
    /// The restored subscriptions.
    public var subscriptions: [RestoredSubscription] = []
    /// The subscriptions that failed, e.g. because the peripheral's services have changed; they are still kept.
    public var failures: [CharacteristicPath: CentralError] = [:]
}

/// A subscription that was made again. It ends when ``values`` is no longer referenced.
public struct RestoredSubscription: Sendable {
    /// The path of the characteristic.
    public let path: CharacteristicPath
    /// The characteristic in the present connection.
    public let characteristic: Characteristic
    /// The values that the peripheral sends, see ``Characteristic/values(_:)``.
    public let values: AsyncThrowingStream<[UInt8], any Error>
}

/// An error of storing or reading a central's state.
public struct RestorationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// The identifier is invalid.
        case invalidIdentifier
        /// A central with this identifier exists already, in this process or another one.
        case inUse
        /// The file is damaged, or of another format. It is not changed.
        case damaged
        /// The folder or the file could not be used.
        case storage
    }

    /// The kind of error.
    public var code: Code
    /// The failure, with what was expected, what was found, and where; one line.
    public var detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    init(_ error: PrivateFileError) {
        self.init(.storage, error.description("what a central keeps"))
    }

    /// The detail.
    public var description: String { detail }
}

/// The record of a peripheral, for a restarted central.
public struct RestorablePeripheral: Hashable, Sendable {
    /// A subscription.
    public struct SubscribedCharacteristic: Hashable, Sendable {
        /// The characteristic.
        public var path: CharacteristicPath
        /// Notifications or indications.
        public var kind: Subscription

        /// A subscription.
        public init(_ path: CharacteristicPath, _ kind: Subscription) {
            self.path = path
            self.kind = kind
        }
    }

    /// The peer, as last connected.
    public var peer: PeerID
    /// The peer's identity, if ``peer`` is a private address of a bonded peer.
    public var identity: PeerID?
    /// The peer's name, if known.
    public var name: String?
    /// The subscriptions, oldest first.
    public var subscriptions: [SubscribedCharacteristic] = []
    /// Reads, and writes with a response, that were begun and have not ended; the peripheral may have executed them.
    public var unfinished: [CentralOperation] = []

    /// A peripheral without subscriptions.
    public init(_ peer: PeerID, identity: PeerID? = nil, name: String? = nil) {
        self.peer = peer
        self.identity = identity
        self.name = name
    }

    /// True if this is the record of `other`.
    func isKept(of other: PeerID) -> Bool { peer == other || identity == other }
}

/// A read or write of a characteristic.
public struct CentralOperation: Sendable, Hashable {
    /// Its kind.
    public enum Kind: Sendable, Hashable {
        /// A read of the characteristic's value.
        case read
        /// A write of this value.
        case write([UInt8], WriteKind)
    }

    /// The characteristic.
    public var path: CharacteristicPath
    /// Its kind.
    public var kind: Kind

    /// An operation.
    public init(_ kind: Kind, _ path: CharacteristicPath) {
        self.kind = kind
        self.path = path
    }

    /// The operation of a request; `nil` if the request neither reads nor writes a characteristic.
    init?(_ request: CentralRequest, path: (AttributeID) -> CharacteristicPath?) {
        let (attribute, kind): (AttributeID, Kind)
        switch request {
        case .read(let value): (attribute, kind) = (value, .read)
        case .write(let value, let bytes, let way): (attribute, kind) = (value, .write(bytes, way))
        default: return nil
        }
        guard let path = path(attribute) else { return nil }
        self.init(kind, path)
    }
}
