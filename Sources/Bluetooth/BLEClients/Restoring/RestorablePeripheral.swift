public import BLECentral
public import BLECore

/// What is kept of a peripheral, for a central that begins anew.
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
    /// What was subscribed, in the order of the subscriptions.
    public var subscriptions: [SubscribedCharacteristic] = []
    /// Reads, and writes with a response, that had begun and not ended: they may have been executed or not.
    public var unfinished: [CentralOperation] = []

    /// A peripheral without subscriptions.
    public init(_ peer: PeerID, identity: PeerID? = nil, name: String? = nil) {
        self.peer = peer
        self.identity = identity
        self.name = name
    }

    /// Whether this is what is kept of `other`.
    func isKept(of other: PeerID) -> Bool { peer == other || identity == other }
}
