import BLECore
import BLEHost
import BLEPackets
internal import CFirmwareChannel
import MonotonicTime

/// Advertising and connections.
extension NimBLEBridge {
    /// NimBLE-Arduino's default `CONFIG_BT_NIMBLE_MAX_CONNECTIONS`.
    private static let maximumConnections = 3

    /// Handles a call; returns false if the message is not a call about advertising or connections.
    func handleConnectionCall(_ message: FirmwareMessage, _ now: MonotonicInstant) -> Bool {
        switch message.type {
        case CFC_ADVERTISING_DATA: try? host.setAdvertisingData(message.payload, now: now)
        case CFC_SCAN_RESPONSE_DATA: try? host.setScanResponseData(message.payload, now: now)
        case CFC_ADVERTISING_START: runtime.reply(status: startAdvertising(message, now))
        case CFC_ADVERTISING_STOP:
            try? host.stopAdvertising(now: now)
            runtime.reply()
        case CFC_ACCEPT_LIST: setAcceptList(message, now)
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
        default: return false
        }
        return true
    }

    /// `ble_gap_wl_set`: the reply follows the controller's answer.
    private func setAcceptList(_ message: FirmwareMessage, _ now: MonotonicInstant) {
        let size = MemoryLayout<cfc_address>.size
        let addresses = stride(from: 0, through: message.payload.count - size, by: size).map { offset in
            message.payload.dropFirst(offset).withUnsafeBytes { $0.loadUnaligned(as: cfc_address.self) }
        }
        guard addresses.allSatisfy({ $0.type <= DeviceAddress.Kind.random.rawValue }) else {
            return runtime.reply(status: NimBLEStatus.invalidArguments)
        }
        // On an ESP32 NimBLE generates private addresses itself; then NimBLE does not support the list.
        guard host.privateAddress == nil else { return runtime.reply(status: NimBLEStatus.notSupported) }
        do {
            try host.setAcceptList(addresses.map { DeviceAddress($0) }, now: now)
        } catch {
            runtime.reply(status: NimBLEStatus.disabled)
        }
    }

    private func startAdvertising(_ message: FirmwareMessage, _ now: MonotonicInstant) -> Int32 {
        guard let fields = message.fields(cfc_advertising.self) else { return NimBLEStatus.invalidArguments }
        let isConnectable = fields.connectable_mode != 0
        // BLE_GAP_CONN_MODE_DIR; NimBLE's duty cycle is low by default, and the sketch's API cannot change it.
        let isDirected = fields.connectable_mode == 1
        guard !host.isAdvertising else { return NimBLEStatus.alreadyDone }
        guard !isConnectable || host.connections.count < Self.maximumConnections else { return NimBLEStatus.noMemory }
        var (minimum, maximum) = (fields.interval_minimum, fields.interval_maximum)
        // ble_gap_adv_validate.
        guard minimum == 0 || minimum >= 0x20, maximum <= 0x4000 else { return NimBLEStatus.invalidArguments }
        if minimum == 0 && maximum == 0 { (minimum, maximum) = isConnectable ? (48, 96) : (160, 240) }
        // The check of an ESP32's controller, of version 4.2: LE Set Advertising Parameters, Core 4.2, Vol 2 Part E
        // 7.8.5.
        guard minimum <= maximum, minimum >= (isConnectable ? 0x20 : 0xA0) else {
            return NimBLEStatus.code(of: HCIErrorCode.invalidHCICommandParameters.rawValue)
        }
        let parameters = AdvertisingParameters(
            intervalMin: minimum, intervalMax: maximum,
            type: isDirected
                ? .directedLowDuty
                : isConnectable ? .connectable : fields.discoverable_mode == 0 ? .nonConnectable : .scannable,
            peer: DeviceAddress(fields.peer), filter: AdvertisingFilter(rawValue: fields.filter_policy))
        do {
            let duration = fields.duration_ms == 0 ? nil : Duration.milliseconds(fields.duration_ms)
            try host.startAdvertising(parameters, for: duration, now: now)
            return 0
        } catch {
            return NimBLEStatus.controller
        }
    }
}

/// Events of the host.
extension NimBLEBridge {
    func handle(_ event: HostEvent, _ now: MonotonicInstant) {
        switch event {
        case .synchronized(let address):
            guard isStarting else { break }
            isStarting = false
            runtime.reply(withBytes(of: cfc_address(address)))
        case .failed:
            guard isStarting else { break }
            isStarting = false
            runtime.reply(status: NimBLEStatus.controller)
        case .linkEstablished(let info):
            reportedConnections.append(info)
            send(CFC_BLE_LINK_STATE, info, now)
        case .connected(let info):
            send(CFC_BLE_CONNECTED, info, now)
        case .disconnected(let info, let reason, let wasConnected):
            // NimBLE posts no DISCONNECT for a link whose CONNECT it never posted (ble_gap_conn_broken).
            let message = wasConnected ? CFC_BLE_DISCONNECTED : CFC_BLE_LINK_ENDED
            send(message, info, value: NimBLEStatus.code(of: reason.rawValue), now)
            reportedConnections.removeAll { $0.handle == info.handle }
        case .parametersUpdated(let info):
            send(CFC_BLE_CONNECTION_PARAMETERS, info, now)
        case .acceptListAnswered(let status):
            runtime.reply(status: status == .success ? 0 : NimBLEStatus.code(of: status.rawValue))
        case .advertisingEnded:
            call(CFC_BLE_ADVERTISING_COMPLETE, cfc_ble_event(token: 0, value: NimBLEStatus.timedOut), now: now)
        case .pairingInput(let handle, let input): ask(input, handle, now)
        case .encryptionChanged(let handle, let status, let security):
            // If the link was lost during a pairing, the sketch receives the events of both.
            guard let info = host.connection(handle) ?? reportedConnections.first(where: { $0.handle == handle }) else {
                break
            }
            send(
                CFC_BLE_ENCRYPTION, info, security: security, value: NimBLEStatus.code(of: status),
                token: wait(for: server?.enterCallback()), now)
        case .identityResolved(let handle, _):
            guard let info = host.connection(handle) else { break }
            send(CFC_BLE_IDENTITY, info, now)
        case .securityChanged(let handle): reportLinkState(handle, now)
        case .bondsChanged: store.save(host.bonds, now: now)
        case .identityKeyMade(let key):
            guard let address = host.publicAddress else { break }
            store.save(identityKey: key, of: address, now: now)
        case .attributePDU, .linkEnding, .bondEstablished, .bondRestored, .bondRemoved, .commandFailed,
            .malformedPacket, .parameterUpdateFailed, .roomAvailable, .rssiAnswered, .phyAnswered, .scanningStarted,
            .scanningStopped, .advertisingReport, .connectionFailed, .pairingEnded, .securityRequested:
            break
        }
    }

    private func ask(_ input: PairingInput, _ handle: UInt16, _ now: MonotonicInstant) {
        guard let info = host.connection(handle) else { return }
        let (action, number): (Int, UInt32) =
            switch input {
            case .displayPasskey: (CFC_PASSKEY_DISPLAY, 0)
            case .enterPasskey: (CFC_PASSKEY_INPUT, 0)
            case .compareNumbers(let number): (CFC_PASSKEY_COMPARE, number)
            case .outOfBand: (CFC_PASSKEY_OUT_OF_BAND, 0)
            }
        send(CFC_BLE_PASSKEY_ACTION, info, value: Int32(bitPattern: number), detail: action, now)
    }
}

/// NimBLE's return codes (`BLE_HS_E…` and its bases for other layers' codes).
enum NimBLEStatus {
    static let alreadyDone: Int32 = 2
    static let invalidArguments: Int32 = 3
    static let noEntry: Int32 = 5
    static let noMemory: Int32 = 6
    static let notConnected: Int32 = 7
    static let notSupported: Int32 = 8
    static let badData: Int32 = 10
    static let controller: Int32 = 12
    static let timedOut: Int32 = 13
    static let disabled: Int32 = 30
    private static let controllerBase: Int32 = 0x200
    private static let securityBase: Int32 = 0x400
    private static let peerSecurityBase: Int32 = 0x500

    static func code(of reason: UInt8) -> Int32 { controllerBase + Int32(reason) }

    /// The return code of an ended pairing or encryption.
    static func code(of status: SecurityStatus) -> Int32 {
        switch status {
        case .success: 0
        case .failed(let reason): securityBase + Int32(reason.rawValue)
        case .failedByPeer(let reason): peerSecurityBase + Int32(reason.rawValue)
        case .weakerThanBond: securityBase + Int32(SMPFailureReason.authenticationRequirements.rawValue)
        case .controller(let code): controllerBase + Int32(code.rawValue)
        case .malformedPDU: badData
        case .timedOut: timedOut
        case .disconnected: notConnected
        }
    }
}
