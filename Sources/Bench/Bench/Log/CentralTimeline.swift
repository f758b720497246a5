public import BLECentral
public import BLECore
public import BenchModel
import Synchronization

/// Records what a central does and receives as events of a timeline: an observer of ``BLECentral/Central``.
public final class CentralTimeline: Sendable {
    private struct Link {
        let peer: PeerID
        let connection: ConnectionID
        /// Names of the attributes in events.
        var attributes: [AttributeID: EventAttribute] = [:]
    }

    private let record: @Sendable (any EventPayload) -> Void
    private let name: @Sendable (BLEUUID) -> String?
    private let links = Mutex<[Link]>([])

    /// A timeline of a central without connections.
    ///
    /// - Parameters:
    ///   - name: the name of a characteristic's type, if it has one.
    ///   - record: gets each event, in order.
    public init(
        name: @escaping @Sendable (BLEUUID) -> String?, record: @escaping @Sendable (any EventPayload) -> Void
    ) {
        self.name = name
        self.record = record
    }

    /// Records an observation for which the timeline has a kind of event.
    public func observe(_ observation: CentralObservation) {
        if let event = links.withLock({ payload(of: observation, &$0) }) { record(event) }
    }

    private func payload(of observation: CentralObservation, _ links: inout [Link]) -> (any EventPayload)? {
        switch observation {
        case .connected(let peer, let connection, _):
            links.append(Link(peer: peer, connection: connection))
            return Connected(address: "\(peer)")
        case .event(.advertisement): return nil
        case .event(let event):
            let link = links.firstIndex { $0.connection == event.connection }
            defer { if case .disconnected = event, let link { links.remove(at: link) } }
            return event.payload { Self.name($0, link.map { links[$0] }) }
        case .ended(_, let peer, .discover, .success(.services(let services))):
            let characteristics = services.flatMap(\.characteristics)
            if let link = links.firstIndex(where: { $0.peer == peer }) {
                links[link].attributes = Dictionary(
                    characteristics.map { ($0.value, EventAttribute(handle: $0.handle, name: name($0.uuid))) }
                ) { first, _ in first }
            }
            return ServicesDiscovered(services: services.count, characteristics: characteristics.count)
        case .began(_, let peer, let request):
            return Self.beginning(of: request) { Self.name($0, links.first { $0.peer == peer }) }
        case .ended(_, let peer, let request, let result):
            return Self.end(of: request, result) { Self.name($0, links.first { $0.peer == peer }) }
        case .forgot(let identity): return BondsDeleted("\(identity)")
        case .disconnecting, .subscribed: return nil
        }
    }

    private static func name(_ attribute: AttributeID, _ link: Link?) -> EventAttribute {
        link?.attributes[attribute] ?? EventAttribute(handle: attribute.rawValue)
    }

    private static func beginning(
        of request: CentralRequest, _ name: (AttributeID) -> EventAttribute
    ) -> (any EventPayload)? {
        switch request {
        case .write(let attribute, let value, let kind):
            ValueWritten(name(attribute), value: value, hasResponse: kind != .withoutResponse)
        case .pair: PairingBegan()
        case .answerPairing(let answer): PairingInputGiven("\(answer)")
        default: nil
        }
    }

    private static func end(
        of request: CentralRequest, _ result: Result<CentralAnswer, CentralError>,
        _ name: (AttributeID) -> EventAttribute
    ) -> (any EventPayload)? {
        switch (request, result) {
        case (.read(let attribute), .success(.value(let value))): return ValueRead(name(attribute), value: value)
        case (.subscribe(let attribute, let subscription), .success):
            return SubscriptionWritten(name(attribute), to: subscription)
        case (.pair, .failure(let error)): return SecurityFailed("\(error)")
        case (.read(let attribute), .failure(let error)), (.write(let attribute, _, _), .failure(let error)),
            (.subscribe(let attribute, _), .failure(let error)):
            guard case .attError(let code) = error.code else { return nil }
            return ATTErrorReceived(name(attribute), code: code)
        default: return nil
        }
    }
}

extension CentralEvent {
    /// The timeline's event for the observation; `nil`: none. `name` gives the name of an attribute.
    func payload(_ name: (AttributeID) -> EventAttribute) -> (any EventPayload)? {
        switch self {
        case .advertisement(let advertisement):
            AdvertisementReceived(
                address: "\(advertisement.peer)", name: advertisement.data.localName,
                services: advertisement.data.serviceUUIDs, rssi: advertisement.rssi)
        case .notification(_, let attribute, let value, isIndication: true):
            IndicationReceived(name(attribute), value: value)
        case .notification(_, let attribute, let value, isIndication: false):
            NotificationReceived(name(attribute), value: value)
        case .mtuChanged(_, let mtu): MTUChanged(mtu)
        case .pairingInput(_, let input): PairingInputRequested(input.words)
        case .securityChanged(_, let security):
            SecurityChanged(
                isEncrypted: security.isEncrypted, isAuthenticated: security.isAuthenticated,
                isBonded: security.isBonded, keySize: security.keySize)
        case .securityRequested: SecurityRequested()
        case .disconnected(_, let reason, _): Disconnected(reason: reason)
        case .failed, .passkeyDisplayed: nil
        }
    }
}
