import BLECore
import BLEHost
import BLEPackets
import CFirmwareChannel
import MonotonicTime

/// Joins a sketch's NimBLE calls and callbacks (messages of the firmware channel) with the board's host and GATT
/// server: the board's Bluetooth.
///
/// A machine without clock or radio: the owner passes packets and time, and sends every ``nextOutput()``.
final class NimBLEBridge {
    /// NimBLE's `BLE_HS_E…` codes that calls return.
    enum Status {
        static let alreadyDone: Int32 = 2
        static let noMemory: Int32 = 6
        static let notConnected: Int32 = 7
        static let notSupported: Int32 = 8
        static let timedOut: Int32 = 13
        static let invalidArguments: Int32 = 3
        static let controller: Int32 = 12
    }

    /// NimBLE-Arduino's default `CONFIG_BT_NIMBLE_MAX_CONNECTIONS`.
    private static let maximumConnections = 3
    /// The handle of the GAP service's device name, in NimBLE's layout.
    private static let deviceNameHandle: UInt16 = 3

    private let runtime: FirmwareRuntime
    private let host = Host(configuration: .nimble)
    /// `nil` until the sketch has registered its services.
    private var server: GATTServer?
    private var deviceName = ""
    private var preferredMTU = 255
    private var isStarting = false
    /// Which of the sketch's callbacks are there, by attribute handle.
    private var callbacks: [UInt16: Int] = [:]
    /// The callback that the server waits for.
    private var pendingToken: GATTCallbackToken?
    private var tokenNumber: UInt32 = 0

    init(runtime: FirmwareRuntime) {
        self.runtime = runtime
    }

    // MARK: Owner's side

    /// Takes a packet from the controller.
    func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        host.receive(packet, now: now)
        pump(now)
    }

    /// When ``advance(to:)`` is next needed.
    var nextDeadline: MonotonicInstant? {
        switch (host.nextDeadline, server?.nextDeadline) {
        case (let first?, let second?): min(first, second)
        case (let first, let second): first ?? second
        }
    }

    /// Does what is due at `now`.
    func advance(to now: MonotonicInstant) {
        host.advance(to: now)
        server?.advance(to: now)
        pump(now)
    }

    /// The next packet for the controller.
    func nextOutput() -> HCIPacket? { host.nextOutput() }

    private func pump(_ now: MonotonicInstant) {
        var hasWorked = true
        while hasWorked {
            hasWorked = false
            while let event = host.nextEvent() {
                hasWorked = true
                take(event, now)
            }
            while let action = server?.nextAction() {
                hasWorked = true
                perform(action, now)
            }
        }
    }

    // MARK: The sketch's calls

    /// Carries out what the sketch asks for. Returns false when the message is not Bluetooth's.
    func take(_ message: FirmwareMessage, now: MonotonicInstant) -> Bool {
        switch message.type {
        case CFC_BLE_INIT:
            isStarting = true
            host.start(now: now)
        case CFC_BLE_DEINIT:
            for connection in host.connections { try? host.disconnect(connection.handle, now: now) }
            if host.isReady { try? host.stopAdvertising(now: now) }
            runtime.reply()
        case CFC_BLE_NAME:
            deviceName = String(decoding: message.payload, as: UTF8.self)
            server?.setValue(message.payload, of: Self.deviceNameHandle)
        case CFC_BLE_PREFERRED_MTU:
            guard let number = message.fields(cfc_number.self), (23...527).contains(number.value) else { break }
            preferredMTU = Int(number.value)
            server?.setPreferredMTU(preferredMTU)
        case CFC_GATT_REGISTER: register(message)
        case CFC_GATT_CALLBACKS:
            guard let fields = message.fields(cfc_gatt_callbacks.self) else { break }
            callbacks[fields.attribute] = Int(fields.mask)
            server?.setHasCallbacks(fields.mask != 0, of: fields.attribute)
        case CFC_GATT_VALUE:
            guard let fields = message.fields(cfc_gatt_value.self) else { break }
            server?.setValue(Array(message.tail(after: cfc_gatt_value.self)), of: fields.attribute)
        case CFC_GATT_NOTIFY: notify(message, now)
        case CFC_ADVERTISING_DATA: try? host.setAdvertisingData(message.payload, now: now)
        case CFC_SCAN_RESPONSE_DATA: try? host.setScanResponseData(message.payload, now: now)
        case CFC_ADVERTISING_START: runtime.reply(status: startAdvertising(message, now))
        case CFC_ADVERTISING_STOP:
            try? host.stopAdvertising(now: now)
            runtime.reply()
        case CFC_DISCONNECT:
            guard let fields = message.fields(cfc_disconnect.self) else { break }
            let reason = HCIErrorCode(rawValue: UInt8(truncatingIfNeeded: fields.reason))
            try? host.disconnect(fields.connection, reason: reason, now: now)
        case CFC_UPDATE_CONNECTION:
            guard let fields = message.fields(cfc_update_connection.self) else { break }
            let parameters = ConnectionParameters(
                intervalMin: fields.interval_minimum, intervalMax: fields.interval_maximum, latency: fields.latency,
                supervisionTimeout: fields.timeout)
            try? host.updateParameters(parameters, on: fields.connection, now: now)
        case CFC_CALLBACK_DONE:
            guard let fields = message.fields(cfc_callback_done.self), fields.token == tokenNumber,
                let token = pendingToken
            else { break }
            pendingToken = nil
            server?.resume(token, now: now)
        case CFC_SECURITY: break
        case CFC_OWN_ADDRESS_TYPE, CFC_START_SECURITY, CFC_PASSKEY_ANSWER, CFC_BONDS, CFC_DELETE_BOND:
            runtime.reply(status: Status.notSupported)
        default: return false
        }
        pump(now)
        return true
    }

    private func register(_ message: FirmwareMessage) {
        guard let header = message.fields(cfc_gatt_register.self) else { return }
        let size = MemoryLayout<cfc_attribute>.size
        let entries = message.tail(after: cfc_gatt_register.self)
        let count = min(Int(header.count), entries.count / size)
        let attributes = (0..<count).map { index in
            entries.dropFirst(index * size).withUnsafeBytes { $0.loadUnaligned(as: cfc_attribute.self) }
        }
        do {
            let registration = try GATTRegistration(attributes, deviceName: deviceName)
            let server = GATTServer(database: registration.database, preferredMTU: preferredMTU)
            server.hasMTUCallback = true
            for connection in host.connections { server.connect(connection.handle) }
            self.server = server
            callbacks = [:]
            runtime.reply(registration.handles.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        } catch {
            runtime.reply(status: Status.noMemory)
        }
    }

    private func notify(_ message: FirmwareMessage, _ now: MonotonicInstant) {
        guard let fields = message.fields(cfc_gatt_notify.self) else { return }
        let hasValue = fields.has_value != 0
        let connection = fields.connection == UInt16(CFC_NO_CONNECTION) ? nil : fields.connection
        if connection == nil, !hasValue {
            server?.notifySubscribers(of: fields.attribute, now: now)
        } else {
            server?.send(
                hasValue ? Array(message.tail(after: cfc_gatt_notify.self)) : nil, of: fields.attribute,
                isIndication: fields.indicate != 0, to: connection, now: now)
        }
    }

    private func startAdvertising(_ message: FirmwareMessage, _ now: MonotonicInstant) -> Int32 {
        guard let fields = message.fields(cfc_advertising.self) else { return Status.invalidArguments }
        let isConnectable = fields.connectable_mode != 0
        // BLE_GAP_CONN_MODE_DIR; NimBLE's duty cycle is low unless asked otherwise, which the sketch's API cannot.
        let isDirected = fields.connectable_mode == 1
        guard !host.isAdvertising else { return Status.alreadyDone }
        guard !isConnectable || host.connections.count < Self.maximumConnections else { return Status.noMemory }
        let defaults: (minimum: UInt16, maximum: UInt16) = isConnectable ? (48, 96) : (160, 240)
        let parameters = AdvertisingParameters(
            intervalMin: fields.interval_minimum == 0 ? defaults.minimum : fields.interval_minimum,
            intervalMax: fields.interval_maximum == 0 ? defaults.maximum : fields.interval_maximum,
            type: isDirected
                ? .directedLowDuty
                : isConnectable ? .connectable : fields.discoverable_mode == 0 ? .nonConnectable : .scannable,
            peer: DeviceAddress(fields.peer))
        do {
            let duration = fields.duration_ms == 0 ? nil : Duration.milliseconds(fields.duration_ms)
            try host.startAdvertising(parameters, for: duration, now: now)
            return 0
        } catch {
            return Status.controller
        }
    }
}

// MARK: - What happens on the air

extension NimBLEBridge {
    private func take(_ event: HostEvent, _ now: MonotonicInstant) {
        switch event {
        case .synchronized(let address):
            guard isStarting else { break }
            isStarting = false
            runtime.reply(withBytes(of: cfc_address(address)))
        case .failed:
            guard isStarting else { break }
            isStarting = false
            runtime.reply(status: Status.controller)
        case .linkEstablished(let info):
            server?.connect(info.handle, security: host.gattSecurity(of: info.handle))
        case .connected(let info):
            send(CFC_BLE_CONNECTED, info, value: 0, now)
        case .disconnected(let info, let reason, let wasConnected):
            server?.disconnect(info.handle, now: now)
            // NimBLE's reasons are BLE_HS_ERR_HCI_BASE and the HCI code.
            if wasConnected { send(CFC_BLE_DISCONNECTED, info, value: 0x200 + Int32(reason.rawValue), now) }
        case .parametersUpdated(let info):
            send(CFC_BLE_CONNECTION_PARAMETERS, info, value: 0, now)
        case .attributePDU(let handle, let pdu):
            server?.handle(pdu, on: handle, now: now)
        case .advertisingEnded:
            runtime.send(CFC_BLE_ADVERTISING_COMPLETE, cfc_ble_event(token: 0, value: Status.timedOut), now: now)
        case .securityChanged(let handle):
            server?.setSecurity(host.gattSecurity(of: handle), of: handle)
        case .bondEstablished(let handle, let peer): server?.bondEstablished(handle, peer: peer)
        case .bondRestored(let handle, let peer): server?.bondRestored(handle, peer: peer, now: now)
        case .bondRemoved(let peer): server?.forgetSubscriptions(of: peer)
        case .commandFailed, .malformedPacket, .parameterUpdateFailed, .roomAvailable, .scanningStarted,
            .scanningStopped, .advertisingReport, .connectionFailed, .pairingInput, .encryptionChanged, .pairingEnded,
            .identityResolved, .securityRequested, .bondsChanged, .identityKeyMade:
            break
        }
    }

    private func perform(_ action: GATTServerAction, _ now: MonotonicInstant) {
        switch action {
        case .send(let connection, let pdu):
            host.sendATT(pdu[...], on: connection, now: now)
        case .readRequested(let token, let handle, let connection):
            if has(CFC_ON_READ, handle) {
                send(CFC_GATT_READ, token, handle, connection, now)
            } else {
                server?.resume(token, now: now)
            }
        case .written(let token, let handle, let connection, let value):
            send(CFC_GATT_WRITE, token, handle, connection, tail: value[...], now)
        case .subscribed(let token, let handle, let connection, let value):
            if has(CFC_ON_SUBSCRIBE, handle) {
                send(CFC_GATT_SUBSCRIBE, token, handle, connection, value: Int32(value), now)
            } else if let token {
                server?.resume(token, now: now)
            }
        case .mtuChanged(let token, let connection, let mtu):
            if let info = host.connection(connection) {
                send(CFC_BLE_MTU, info, value: Int32(mtu), token: wait(for: token), now)
            } else if let token {
                server?.resume(token, now: now)
            }
        case .sent(let handle, let connection, let status):
            guard has(CFC_ON_STATUS, handle) else { return }
            send(CFC_GATT_STATUS, nil, handle, connection, value: Int32(truncatingIfNeeded: status.rawValue), now)
        case .startSecurity(let connection): try? host.startSecurity(on: connection, now: now)
        case .subscriptionsOverflowed(let peer): _ = host.removeOldestBond(except: peer, now: now)
        case .subscriptionsStored: break
        case .disconnect(let connection, let reason):
            try? host.disconnect(connection, reason: HCIErrorCode(rawValue: reason), now: now)
        }
    }

    private func has(_ callback: Int, _ handle: UInt16) -> Bool {
        callbacks[handle, default: 0] & callback != 0
    }

    /// The number under which the sketch confirms a callback that the server waits for; 0 when it does not wait.
    private func wait(for token: GATTCallbackToken?) -> UInt32 {
        guard let token else { return 0 }
        pendingToken = token
        tokenNumber = max(1, tokenNumber &+ 1)
        return tokenNumber
    }

    private func send(
        _ type: Int, _ token: GATTCallbackToken?, _ handle: UInt16, _ connection: UInt16, value: Int32 = 0,
        tail: ArraySlice<UInt8> = [], _ now: MonotonicInstant
    ) {
        let event = cfc_gatt_event(
            token: wait(for: token), connection: connection, attribute: handle, value: value, reserved: 0)
        runtime.send(type, event, tail: tail, now: now)
    }

    private func send(_ type: Int, _ info: ConnectionInfo, value: Int32, token: UInt32 = 0, _ now: MonotonicInstant) {
        let event = cfc_connection_event(
            token: token, value: value, connection: cfc_connection(info, mtu: server?.mtu(of: info.handle)),
            detail: 0)
        runtime.send(type, event, now: now)
    }
}

private func withBytes<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
}

extension cfc_address {
    init(_ address: DeviceAddress) {
        self.init()
        type = address.kind.rawValue
        withUnsafeMutableBytes(of: &bytes) { target in
            for index in 0..<6 { target[index] = UInt8(truncatingIfNeeded: address.value >> (8 * UInt64(index))) }
        }
    }
}

extension DeviceAddress {
    init(_ address: cfc_address) {
        let value = withUnsafeBytes(of: address.bytes) { $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(value, Kind(rawValue: address.type) ?? .public)
    }
}

extension cfc_connection {
    init(_ info: ConnectionInfo, mtu: Int?) {
        self.init()
        handle = info.handle
        interval = info.interval
        latency = info.latency
        timeout = info.supervisionTimeout
        self.mtu = UInt16(mtu ?? GATTClient.defaultMTU)
        peer_over_the_air = cfc_address(info.peer)
        peer_identity = peer_over_the_air
    }
}
