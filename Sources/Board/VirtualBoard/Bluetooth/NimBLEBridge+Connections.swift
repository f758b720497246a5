import BLECore
import BLEHost
import BLEPackets
import CFirmwareChannel
import MonotonicTime

/// Advertising and connections.
extension NimBLEBridge {
    /// NimBLE-Arduino's default `CONFIG_BT_NIMBLE_MAX_CONNECTIONS`.
    private static let maximumConnections = 3

    /// Handles a call; returns false if the message is not one of these.
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
        // On an ESP32 NimBLE generates private addresses itself; then it does not support the list.
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
        // What an ESP32's controller, of version 4.2, refuses: LE Set Advertising Parameters, Core 4.2, Vol 2 Part E 7.8.5.
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
