import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import Testing

/// The recorded lock or calculator: host, GATT server and application; and a central that pairs with it.
final class SecurityBoard {
    let pair: HostPair
    let server: GATTServer
    /// The passkey that the lock displays, and that the central's user enters.
    var passkey: UInt32 = 123456
    var entered: UInt32 = 123456
    /// ATT PDUs the central has received since the last call of ``drainReceived()``.
    private var received: [String] = []
    private let state: UInt16 = 0x0012

    /// The kinds of board in the recordings.
    enum Kind {
        case lock, calculator
    }

    init(_ kind: Kind) throws {
        pair = HostPair()
        server = GATTServer(database: try Self.database(kind))
        pair.onEvent = { [unowned self] side, event in take(event, of: side) }
        pair.peripheral.security =
            kind == .calculator
            ? SecurityConfiguration()
            : SecurityConfiguration(ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        try pair.start()
    }

    private static func database(_ kind: Kind) throws -> GATTDatabase {
        var builder: GATTDatabaseBuilder
        switch kind {
        case .lock:
            builder = GATTDatabaseBuilder(deviceName: "esp-test-device")
            let service = builder.addService(try AttributeType("3C3996E0-4D2C-11ED-BDC3-0242AC120002"))
            builder.addCharacteristic(
                try AttributeType("3C399A64-4D2C-11ED-BDC3-0242AC120002"), to: service,
                properties: [.write, .writeEncrypted, .writeAuthenticated])
            builder.addCharacteristic(
                try AttributeType("3C399C44-4D2C-11ED-BDC3-0242AC120002"), to: service,
                properties: [.read, .notify, .readEncrypted, .readAuthenticated], value: Array("0".utf8))
        case .calculator:
            builder = GATTDatabaseBuilder(deviceName: "Test Peripheral")
            let service = builder.addService(try AttributeType("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"))
            builder.addCharacteristic(
                try AttributeType("C1AB2C55-7914-4140-B85B-879C5E252FE5"), to: service,
                properties: [.write, .writeWithoutResponse])
            builder.addCharacteristic(
                try AttributeType("643954A4-A6CC-455C-825C-499190CE7DB0"), to: service,
                properties: [.read, .notify], value: [0])
        }
        return try builder.register()
    }

    /// Disconnects, if connected, and connects again.
    func reconnect() throws {
        if !pair.central.connections.isEmpty { pair.disconnect() }
        try pair.connect()
        drain()
        received = []
    }

    /// Sends an attribute PDU; returns the response.
    func exchange(_ pdu: String) throws -> [String] {
        let bytes = try #require(Hexadecimal.bytes(pdu))
        if !bytes.isEmpty { pair.central.sendATT(bytes[...], on: 1, now: pair.now) }
        drain()
        return drainReceived()
    }

    func drainReceived() -> [String] {
        defer { received = [] }
        return received
    }

    /// Transports packets until all are idle.
    func drain() {
        var hasWorked = true
        while hasWorked {
            hasWorked = false
            pair.run()
            while let action = server.nextAction() {
                hasWorked = true
                perform(action)
            }
        }
    }

    private func take(_ event: HostEvent, of side: HostPair.Side) {
        switch (side, event) {
        case (.central, .attributePDU(_, let pdu)): received.append(Hexadecimal.string(pdu))
        case (_, .pairingInput(let handle, let input)): answer(input, handle, side)
        case (.peripheral, .attributePDU(let handle, let pdu)): server.handle(pdu, on: handle, now: pair.now)
        case (.peripheral, .linkEstablished(let info)):
            server.connect(info.handle, security: pair.peripheral.gattSecurity(of: info.handle))
        case (.peripheral, .disconnected(let info, _, _)): server.disconnect(info.handle, now: pair.now)
        case (.peripheral, .securityChanged(let handle)):
            server.setSecurity(pair.peripheral.gattSecurity(of: handle), of: handle)
        case (.peripheral, .bondEstablished(let handle, let peer)): server.bondEstablished(handle, peer: peer)
        case (.peripheral, .bondRestored(let handle, let peer)):
            server.bondRestored(handle, peer: peer, now: pair.now)
        case (.peripheral, .bondRemoved(let peer)): server.forgetSubscriptions(of: peer)
        default: break
        }
    }

    private func answer(_ input: PairingInput, _ handle: ConnectionHandle, _ side: HostPair.Side) {
        let answer: PairingAnswer =
            switch input {
            case .displayPasskey: .passkey(passkey)
            case .enterPasskey: .passkey(entered)
            case .compareNumbers: .confirm(true)
            case .outOfBand: .cancel
            }
        do {
            try pair.host(side).answerPairing(answer, on: handle, now: pair.now)
        } catch {
            Issue.record(error)
        }
    }

    /// "ON" and "OFF" set the lock's state; three bytes make a sum.
    private func perform(_ action: GATTServerAction) {
        switch action {
        case .send(let connection, let pdu):
            pair.peripheral.sendATT(pdu[...], on: connection, now: pair.now)
        case .written(let token, 0x0010, _, let value):
            if ["ON", "OFF"].contains(String(decoding: value, as: UTF8.self)) {
                server.setValue(value, of: state)
                server.notifySubscribers(of: state, now: pair.now)
            } else if value.count == 3, value[2] == 0 {
                server.setValue([value[0] &+ value[1]], of: state)
                server.notifySubscribers(of: state, now: pair.now)
            }
            if let token { server.resume(token, now: pair.now) }
        case .closed, .startSecurity, .subscriptionsStored, .subscribed, .mtuChanged, .sent: break
        default: Issue.record("unexpected \(action)")
        }
    }
}
