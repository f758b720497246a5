import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime

/// Two Security Managers with a perfect channel between them, and controllers that encrypt if the keys are equal.
final class SecurityBench {
    final class Side {
        let manager: SecurityManager
        let context: SecurityContext
        var random: SeededRandom
        var configuration: SecurityConfiguration
        var bond: Bond?
        var inputs: [PairingInput] = []
        var ends: [SecurityStatus] = []
        var sent: [[UInt8]] = []
        var actions: [SecurityAction] = []
        /// The answers, in order; when none is left the user does not answer.
        var answers: [PairingAnswer] = []
        /// Changes the PDUs of this side; `nil`: lost.
        var tamper: ([UInt8]) -> [UInt8]? = { $0 }

        init(
            isCentral: Bool, local: DeviceAddress, peer: DeviceAddress, configuration: SecurityConfiguration,
            seed: UInt64
        ) {
            random = SeededRandom(seed: seed)
            context = SecurityContext(
                identity: .init(address: local, irk: random.bytes(16)), maximumProcedures: isCentral ? 8 : 1)
            manager = SecurityManager(
                isCentral: isCentral, local: local, peer: peer, configuration: configuration, context: context)
            self.configuration = configuration
        }
    }

    static let centralAddress = DeviceAddress(0xC011_2233_4455, .random)
    static let peripheralAddress = DeviceAddress(0x240A_C400_0110, .public)

    let central: Side
    let peripheral: Side
    var now = MonotonicInstant.zero
    /// The key requested by the central's controller, with EDIV and Rand.
    private var asked: LongTermKey?

    init(central: SecurityConfiguration, peripheral: SecurityConfiguration, seed: UInt64 = 1) {
        self.central = Side(
            isCentral: true, local: Self.centralAddress, peer: Self.peripheralAddress, configuration: central,
            seed: seed)
        self.peripheral = Side(
            isCentral: false, local: Self.peripheralAddress, peer: Self.centralAddress, configuration: peripheral,
            seed: seed &+ 1000)
    }

    /// Pairs and performs all following actions.
    func pair() -> Bool {
        guard central.manager.pair(now: now) else { return false }
        run()
        return true
    }

    /// Performs the actions of both sides until there are none.
    func run() {
        var goesOn = true
        while goesOn {
            goesOn = false
            while perform(central, peripheral) || perform(peripheral, central) { goesOn = true }
        }
    }

    private func perform(_ side: Side, _ other: Side) -> Bool {
        guard let action = side.manager.nextAction() else { return false }
        side.actions.append(action)
        switch action {
        case .send(let pdu):
            side.sent.append(pdu)
            if let pdu = side.tamper(pdu) { other.manager.receive(pdu[...], now: now) }
        case .needsRandom(let count):
            side.manager.supply(random: side.random.bytes(count), now: now)
        case .startEncryption(let key):
            asked = key
            other.manager.longTermKeyRequested(
                ediv: key.ediv, rand: key.rand, bonded: other.bond?.localKey, now: now)
        case .replyLongTermKey(let key):
            let status: HCIErrorCode =
                key == asked?.value ? .success : .terminatedDueToMICFailure
            for manager in [side.manager, other.manager] {
                manager.encryptionChanged(status, isEncrypted: status == .success, now: now)
            }
        case .refuseLongTermKey:
            other.manager.encryptionChanged(.pinOrKeyMissing, isEncrypted: false, now: now)
        case .needsInput(let input):
            side.inputs.append(input)
            if !side.answers.isEmpty { _ = side.manager.answer(side.answers.removeFirst(), now: now) }
        case .securityRequested: break
        case .forgetBond: side.bond = nil
        case .bonded(let bond): side.bond = bond
        case .ended(_, let status): side.ends.append(status)
        }
        return true
    }
}

extension SecurityConfiguration {
    /// A device that requests all features.
    static func full(
        _ ioCapability: IOCapability, conduct: HostBehaviour = .specification, secureConnections: Bool = true,
        keys: SMPKeyDistribution = [.encryptionKey, .identityKey, .signingKey]
    ) -> SecurityConfiguration {
        SecurityConfiguration(
            ioCapability: ioCapability, bonding: true, mitm: true, secureConnections: secureConnections,
            localKeys: keys, remoteKeys: keys, conduct: conduct)
    }
}
