import BLECore
import BLEHost
import BLEPackets
import BLERadio
import MonotonicTime
import BenchExecutor

/// A peripheral as on the virtual board: a NimBLE host, a GATT server, and a controller.
///
/// A write of three bytes to the input multiplies the first two and notifies the product; the long value can be read
/// and written; the alarm is indicated. The secret is readable only on an encrypted link with an authenticated key.
actor TestPeripheral {
    struct Handles: Sendable {
        var input: UInt16
        var output: UInt16
        var long: UInt16
        var alarm: UInt16
        var secret: UInt16
    }

    static let service = BLEUUID("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079")

    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let port: RadioPort
    nonisolated let handles: Handles
    private let host = Host(configuration: .nimble)
    private let server: GATTServer
    private var alarm: Alarm
    /// The passkey that it displays, or that its user enters.
    private var passkey: UInt32 = 123456
    private var outOfBand: (local: OutOfBandValue?, remote: OutOfBandValue?)
    /// The events as text.
    private(set) var log: [String] = []

    init(_ executor: BenchExecutor, _ port: RadioPort) throws {
        self.executor = executor
        self.port = port
        alarm = Alarm(executor)
        var builder = GATTDatabaseBuilder(deviceName: "Lamp")
        let service = builder.addService(AttributeType(BLEUUID(0x180F)))
        let input = builder.addCharacteristic(
            AttributeType(BLEUUID(0xAA01)), to: service, properties: [.write, .writeWithoutResponse], maximumLength: 3)
        let output = builder.addCharacteristic(
            AttributeType(BLEUUID(0xAA02)), to: service, properties: [.read, .notify], value: [0])
        let long = builder.addCharacteristic(
            AttributeType(BLEUUID(0xAA03)), to: service, properties: [.read, .write],
            value: (0..<400).map { UInt8(truncatingIfNeeded: $0) })
        let alarm = builder.addCharacteristic(
            AttributeType(BLEUUID(0xAA04)), to: service, properties: [.indicate], value: [1])
        let secret = builder.addCharacteristic(
            AttributeType(BLEUUID(0xAA05)), to: service,
            properties: [.read, .notify, .readEncrypted, .readAuthenticated], value: [42])
        let database = try builder.register()
        handles = Handles(
            input: database.valueHandle(of: input), output: database.valueHandle(of: output),
            long: database.valueHandle(of: long), alarm: database.valueHandle(of: alarm),
            secret: database.valueHandle(of: secret))
        server = GATTServer(database: database)
    }

    func start() {
        // Retained by its port.
        port.setReceiver { packet in self.assumeIsolated { $0.receive(packet) } }
        host.start(now: executor.now)
        pump()
    }

    func disconnect(_ handle: UInt16) throws {
        try host.disconnect(handle, now: executor.now)
        pump()
    }

    func updateParameters(_ parameters: ConnectionParameters, on handle: UInt16) throws {
        try host.updateParameters(parameters, on: handle, now: executor.now)
        pump()
    }

    // MARK: Security

    var bonds: [Bond] { host.bonds }

    func setSecurity(_ security: SecurityConfiguration, passkey: UInt32 = 123456) {
        host.security = security
        self.passkey = passkey
    }

    /// Receives a central's out-of-band data, and returns its own.
    func exchangeOutOfBand(_ value: OutOfBandValue) async throws -> OutOfBandValue {
        try host.makeOutOfBandValue(now: executor.now)
        pump()
        while true {
            if let own = host.nextOutOfBandValue() {
                outOfBand = (own, value)
                return own
            }
            try await BenchClock(executor).sleep(for: .milliseconds(1))
        }
    }

    func startSecurity(on handle: UInt16) throws {
        try host.startSecurity(on: handle, now: executor.now)
        pump()
    }

    /// Bypassing the host, which would refuse while it advertises.
    func forgetBonds() {
        host.setBonds([])
        pump()
    }

    /// Powers up again, with or without its bonds.
    func reboot(keepsBonds: Bool) {
        if !keepsBonds { host.setBonds([]) }
        for info in host.connections { server.disconnect(info.handle, now: executor.now) }
        host.start(now: executor.now)
        pump()
    }

    /// Advertises with a private address from now on.
    func setPrivacy(_ isOn: Bool) throws {
        try host.stopAdvertising(now: executor.now)
        try host.setPrivacy(isOn, now: executor.now)
        advertise()
        pump()
    }

    func notifySecret(_ value: [UInt8]) {
        server.setValue(value, of: handles.secret)
        server.notifySubscribers(of: handles.secret, now: executor.now)
        pump()
    }

    func indicateAlarm() {
        server.notifySubscribers(of: handles.alarm, now: executor.now)
        pump()
    }

    private func receive(_ packet: HCIPacket) {
        host.receive(packet, now: executor.now)
        pump()
    }

    private func advertise() {
        do {
            let now = executor.now
            try host.setAdvertisingData([2, 1, 6, 3, 3, 0x0F, 0x18], now: now)
            try host.setScanResponseData([5, 9] + Array("Lamp".utf8), now: now)
            try host.startAdvertising(now: now)
        } catch {
            log.append("\(error)")
        }
    }

    private func pump() {
        while true {
            while let packet = host.nextOutput() { port.send(packet) }
            if let event = host.nextEvent() {
                take(event)
            } else if let action = server.nextAction() {
                take(action)
            } else {
                break
            }
        }
        let deadlines = [host.nextDeadline, server.nextDeadline].compactMap { $0 }
        alarm.set(deadlines.min()) { [weak self] in self?.assumeIsolated { $0.wake() } }
    }

    private func wake() {
        alarm.fired()
        host.advance(to: executor.now)
        server.advance(to: executor.now)
        pump()
    }

    private func take(_ event: HostEvent) {
        switch event {
        case .synchronized: advertise()
        case .linkEstablished(let info):
            server.connect(info.handle, security: host.gattSecurity(of: info.handle))
        case .securityChanged(let handle): server.setSecurity(host.gattSecurity(of: handle), of: handle)
        case .bondEstablished(let handle, let peer): server.bondEstablished(handle, peer: peer)
        case .bondRestored(let handle, let peer): server.bondRestored(handle, peer: peer, now: executor.now)
        case .bondRemoved(let peer): server.forgetSubscriptions(of: peer)
        case .pairingInput(let handle, let input):
            let answer: PairingAnswer =
                switch input {
                case .displayPasskey, .enterPasskey: .passkey(passkey)
                case .compareNumbers: .confirm(true)
                case .outOfBand: .outOfBand(local: outOfBand.local, remote: outOfBand.remote)
                }
            do {
                try host.answerPairing(answer, on: handle, now: executor.now)
            } catch {
                log.append("\(error)")
            }
        case .encryptionChanged(_, let status, let security): log.append("encryption \(status) \(security.keySize)")
        case .connected(let info):
            log.append("connected \(info.handle)")
            // As a sketch that serves several clients does.
            advertise()
        case .disconnected(let info, let reason, let wasConnected):
            server.disconnect(info.handle, now: executor.now)
            log.append("disconnected \(info.handle) \(reason) \(wasConnected)")
            if !host.isAdvertising { advertise() }
        case .parametersUpdated(let info): log.append("interval \(info.interval)")
        case .attributePDU(let handle, let pdu): server.handle(pdu, on: handle, now: executor.now)
        case .identityKeyMade, .bondsChanged, .pairingEnded: break
        default: log.append("\(event)")
        }
    }

    private func take(_ action: GATTServerAction) {
        switch action {
        case .send(let connection, let pdu): host.sendATT(pdu[...], on: connection, now: executor.now)
        case .written(let token, let handle, _, let value):
            if handle == handles.input, value.count == 3 {
                server.setValue([value[0] &* value[1]], of: handles.output)
                server.notifySubscribers(of: handles.output, now: executor.now)
            }
            if let token { server.resume(token, now: executor.now) }
        case .readRequested(let token, _, _): server.resume(token, now: executor.now)
        case .subscribed(let token?, _, _, _), .mtuChanged(let token?, _, _):
            server.resume(token, now: executor.now)
        case .disconnect(let connection, let reason):
            try? host.disconnect(connection, reason: HCIErrorCode(rawValue: reason), now: executor.now)
        case .startSecurity(let connection): try? host.startSecurity(on: connection, now: executor.now)
        case .subscribed, .mtuChanged, .sent, .closed, .subscriptionsStored: break
        }
    }
}
