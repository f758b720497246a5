import BLECore
import BLEHost
import BLEPackets
import CFirmwareChannel
import MonotonicTime

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
            // If the link was lost during a pairing, the sketch receives both events.
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
            .malformedPacket, .parameterUpdateFailed, .roomAvailable, .rssiAnswered, .scanningStarted,
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
