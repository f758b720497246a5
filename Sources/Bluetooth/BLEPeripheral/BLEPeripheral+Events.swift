internal import BLECore
internal import BLEHost
internal import BLEPackets
import BenchExecutor

/// Calls the handlers for events.
extension BLEPeripheral {
    func handle(_ event: HostEvent) {
        switch event {
        case .synchronized:
            advertiseIfWanted()
            endStart(.success(()))
        case .failed(let error): endStart(.failure(error))
        case .connected(let info):
            definition.onConnect?(info, self)
            advertiseIfWanted()
        case .disconnected(let info, let reason, let wasConnected):
            if wasConnected { definition.onDisconnect?(info, reason, self) }
            advertiseIfWanted()
        case .pairingInput(let handle, let input):
            let answer = definition.onPairingInput.map { $0(input, handle, self) } ?? .cancel
            // The pairing may have ended, or the handler itself may have answered it.
            if let answer { try? peripheral.host.answerPairing(answer, on: handle, now: executor.now) }
        default: break
        }
        definition.onEvent?(event, self)
    }

    func handle(_ action: GATTServerAction) {
        switch action {
        case .readRequested(let token, let handle, let connection):
            resume(token) {
                guard let value = try attributes.handlers[handle]?.onRead?(connection, self) else { return }
                try setValue(value, of: handle)
            }
        case .written(let token?, let handle, let connection, let value):
            resume(token) { try attributes.handlers[handle]?.onWrite?(value, connection, self) }
        case .subscribed(let token?, let handle, let connection, let value):
            attributes.handlers[handle]?.onSubscribe?(ClientConfiguration(rawValue: value), connection, self)
            peripheral.server?.resume(token, now: executor.now)
        case .sent(let handle, let connection, let status):
            attributes.handlers[handle]?.onSent?(status, connection, self)
        case .mtuChanged(let token?, _, _): peripheral.server?.resume(token, now: executor.now)
        case .written(nil, _, _, _), .subscribed(nil, _, _, _), .mtuChanged(nil, _, _), .subscriptionsStored, .send,
            .disconnect, .closed, .startSecurity:
            break
        }
    }

    /// Calls a handler, then resumes the server with the error that it throws.
    private func resume(_ token: GATTCallbackToken, after handler: () throws -> Void) {
        var refusal: ATTErrorCode?
        do {
            try handler()
        } catch {
            refusal = error as? ATTErrorCode
            if refusal == nil {
                refusal = .unlikelyError
                definition.onHandlerError?(error, self)
            }
        }
        peripheral.server?.resume(token, refusing: refusal, now: executor.now)
    }

    /// Advertises if there is room for another central.
    func advertiseIfWanted() {
        let host = peripheral.host
        guard advertisesByItself, host.isReady, !host.isAdvertising,
            host.connections.count < definition.maximumConnections
        else { return }
        try? startAdvertising()
    }
}
