public import BLECentral
public import BLECore
import PrivateFile

/// A change of what a central has.
package enum RestorationEntry: Sendable, Hashable {
    /// There is a connection; the peer's name, if it is known.
    case connected(PeerID, name: String?)
    /// The security of the connection has changed: the peer's identity may be known now.
    case secured(PeerID)
    /// The connection to the peer is no longer wanted.
    case disconnected(PeerID)
    /// A characteristic's subscription.
    case subscribed(PeerID, CharacteristicPath, Subscription)
    /// An operation begins.
    case began(Int, PeerID, CentralOperation)
    /// An operation has ended, successfully or not.
    case ended(Int)
}

/// The state that a restoring central keeps: a pure state machine, which the central's observations change.
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
    /// The operations that run, with their peers.
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
        // Unfinished operations of an earlier connection have been reported.
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

/// The result of restoring a peripheral that a central had before it ended.
public enum Restoration: Sendable {
    /// It is connected, with the subscriptions that could be restored.
    case connected(RestoredPeripheral)
    /// It could not be restored; it is still kept, for the next time.
    case failed(RestorablePeripheral, CentralError)
}

/// A peripheral that was taken up again.
public struct RestoredPeripheral: Sendable {
    /// The peripheral.
    public let peripheral: Peripheral
    /// The kept record, with the operations that had not ended.
    public let record: RestorablePeripheral
    /// The restored subscriptions.
    public var subscriptions: [RestoredSubscription] = []
    /// The subscriptions that failed, e.g. since the peripheral has other services now; they are still kept.
    public var failures: [CharacteristicPath: CentralError] = [:]
}

/// A subscription that was made again. It ends when its values are no longer referenced.
public struct RestoredSubscription: Sendable {
    /// Which characteristic.
    public let path: CharacteristicPath
    /// The characteristic, of this connection.
    public let characteristic: Characteristic
    /// The values that the peripheral sends, as of ``Characteristic/values(_:)``.
    public let values: AsyncThrowingStream<[UInt8], any Error>
}

/// Why what a central had could not be kept, or not be read.
public struct RestorationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// The identifier is not valid.
        case invalidIdentifier
        /// A central with this identifier lives, in this process or another one.
        case inUse
        /// The file has another format, or is damaged. It is left as it is.
        case damaged
        /// The folder or the file could not be used.
        case storage
    }

    /// The kind of fault.
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
        /// To which characteristic.
        public var path: CharacteristicPath
        /// Notifications or indications.
        public var kind: Subscription

        /// A subscription.
        public init(_ path: CharacteristicPath, _ kind: Subscription) {
            self.path = path
            self.kind = kind
        }
    }

    /// The peer, as it was connected last.
    public var peer: PeerID
    /// Its identity, if ``peer`` is a private address of a bonded peer.
    public var identity: PeerID?
    /// Its name, if it was heard.
    public var name: String?
    /// The subscriptions, oldest first.
    public var subscriptions: [SubscribedCharacteristic] = []
    /// Reads, and writes with a response, that had begun and not ended: they may have been executed or not.
    public var unfinished: [CentralOperation] = []

    /// A peripheral without subscriptions.
    public init(_ peer: PeerID, identity: PeerID? = nil, name: String? = nil) {
        self.peer = peer
        self.identity = identity
        self.name = name
    }

    /// True if this is what is kept of `other`.
    func isKept(of other: PeerID) -> Bool { peer == other || identity == other }
}

/// A read or write of a characteristic.
public struct CentralOperation: Sendable, Hashable {
    /// Its kind.
    public enum Kind: Sendable, Hashable {
        /// Its value is read.
        case read
        /// The value is written.
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

    /// The operation of a request; `nil` if that neither reads nor writes a characteristic.
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
