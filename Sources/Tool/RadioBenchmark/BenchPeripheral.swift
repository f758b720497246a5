import BLECore
import BLEHost
import BLEPackets
import BLERadio
import MonotonicTime
import BenchExecutor

/// One of the two hosts: a GATT server without an application, as its peer in Scripts/bench-bumble.
actor BenchPeripheral {
    static let address = DeviceAddress(0x240A_C400_0110, .public)
    static let passkey: UInt32 = 123_456

    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let value: UInt16
    private let port: RadioPort
    private let host = Host(configuration: .nimble)
    private let server: GATTServer
    private var alarm: Alarm
    private var connection: UInt16?
    /// Writes to wait for, and who waits.
    private var writes = (expected: 0, waiter: CheckedContinuation<Void, Never>?.none)
    /// Notifications that are still to be sent.
    private var pending = (count: 0, value: [UInt8]())

    init(_ executor: BenchExecutor, _ radio: Radio) async throws {
        self.executor = executor
        port = await radio.attach(address: Self.address)
        alarm = Alarm(executor)
        var builder = GATTDatabaseBuilder(deviceName: "Bench")
        let service = builder.addService(AttributeType(BLEUUID(0x180F)))
        let characteristic = builder.addCharacteristic(
            AttributeType(BLEUUID(0x2A19)), to: service, properties: [.read, .write, .writeWithoutResponse, .notify],
            value: Array(repeating: 0x55, count: 20))
        let database = try builder.register()
        value = database.valueHandle(of: characteristic)
        server = GATTServer(database: database)
        host.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        port.setReceiver { packet in self.assumeIsolated { $0.receive(packet) } }
        host.start(now: executor.now)
        pump()
    }

    /// Returns when `count` writes have arrived that were not waited for yet.
    func waitForWrites(_ count: Int) async {
        writes.expected += count
        if writes.expected > 0 { await withCheckedContinuation { writes.waiter = $0 } }
    }

    /// Notifies as fast as the host takes it.
    func notify(_ count: Int, _ value: [UInt8]) {
        pending = (count, value)
        sendPending()
        pump()
    }

    private func sendPending() {
        guard let connection else { return }
        while pending.count > 0, host.hasRoom(on: connection) {
            pending.count -= 1
            server.send(pending.value, of: value, isIndication: false, to: connection, now: executor.now)
            drainServer()
        }
    }

    private func receive(_ packet: HCIPacket) {
        host.receive(packet, now: executor.now)
        pump()
    }

    private func wake() {
        alarm.fired()
        host.advance(to: executor.now)
        server.advance(to: executor.now)
        pump()
    }

    private func pump() {
        while true {
            drainServer()
            while let packet = host.nextOutput() { port.send(packet) }
            guard let event = host.nextEvent() else { break }
            take(event)
        }
        let deadlines = (host.nextDeadline, server.nextDeadline)
        let earliest = deadlines.0.map { first in deadlines.1.map { min(first, $0) } ?? first } ?? deadlines.1
        alarm.set(earliest) { [weak self] in self?.assumeIsolated { $0.wake() } }
    }

    private func take(_ event: HostEvent) {
        let now = executor.now
        switch event {
        case .synchronized: advertise()
        case .linkEstablished(let info):
            connection = info.handle
            server.connect(info.handle)
        case .disconnected(let info, _, _):
            connection = nil
            server.disconnect(info.handle, now: now)
            advertise()
        case .attributePDU(let handle, let pdu): server.handle(pdu, on: handle, now: now)
        case .roomAvailable: sendPending()
        case .pairingInput(let handle, .displayPasskey):
            try? host.answerPairing(.passkey(Self.passkey), on: handle, now: now)
        default: break
        }
    }

    private func advertise() {
        try? host.setAdvertisingData([2, 1, 6], now: executor.now)
        try? host.startAdvertising(now: executor.now)
    }

    private func drainServer() {
        while let action = server.nextAction() {
            switch action {
            case .send(let connection, let pdu): host.sendATT(pdu[...], on: connection, now: executor.now)
            case .written(let token, let handle, _, _):
                if let token { server.resume(token, now: executor.now) }
                if handle == value { noteWrite() }
            case .readRequested(let token, _, _), .subscribed(let token?, _, _, _), .mtuChanged(let token?, _, _):
                server.resume(token, now: executor.now)
            default: break
            }
        }
    }

    private func noteWrite() {
        writes.expected -= 1
        guard writes.expected <= 0 else { return }
        writes.waiter?.resume()
        writes.waiter = nil
    }
}
