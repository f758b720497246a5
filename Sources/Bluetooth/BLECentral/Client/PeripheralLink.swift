import BLECore
public import MonotonicTime

/// A value in a notification or indication of a peer.
public struct ReceivedValue: Hashable, Sendable {
    /// The characteristic's value.
    public var attribute: AttributeID
    /// The value.
    public var value: [UInt8]
    /// True if it was indicated; false if notified.
    public var isIndication: Bool
    /// When it was received.
    public var time: MonotonicInstant
}

/// A connection, and the listeners to its values and events.
final class PeripheralLink {
    let peer: PeerID
    let connection: ConnectionID
    /// The ATT MTU, in bytes; 23 until another is known.
    var mtu = 23
    /// True if this central has disconnected.
    var isEndWanted = false
    /// The discovered services; discovered once.
    var services: Task<Result<[DiscoveredService], CentralError>, Never>?
    /// The services that were discovered last.
    var discovered: [DiscoveredService] = [] {
        didSet {
            isDiscovered = true
            serviceChanged =
                discovered.lazy.flatMap(\.characteristics).first { $0.uuid == BLEUUID(0x2A05) }?.value
        }
    }
    private var isDiscovered = false
    /// The peripheral's Service Changed (Core 5.4, Vol 3 Part G 7.1).
    private var serviceChanged: AttributeID?
    var events = Broadcast<CentralEvent>()

    struct Listener {
        let number: Int
        /// `nil`: all attributes.
        let attribute: AttributeID?
        let kind: Subscription
        /// Returns whether a value was dropped.
        let yield: (ReceivedValue) -> Bool
        let finish: ((any Error)?) -> Void

        func hears(_ value: ReceivedValue) -> Bool { attribute == nil || attribute == value.attribute }
    }

    /// In the order of their numbers.
    private var listeners: [Listener] = []
    /// Values from before the first discovery, when listeners to a characteristic were impossible; a bonded peer may
    /// send values at once.
    private var held: [ReceivedValue] = []
    /// The subscriptions that the peripheral has confirmed.
    var confirmed: [AttributeID: Subscription] = [:]
    /// The last change of a subscription.
    var subscriptionUpdate: Task<CentralError?, Never>?

    init(_ peer: PeerID, _ connection: ConnectionID) {
        self.peer = peer
        self.connection = connection
    }

    /// Adds a listener and passes it the held values; returns the number of dropped values.
    func add(_ listener: Listener) -> Int {
        listeners.append(listener)
        let due = held.filter(listener.hears)
        held.removeAll(where: listener.hears)
        return due.count(where: listener.yield)
    }

    func remove(_ number: Int) { listeners.removeAll { $0.number == number } }

    /// The subscription for the listeners of a characteristic: that of the newest listener.
    func subscription(of attribute: AttributeID) -> Subscription {
        listeners.last { $0.attribute == attribute }?.kind ?? .none
    }

    /// Passes a value to its listeners, or holds it; returns the number of dropped values.
    func receive(_ value: ReceivedValue) -> Int {
        // The discovered services are no longer valid.
        if value.attribute == serviceChanged { services = nil }
        let hearing = listeners.filter { $0.hears(value) }
        guard hearing.isEmpty, !isDiscovered else { return hearing.count { $0.yield(value) } }
        held.append(value)
        guard held.count > CentralEventQueue.heldEventLimit else { return 0 }
        held.removeFirst()
        return 1
    }

    /// Ends all streams.
    func finish(_ error: CentralError) {
        let all = listeners
        listeners = []
        for listener in all { listener.finish(isEndWanted ? nil : error) }
        events.finish()
    }
}

/// The end of a connection.
public struct Disconnection: Hashable, Sendable {
    /// The peer.
    public var peer: PeerID
    /// The connection.
    public var connection: ConnectionID
    /// The HCI error code (Core 5.4, Vol 1 Part F 1.3), e.g. 0x08 for a link that was lost; `nil` if it is not known.
    public var reason: UInt8?
    /// True if this central requested it: ``Peripheral/disconnect()``, ``Central/close()``.
    public var isPurposeful: Bool

    /// An end.
    public init(peer: PeerID, connection: ConnectionID, reason: UInt8?, isPurposeful: Bool) {
        self.peer = peer
        self.connection = connection
        self.reason = reason
        self.isPurposeful = isPurposeful
    }
}

/// The state of the connection to a peer.
public enum ConnectionState: Hashable, Sendable {
    /// Not connected.
    case disconnected
    /// An attempt to connect is running.
    case connecting
    /// Connected.
    case connected
}
