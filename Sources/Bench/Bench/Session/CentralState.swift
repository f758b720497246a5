import BLECentral
public import BLECore
import BenchModel

/// Names a central of a session.
public struct CentralID: Hashable, Sendable {
    let index: Int
}

/// A central as a suite or a test describes it.
public struct CentralDescription: Hashable, Sendable {
    /// Where its identity address comes from.
    public enum Address: Hashable, Sendable {
        /// It has its own.
        case own
        /// This static random address.
        case fixed(DeviceAddress)
        /// It is another central at each connection, with an address of its own.
        case new
        /// It has the address of another central: a clone. By that central's place in the list of descriptions.
        case of(Int)
    }

    /// Its name, which its events carry.
    public var name: String
    /// Its identity address.
    public var address: Address
    /// Whether it shows resolvable private addresses in place of its identity address.
    public var usesPrivacy: Bool

    /// A central.
    public init(name: String, address: Address = .own, usesPrivacy: Bool = false) {
        self.name = name
        self.address = address
        self.usesPrivacy = usesPrivacy
    }
}

extension CentralDescription {
    /// What a bench must be able to do for it.
    public var needs: Set<BenchAbility> {
        var needs: Set<BenchAbility> = address == .own ? [] : [.centralAddresses]
        if usesPrivacy { needs.insert(.central(.privacy)) }
        return needs
    }
}

/// A link of a central.
struct CentralLink {
    let peripheral: Peripheral
    let connection: ConnectionID
    var central: Central { peripheral.central }
}

/// A central of a session, with its link if it has one.
struct CentralState {
    let description: CentralDescription
    /// Whether its bonds could not be deleted, so that its stack may still have some when it is made.
    var mustForgetBonds = false
    /// Its session with its stack, from its first use on.
    var central: Central?
    /// Which of the session's stacks that is, counted from 1: events of a former one are not the central's any more.
    var stack = 0
    /// Its identity address, where its stack tells it.
    var identity: DeviceAddress?
    /// Peers whose bonds are not the bench's.
    var foreignBonds: Set<DeviceAddress> = []
    var link: CentralLink?
    var services: [DiscoveredService] = []
    /// Whether ``services`` were discovered on this link; else on an earlier one.
    var isDiscovered = false
    /// The characteristics' values by UUID, on this link.
    var attributes: [BLEUUID: AttributeID] = [:]
    /// What events call the attributes.
    var eventAttributes: [AttributeID: EventAttribute] = [:]
    /// Values of attributes that are not known before the discovery in progress ends; `nil`: none is in progress.
    var valuesBeforeDiscovery: [CentralEvent]?
    /// What was subscribed to, on this link.
    var subscriptions: [AttributeID: Subscription] = [:]
    /// How the last link ended, when nobody of the bench has asked for that.
    var lostLink: String?
    /// Whether the session has asked for the link's end, so that the end is no event to expect.
    var isDisconnecting = false

    /// Begins a link with what a discovery found: on this link, or before.
    mutating func begin(
        _ link: CentralLink, _ services: [DiscoveredService], _ names: [BLEUUID: String], showsUUIDs: Bool,
        isDiscovered: Bool
    ) {
        self.link = link
        self.services = services
        self.isDiscovered = isDiscovered
        isDisconnecting = false
        attributes.removeAll(keepingCapacity: true)
        eventAttributes.removeAll(keepingCapacity: true)
        for characteristic in services.flatMap(\.characteristics) {
            // Of several characteristics with one UUID the first is meant.
            if attributes[characteristic.uuid] == nil { attributes[characteristic.uuid] = characteristic.value }
            let isShown = showsUUIDs || characteristic.handle == nil
            eventAttributes[characteristic.value] = EventAttribute(
                handle: characteristic.handle,
                name: names[characteristic.uuid] ?? (isShown ? "\(characteristic.uuid)" : nil))
        }
    }

    /// What events call an attribute.
    func eventAttribute(_ attribute: AttributeID) -> EventAttribute {
        eventAttributes[attribute] ?? EventAttribute(handle: nil, name: "attribute \(attribute.rawValue)")
    }

    /// The Client Characteristic Configuration of a characteristic.
    func configuration(of characteristic: AttributeID) -> AttributeID? {
        services.lazy.flatMap(\.characteristics).first { $0.value == characteristic }?
            .descriptors.first { $0.uuid == BLEUUID(0x2902) }?.attribute
    }
}
