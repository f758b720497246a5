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
    var events = Broadcast<CentralEvent>()

    private struct Listener {
        let attribute: AttributeID
        let kind: Subscription
        let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
    }

    private var listeners: [Int: Listener] = [:]
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
        listeners[number] = Listener(attribute: attribute, kind: kind, continuation: continuation)
    }

    func remove(_ number: Int) { listeners[number] = nil }

    /// How the values of a characteristic are listened to: as the newest listener wants it.
    func subscription(of attribute: AttributeID) -> Subscription {
        listeners.filter { $0.value.attribute == attribute }.max { $0.key < $1.key }?.value.kind ?? .none
    }

    func receive(_ value: [UInt8], of attribute: AttributeID) {
        for number in listeners.keys.sorted() {
            if let listener = listeners[number], listener.attribute == attribute { listener.continuation.yield(value) }
        }
    }

    /// Ends all streams.
    func finish(_ error: CentralError) {
        let all = listeners.keys.sorted().compactMap { listeners[$0] }
        listeners = [:]
        for listener in all { listener.continuation.finish(throwing: isEndWanted ? nil : error) }
        events.finish()
    }
}
