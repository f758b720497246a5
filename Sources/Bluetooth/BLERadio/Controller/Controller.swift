import BLECore
import BLEPackets
import Crypto
import MonotonicTime

/// One controller: what it is, what its host has set, and its connections.
final class Controller {
    let id: ControllerID
    let address: DeviceAddress
    let personality: ControllerPersonality
    /// In dBm.
    var txPower: Int8
    var random: SeededRandom
    var host = HostSettings()
    /// By connection handle.
    var ends: [LinkEnd?]
    /// ACL packets from the host that are not completed yet.
    var aclInUse = 0

    init(
        id: ControllerID, address: DeviceAddress, personality: ControllerPersonality, txPower: Int8,
        random: SeededRandom
    ) {
        self.id = id
        self.address = address
        self.personality = personality
        self.txPower = txPower
        self.random = random
        ends = Array(repeating: nil, count: personality.maximumConnections)
    }

    func end(_ handle: UInt16) -> LinkEnd? {
        Int(handle) < ends.count ? ends[Int(handle)] : nil
    }

    func isConnected(to peer: DeviceAddress) -> Bool {
        ends.contains { $0?.peerAddress == peer }
    }

    var hasConnections: Bool { ends.contains { $0 != nil } }

    var freeHandle: UInt16? {
        ends.firstIndex { $0 == nil }.map { UInt16($0) }
    }

    func has(_ feature: UInt64) -> Bool {
        personality.leFeatures & feature != 0
    }
}

/// What a host has set; Reset brings it back to the start.
struct HostSettings {
    /// Core 5.4, Vol 4 Part E 7.3.1: the default, which has no LE Meta event.
    var eventMask: UInt64 = 0x1FFF_FFFF_FFFF
    /// Core 5.4, Vol 4 Part E 7.8.1: the default.
    var leEventMask: UInt64 = 0x1F
    var randomAddress: DeviceAddress?
    var acceptList: [DeviceAddress] = []
    var advertisers: [AdvertisingSet] = []
    var scanner = Scanner()
    var initiator: Initiator?
    var flow = HostFlow()
    var suggestedLength = DataLength.minimum
    var defaultPHYs = PHYPreference.any
    var resolvingList = ResolvingList()
    /// What kind of advertising and scanning commands the host uses; it must not mix them.
    var commandKind: AdvertisingCommandKind?
    var rfPathCompensation: (tx: Int16, rx: Int16) = (0, 0)
    /// What the connections of a central use.
    var channelMap = HCIChannelMap.all
    var directTest: DirectTest?
    /// Made by LE Read Local P-256 Public Key.
    var privateKey: P256.KeyAgreement.PrivateKey?

    func isUnmasked(_ code: HCIEventCode, _ subevent: HCILESubeventCode?) -> Bool {
        switch code {
        // These cannot be masked.
        case .commandComplete, .commandStatus, .numberOfCompletedPackets: true
        default:
            eventMask >> (UInt64(code.rawValue) &- 1) & 1 != 0
                && (subevent.map { leEventMask >> (UInt64($0.rawValue) &- 1) & 1 != 0 } ?? true)
        }
    }

    /// Whether the accept list is in use, so that it must not change (Core 5.4, Vol 4 Part E 7.8.15).
    var usesAcceptList: Bool {
        advertisers.contains { $0.isEnabled && $0.parameters.filterPolicy != 0 }
            || (scanner.isEnabled && scanner.usesAcceptList) || initiator?.usesFilterAcceptList == true
    }
}

/// Flow control from controller to host (Core 5.4, Vol 4 Part E 4.2).
struct HostFlow {
    var isEnabled = false
    /// How many ACL packets the host holds; 0: it has not said.
    var packetCount = 0
    /// ACL packets the host has and has not completed.
    var outstanding = 0

    var hasRoom: Bool { !isEnabled || packetCount == 0 || outstanding < packetCount }
}
