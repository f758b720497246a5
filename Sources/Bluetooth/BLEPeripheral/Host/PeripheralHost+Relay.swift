internal import BLEHost
internal import BLEPackets

/// What host and GATT server have to tell each other.
extension PeripheralHost {
    /// Tells the server of an event of the host; returns whether the application hears of it, too.
    func relay(_ event: HostEvent) -> Bool {
        switch event {
        case .attributePDU(let handle, let pdu):
            server?.handle(pdu, on: handle, now: now)
            return false
        case .linkEstablished(let info):
            server?.connect(info.handle, security: host.gattSecurity(of: info.handle))
        case .linkEnding(let handle):
            // The application hears of the subscriptions that end, and only then of the disconnection.
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

    /// Carries out what the server asks of the host; returns false for what is the application's.
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

extension HostEvent {
    /// Whether the server puts it in order itself.
    var isAttributePDU: Bool {
        if case .attributePDU = self { true } else { false }
    }
}
