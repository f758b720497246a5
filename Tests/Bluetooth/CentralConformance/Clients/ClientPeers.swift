import BLECentral
import BLEClients
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BenchExecutor
import MonotonicTime
import Synchronization

/// The calculator and the lock that the clients' cases meet, beside the peers of ``ConformancePeer``. What each does is
/// chosen by writes to a ``Conduct`` at ``ConformancePeer/trigger``, so that it may run in another process.
enum ClientPeers {
    /// The calculator's address.
    static let calculator = DeviceAddress(0x240A_C4C0_0011, .public)
    /// The lock's.
    static let lock = DeviceAddress(0x240A_C4C0_0012, .public)

    /// What a peer does until the end of its connection.
    enum Conduct: UInt8 {
        /// Answers as it should.
        case faultless
        /// Answers nothing.
        case silent
        /// Answers with no byte.
        case empty
        /// Answers with a byte too many.
        case long
        /// Answers something else.
        case wrong
        /// Answers, and once more.
        case twice
        /// Loses its power at the next request, and is back after ``ConformancePeer/absence``.
        case vanishing
        /// Ends the connection at the next request.
        case disconnecting
        /// Loses its power as soon as it is connected again.
        case vanishingNext
        /// Has lost its bonds.
        case forgetful
    }

    private final class State: Sendable {
        private let conduct = Mutex(Conduct.faultless)

        var current: Conduct {
            get { conduct.withLock { $0 } }
            set { conduct.withLock { $0 = newValue } }
        }

        func vanish(_ peripheral: isolated BLEPeripheral, _ executor: BenchExecutor) {
            current = .faultless
            ConformancePeer.restart(peripheral, after: ConformancePeer.absence, executor)
        }
    }

    static func calculatorDefinition(_ executor: BenchExecutor) -> PeripheralDefinition {
        let state = State()
        let output = CharacteristicDefinition(CalculatorClient.output, [.read, .notify], value: [0])
        let input = CharacteristicDefinition(CalculatorClient.input, [.write, .writeWithoutResponse]) {
            value, connection, peripheral in
            guard value.count == 3, let operation = CalculatorOperation(rawValue: value[2]) else { return }
            let result = UInt8(truncatingIfNeeded: operation.result(value[0], value[1]))
            let answers: [[UInt8]]
            switch state.current {
            case .silent: answers = []
            // The stack sends the stored value for an empty one.
            case .empty:
                try peripheral.setValue([], of: CalculatorClient.output)
                answers = [[]]
            case .long: answers = [[result, 0]]
            case .wrong: answers = [[result &+ 1]]
            case .twice: answers = [[result], [result &+ 1]]
            case .vanishing: return state.vanish(peripheral, executor)
            case .disconnecting: return try peripheral.disconnect(connection)
            case .faultless, .vanishingNext, .forgetful: answers = [[result]]
            }
            for answer in answers { try peripheral.notify(answer, of: CalculatorClient.output, to: connection) }
        }
        return definition("Test Peripheral", CalculatorClient.service, [input, output], state, executor)
    }

    static func lockDefinition(_ executor: BenchExecutor) -> PeripheralDefinition {
        let state = State()
        let command = CharacteristicDefinition(LockClient.command, .write, writeNeeds: .authenticated) {
            value, connection, peripheral in
            guard value == [0x30] || value == [0x31] else { throw ATTErrorCode.valueNotAllowed }
            switch state.current {
            case .silent: return
            case .vanishing: return state.vanish(peripheral, executor)
            default: break
            }
            try peripheral.setValue(Array((value == [0x30] ? "locked" : "unlocked").utf8), of: LockClient.status)
            try peripheral.notify(value, of: LockClient.state, to: connection)
        }
        let bolt = CharacteristicDefinition(LockClient.state, .notify, value: [0x30])
        let status = CharacteristicDefinition(
            LockClient.status, .read, value: Array("locked".utf8), readNeeds: .authenticated)
        var definition = definition("Lock", LockClient.service, [command, bolt, status], state, executor)
        definition.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        definition.onPairingInput = { _, _, _ in .passkey(ConformancePeer.passkey) }
        return definition
    }

    private static func definition(
        _ name: String, _ service: BLEUUID, _ characteristics: [CharacteristicDefinition], _ state: State,
        _ executor: BenchExecutor
    ) -> PeripheralDefinition {
        let trigger = CharacteristicDefinition(ConformancePeer.trigger, .write, maximumLength: 1) {
            value, _, peripheral in
            guard let conduct = value.first.flatMap({ Conduct(rawValue: $0) }) else {
                throw ATTErrorCode.valueNotAllowed
            }
            state.current = conduct
            if conduct == .forgetful { peripheral.setBonds([]) }
        }
        var definition = PeripheralDefinition(
            name: name,
            services: [
                ServiceDefinition(service, characteristics), ServiceDefinition(ConformancePeer.service, [trigger]),
            ])
        definition.advertisingData = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .flags, data: [0x06]),
            AdvertisingData.Structure(type: .complete128BitServiceUUIDs, data: service.attBytes),
        ])
        definition.onConnect = { _, peripheral in
            if state.current == .vanishingNext { state.vanish(peripheral, executor) }
        }
        definition.onDisconnect = { _, _, _ in
            if state.current != .vanishingNext { state.current = .faultless }
        }
        return definition
    }
}
