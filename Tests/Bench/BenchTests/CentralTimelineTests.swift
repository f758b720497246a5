import BLECentral
import BLECore
import Bench
import BenchModel
import Synchronization
import Testing

/// The events of a timeline that follow from what a central does and receives.
@Suite struct CentralTimelineTests {
    private static let peer = PeerID(DeviceAddress(0x240A_C4C0_0001, .public))
    private static let connection = ConnectionID(rawValue: 3)
    private static let level = AttributeID(rawValue: 0x10)
    private static let services = [
        DiscoveredService(
            uuid: BLEUUID(0x180F),
            characteristics: [
                DiscoveredCharacteristic(
                    uuid: BLEUUID(0x2A19), value: level, handle: 0x10, properties: [.read, .notify], descriptors: [])
            ])
    ]

    private static func events(_ observations: [CentralObservation]) -> [String] {
        let events = Mutex<[String]>([])
        let record: @Sendable (any EventPayload) -> Void = { payload in events.withLock { $0.append("\(payload)") } }
        let timeline = CentralTimeline(name: { $0 == BLEUUID(0x2A19) ? "Battery Level" : nil }, record: record)
        for observation in observations { timeline.observe(observation) }
        return events.withLock { $0 }
    }

    private static func texts(_ payloads: [any EventPayload]) -> [String] { payloads.map { "\($0)" } }

    @Test func aLinkIsRecordedInOrder() {
        let (peer, connection, level) = (Self.peer, Self.connection, Self.level)
        let named = EventAttribute(handle: 0x10, name: "Battery Level")
        let early = CentralEvent.notification(connection, level, value: [1], isIndication: false)
        let refused = CentralError(.attError(0x0E), "refused")
        let events = Self.events([
            .connected(peer, connection, name: "Thermometer"), .event(early),
            .event(.mtuChanged(connection, 185)), .began(1, peer, .discover),
            .ended(1, peer, .discover, .success(.services(Self.services))),
            .subscribed(peer, CharacteristicPath(service: BLEUUID(0x180F), characteristic: BLEUUID(0x2A19)), .none),
            .ended(2, peer, .subscribe(level, .notifications), .success(.done)), .event(early),
            .event(.notification(connection, level, value: [2], isIndication: true)),
            .began(3, peer, .write(level, [3], .withoutResponse)),
            .ended(3, peer, .write(level, [3], .withoutResponse), .success(.done)),
            .began(4, peer, .write(level, [4], .withResponse)),
            .ended(4, peer, .write(level, [4], .withResponse), .failure(refused)),
            .ended(5, peer, .read(level), .success(.value([5]))),
            .event(.disconnected(connection, reason: 0x13)),
        ])
        let expected: [any EventPayload] = [
            Connected(address: "24:0A:C4:C0:00:01"),
            NotificationReceived(EventAttribute(handle: 0x10), value: [1]), MTUChanged(185),
            ServicesDiscovered(services: 1, characteristics: 1), SubscriptionWritten(named, to: .notifications),
            NotificationReceived(named, value: [1]), IndicationReceived(named, value: [2]),
            ValueWritten(named, value: [3], hasResponse: false), ValueWritten(named, value: [4], hasResponse: true),
            ATTErrorReceived(named, code: 0x0E), ValueRead(named, value: [5]), Disconnected(reason: 0x13),
        ]
        #expect(events == Self.texts(expected))
    }

    @Test func pairingAndBondsAreRecorded() {
        let (peer, connection) = (Self.peer, Self.connection)
        let security = LinkSecurity(isEncrypted: true, isAuthenticated: true, isBonded: true, keySize: 16)
        let lost = CentralError(.encryptionFailed(status: 0x06), "the key is gone")
        let events = Self.events([
            .connected(peer, connection, name: nil), .began(1, peer, .pair),
            .event(.pairingInput(connection, .enterPasskey)), .began(2, peer, .answerPairing(.passkey(7))),
            .event(.securityChanged(connection, security)),
            .ended(1, peer, .pair, .failure(CentralError(.pairingFailed(reason: 4), "wrong passkey"))),
            .ended(3, peer, .encrypt, .failure(lost)), .event(.securityRequested(connection)),
            .forgot(DeviceAddress(0x240A_C4C0_0001, .public)),
        ])
        let expected: [any EventPayload] = [
            Connected(address: "24:0A:C4:C0:00:01"), PairingBegan(),
            PairingInputRequested("enter a passkey"),
            PairingInputGiven("\(PairingAnswer.passkey(7))"),
            SecurityChanged(isEncrypted: true, isAuthenticated: true, isBonded: true, keySize: 16),
            SecurityFailed("wrong passkey"), SecurityRequested(), BondsDeleted("24:0A:C4:C0:00:01"),
        ]
        #expect(events == Self.texts(expected))
    }
}
