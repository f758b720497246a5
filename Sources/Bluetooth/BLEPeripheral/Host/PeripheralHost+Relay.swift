internal import BLEHost
internal import BLEPackets

/// Relays events and actions between host and GATT server.
extension PeripheralHost {
    /// Passes an event of the host to the server; returns whether it is also an event for the application.
    func relay(_ event: HostEvent) -> Bool {
        switch event {
        case .attributePDU(let handle, let pdu):
            server?.handle(pdu, on: handle, now: now)
            return false
        case .linkEstablished(let info):
            server?.connect(info.handle, security: host.gattSecurity(of: info.handle))
        case .linkEnding(let handle):
            // Ended subscriptions are reported to the application before the disconnection.
            if let server {
                server.disconnect(handle, now: now)
            } else {
                host.finishDisconnection(of: handle, now: now)
            }
            return false
        case .securityChanged(let handle): server?.setSecurity(host.gattSecurity(of: handle), of: handle)
        case .bondEstablished(let handle, let peer): server?.bondEstablished(handle, peer: peer)
        case .bondRestored(let handle, let peer): server?.bondRestored(handle, peer: peer, now: now)
        default: break
        }
        return true
    }

    /// Performs an action of the server on the host; returns false if the action is for the application.
    func perform(_ action: GATTServerAction) -> Bool {
        switch action {
        case .send(let connection, let pdu): host.sendATT(pdu[...], on: connection, now: now)
        case .disconnect(let connection, let reason):
            try? host.disconnect(connection, reason: HCIErrorCode(rawValue: reason), now: now)
        case .closed(let connection): host.finishDisconnection(of: connection, now: now)
        case .startSecurity(let connection): try? host.startSecurity(on: connection, now: now)
        case .readRequested, .written, .subscribed, .mtuChanged, .sent, .subscriptionsStored: return false
        }
        return true
    }
}

extension HCIPacket {
    /// True for Command Complete or Command Status.
    var isCommandAnswer: Bool {
        guard kind == .event, let code = bytes.first else { return false }
        return [.commandComplete, .commandStatus].contains(HCIEventCode(rawValue: code))
    }
}
