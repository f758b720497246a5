public import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BenchExecutor
import MonotonicTime

/// The peripheral that backends are tested with. What it does is controlled by writes to ``trigger``, so that it may run
/// in another process, on the other side of a real stack.
public enum ConformancePeer {
    /// The advertised service.
    public static let service = BLEUUID(0xFF00)
    /// Read and write, at most 512 bytes.
    public static let value = BLEUUID(0xFF01)
    /// Write with and without response: a ``Trigger``.
    public static let trigger = BLEUUID(0xFF02)
    /// Notifies.
    public static let output = BLEUUID(0xFF03)
    /// Indicates.
    public static let indicated = BLEUUID(0xFF04)
    /// Reading needs an authenticated key.
    public static let protected = BLEUUID(0xFF05)
    /// Notifies when the link of a bonded central has been encrypted.
    public static let early = BLEUUID(0xFF06)
    /// A service of ``manyCount`` characteristics, the UUIDs of which begin at ``firstOfMany``.
    public static let many = BLEUUID(0xFF10)
    /// The UUID of the first of them.
    public static let firstOfMany: UInt16 = 0xA000
    /// Their number; the value of each is its number from 0.
    public static let manyCount: UInt8 = 100
    /// What it displays when it pairs.
    public static let passkey: UInt32 = 123_456
    /// How long it stays away after ``Trigger/vanish``.
    public static let absence = Duration.seconds(4)

    /// How long it stays dead after ``Trigger/hang``: longer than an ATT transaction may take, which is 30 s (Core 5.4,
    /// Vol 3 Part F 3.3.3).
    public static let silence = Duration.seconds(32)

    /// How long a peer refuses to pair after a second pairing that failed (Core 5.4, Vol 3 Part H 2.3.6).
    public static let pairingPause = Duration.seconds(3)

    /// The addresses of the peers.
    public static let addresses = (1...3).map { DeviceAddress(0x240A_C4C0_0000 + UInt64($0), .public) }
    /// An address at which nothing is.
    public static let absentAddress = DeviceAddress(0x240A_C4C0_00FF, .public)

    /// What to write to ``trigger``.
    public enum Trigger {
        /// Notifies `count` values, `[0]`, `[1]`, …, before the write is answered.
        public static func notify(_ count: UInt8) -> [UInt8] { [1, count] }
        /// Indicates `value` before the write is answered.
        public static func indicate(_ value: UInt8) -> [UInt8] { [2, value] }
        /// Refuses the write with an ATT error.
        public static func refuse(_ code: UInt8) -> [UInt8] { [3, code] }
        /// Ends the connection.
        public static let disconnect: [UInt8] = [4]
        /// Is switched off without a word, and on again after ``ConformancePeer/absence``.
        public static let vanish: [UInt8] = [5]
        /// Deletes its bonds.
        public static let forget: [UInt8] = [6]
        /// Vanishes as soon as it is connected again; back after ``ConformancePeer/absence``.
        public static let vanishNext: [UInt8] = [7]
        /// Hangs: it answers nothing while its controller keeps the connection. Restarts after ``ConformancePeer/silence``.
        public static let hang: [UInt8] = [8]
    }

    /// The name of a peer, counted from 0.
    public static func name(_ index: Int) -> String { "Conformance \(index + 1)" }

    /// The definition of a peer, counted from 0.
    static func definition(_ index: Int, _ faults: PeerFaults, _ executor: BenchExecutor) -> PeripheralDefinition {
        var definition = PeripheralDefinition(
            name: name(index), services: [main(faults, executor), manyCharacteristics])
        definition.advertisingData = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .flags, data: [0x06]),
            AdvertisingData.Structure(type: .complete16BitServiceUUIDs, data: service.attBytes),
        ])
        definition.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        definition.onPairingInput = { _, _, _ in .passkey(passkey) }
        definition.onEvent = { event, peripheral in
            switch event {
            case .bondRestored(let connection, _):
                _ = try? peripheral.notify([0xEA], of: early, to: connection)
            case .linkEstablished:
                if faults.takeVanishing() { restart(peripheral, after: absence, executor) }
            default: break
            }
        }
        return definition
    }

    private static func main(_ faults: PeerFaults, _ executor: BenchExecutor) -> ServiceDefinition {
        ServiceDefinition(
            service,
            [
                CharacteristicDefinition(value, [.read, .write, .writeWithoutResponse], value: [7]),
                CharacteristicDefinition(trigger, [.write, .writeWithoutResponse], maximumLength: 2) {
                    value, connection, peripheral in
                    try handle(value, connection, peripheral, faults, executor)
                },
                CharacteristicDefinition(output, [.read, .notify], value: [0]),
                CharacteristicDefinition(indicated, .indicate, value: [0]),
                CharacteristicDefinition(protected, .read, value: [42], readNeeds: .authenticated),
                CharacteristicDefinition(early, .notify, value: [0]),
            ])
    }

    private static var manyCharacteristics: ServiceDefinition {
        ServiceDefinition(
            many,
            (0..<manyCount).map { number in
                CharacteristicDefinition(BLEUUID(firstOfMany + UInt16(number)), .read, value: [number])
            })
    }

    private static func handle(
        _ value: [UInt8], _ connection: ConnectionHandle, _ peripheral: isolated BLEPeripheral,
        _ faults: PeerFaults, _ executor: BenchExecutor
    ) throws {
        switch (value.first, value.dropFirst().first) {
        case (1, let count?):
            for number in 0..<count { try peripheral.notify([number], of: output, to: connection) }
        case (2, let value?): try peripheral.indicate([value], of: indicated, to: connection)
        case (3, let code?): throw ATTErrorCode(rawValue: code)
        case (4, nil): try peripheral.disconnect(connection)
        case (5, nil):
            restart(peripheral, after: absence, executor)
        case (6, nil): peripheral.setBonds([])
        case (7, nil): faults.vanishNext()
        case (8, nil):
            faults.hasHung = true
            executor.schedule(at: executor.now.advanced(by: silence)) { [peripheral] in
                faults.hasHung = false
                _ = Task(executorPreference: executor) { try await peripheral.start() }
            }
        default: throw ATTErrorCode.valueNotAllowed
        }
    }

    /// Loses its power, and has it again after a pause.
    static func restart(
        _ peripheral: isolated BLEPeripheral, after pause: Duration, _ executor: BenchExecutor
    ) {
        peripheral.stop()
        executor.schedule(at: executor.now.advanced(by: pause)) { [peripheral] in
            _ = Task(executorPreference: executor) { try await peripheral.start() }
        }
    }
}
