import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import Synchronization

/// A peripheral that behaves like a sketch on NimBLE, and keeps a log.
///
/// A write of three bytes to the input multiplies the first two and notifies the product; the long value can be read
/// and written; the alarm is indicated. The secret is readable only on an encrypted link with an authenticated key.
struct TestPeripheral: Sendable {
    struct Handles: Sendable {
        var input: UInt16
        var output: UInt16
        var long: UInt16
        var alarm: UInt16
        var secret: UInt16
    }

    /// The log, and the user's answers.
    private final class Notes: Sendable {
        let log = Mutex<[String]>([])
        let passkey = Mutex<UInt32>(123456)
        let outOfBand = Mutex(PairingAnswer.cancel)

        func note(_ event: HostEvent) {
            let line: String? =
                switch event {
                case .encryptionChanged(_, let status, let security): "encryption \(status) \(security.keySize)"
                case .connected(let info): "connected \(info.handle)"
                case .disconnected(let info, let reason, let wasConnected):
                    "disconnected \(info.handle) \(reason) \(wasConnected)"
                case .parametersUpdated(let info): "interval \(info.interval)"
                case .failed(let error): "\(error)"
                default: nil
                }
            if let line { log.withLock { $0.append(line) } }
        }

        func answer(_ input: PairingInput) -> PairingAnswer {
            switch input {
            case .displayPasskey, .enterPasskey: .passkey(passkey.withLock { $0 })
            case .compareNumbers: .confirm(true)
            case .outOfBand: outOfBand.withLock { $0 }
            }
        }
    }

    private static let input = BLEUUID(0xAA01)
    private static let output = BLEUUID(0xAA02)
    private static let long = BLEUUID(0xAA03)
    private static let alarm = BLEUUID(0xAA04)
    private static let secret = BLEUUID(0xAA05)

    let port: RadioPort
    let handles: Handles
    private let peripheral: BLEPeripheral
    private let notes = Notes()

    init(_ executor: BenchExecutor, _ port: RadioPort) throws {
        self.port = port
        var definition = PeripheralDefinition(
            name: "Lamp",
            services: [
                ServiceDefinition(
                    BLEUUID(0x180F),
                    [
                        CharacteristicDefinition(Self.input, [.write, .writeWithoutResponse], maximumLength: 3) {
                            value, _, peripheral in
                            if value.count == 3 { try peripheral.update([value[0] &* value[1]], of: Self.output) }
                        },
                        CharacteristicDefinition(Self.output, [.read, .notify], value: [0]),
                        CharacteristicDefinition(
                            Self.long, [.read, .write], value: (0..<400).map { UInt8(truncatingIfNeeded: $0) }),
                        CharacteristicDefinition(Self.alarm, .indicate, value: [1]),
                        CharacteristicDefinition(
                            Self.secret, [.read, .notify], value: [42], readNeeds: .authenticated),
                    ])
            ])
        // Like a sketch with several clients.
        definition.maximumConnections = 3
        definition.onPairingInput = { [notes] input, _, _ in notes.answer(input) }
        definition.onEvent = { [notes] event, _ in notes.note(event) }
        let peripheral = try BLEPeripheral(definition, behaviour: .nimble, on: port, executor: executor)
        func handle(_ uuid: BLEUUID) -> UInt16 { peripheral.handles(of: uuid).first ?? 0 }
        handles = Handles(
            input: handle(Self.input), output: handle(Self.output), long: handle(Self.long),
            alarm: handle(Self.alarm), secret: handle(Self.secret))
        self.peripheral = peripheral
    }

    var log: [String] {
        get async { notes.log.withLock { $0 } }
    }

    func start() async throws {
        try await peripheral.start()
    }

    func disconnect(_ handle: UInt16) async throws {
        try await peripheral.disconnect(handle)
    }

    func updateParameters(_ parameters: ConnectionParameters, on handle: UInt16) async throws {
        try await peripheral.updateParameters(parameters, on: handle)
    }

    // MARK: Security

    var bonds: [Bond] {
        get async { await peripheral.bonds }
    }

    func setSecurity(_ security: SecurityConfiguration, passkey: UInt32 = 123456) async {
        await peripheral.setSecurity(security)
        notes.passkey.withLock { $0 = passkey }
    }

    /// Receives a central's out-of-band data, and returns its own.
    func exchangeOutOfBand(_ value: OutOfBandValue) async throws -> OutOfBandValue {
        let own = try await peripheral.makeOutOfBandValue()
        notes.outOfBand.withLock { $0 = .outOfBand(local: own, remote: value) }
        return own
    }

    func forgetBonds() async {
        await peripheral.setBonds([])
    }

    /// Restarts, with or without its bonds.
    func reboot(keepsBonds: Bool) async throws {
        if !keepsBonds { await peripheral.setBonds([]) }
        try await peripheral.start()
    }

    /// Enables private addresses.
    func setPrivacy(_ isOn: Bool) async throws {
        try await peripheral.setPrivacy(isOn)
    }

    func notifySecret(_ value: [UInt8]) async throws {
        try await peripheral.update(value, of: Self.secret)
    }

    func indicateAlarm() async throws {
        try await peripheral.update([1], of: Self.alarm)
    }
}
