import BLECore

/// A connection, and who listens to it.
final class PeripheralLink {
    let peer: PeerID
    let connection: ConnectionID
    /// The ATT MTU, in bytes; 23 until another is known.
    var mtu = 23
    /// Whether this central ends it.
    var isEndWanted = false
    /// What was discovered; discovered once.
    var services: Task<Result<[DiscoveredService], CentralError>, Never>?
    /// The services that were discovered last.
    var discovered: [DiscoveredService] = [] {
        didSet {
            serviceChanged =
                discovered.lazy.flatMap(\.characteristics).first { $0.uuid == BLEUUID(0x2A05) }?.value
        }
    }
    /// The peripheral's Service Changed (Core 5.4, Vol 3 Part G 7.1).
    private var serviceChanged: AttributeID?
    var events = Broadcast<CentralEvent>()

    private struct Listener {
        let number: Int
        let attribute: AttributeID
        let kind: Subscription
        let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
    }

    /// In the order of their numbers.
    private var listeners: [Listener] = []
    /// The subscriptions that the peripheral has confirmed.
    var confirmed: [AttributeID: Subscription] = [:]
    /// The last change of a subscription.
    var subscriptionUpdate: Task<CentralError?, Never>?

    init(_ peer: PeerID, _ connection: ConnectionID) {
        self.peer = peer
        self.connection = connection
    }

    func add(
        _ number: Int, _ attribute: AttributeID, _ kind: Subscription,
        _ continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
    ) {
        listeners.append(Listener(number: number, attribute: attribute, kind: kind, continuation: continuation))
    }

    func remove(_ number: Int) { listeners.removeAll { $0.number == number } }

    /// How the values of a characteristic are listened to: as the newest listener wants it.
    func subscription(of attribute: AttributeID) -> Subscription {
        listeners.last { $0.attribute == attribute }?.kind ?? .none
    }

    func receive(_ value: [UInt8], of attribute: AttributeID) {
        // What was discovered is not so any more.
        if attribute == serviceChanged { services = nil }
        for listener in listeners where listener.attribute == attribute { listener.continuation.yield(value) }
    }

    /// Ends all streams.
    func finish(_ error: CentralError) {
        let all = listeners
        listeners = []
        for listener in all { listener.continuation.finish(throwing: isEndWanted ? nil : error) }
        events.finish()
    }
}
