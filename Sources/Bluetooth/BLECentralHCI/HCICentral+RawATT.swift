public import BLECentral
import BLEHost
import MonotonicTime
import BenchExecutor

/// ATT PDUs past the GATT client.
extension HCICentral {
    /// A PDU that was sent and what waits for the one that comes back.
    struct RawExchange {
        var continuation: CheckedContinuation<[UInt8]?, Never>
        var timer: BenchExecutor.Event
    }

    /// Sends any bytes as an ATT PDU; returns the first PDU that comes back within `timeout` and is no notification or
    /// indication.
    public func exchangeATT(
        _ pdu: [UInt8], on id: ConnectionID, within timeout: Duration
    ) async throws(CentralError) -> [UInt8]? {
        let connection = try self.connection(id)
        guard timeout > .zero else {
            send(pdu, on: connection)
            return nil
        }
        lastRawExchange += 1
        let number = lastRawExchange
        return await withCheckedContinuation { continuation in
            let timer = executor.schedule(at: executor.now.advanced(by: timeout)) { [weak self] in
                self?.assumeIsolated { $0.rawExchangeTimedOut(number, on: id) }
            }
            rawExchanges[number] = RawExchange(continuation: continuation, timer: timer)
            connection.rawExchange = number
            send(pdu, on: connection)
        }
    }

    /// Also where the connection has ended meanwhile.
    private func rawExchangeTimedOut(_ number: Int, on id: ConnectionID) {
        if let connection = connections.first(where: { $0.id == id }), connection.rawExchange == number {
            connection.rawExchange = nil
        }
        rawExchanges.removeValue(forKey: number)?.continuation.resume(returning: nil)
    }

    func endRawExchange(_ number: Int, _ pdu: [UInt8]) {
        guard let exchange = rawExchanges.removeValue(forKey: number) else { return }
        executor.cancel(exchange.timer)
        exchange.continuation.resume(returning: pdu)
    }

    private func send(_ pdu: [UInt8], on connection: Connection) {
        host.sendATT(pdu[...], on: connection.handle, now: executor.now)
        pump()
    }

    // MARK: Conformance tests

    /// Sends any bytes as an ATT PDU, past the GATT client: for tests that replay recorded PDUs.
    package func sendRawATT(_ pdu: [UInt8], on connection: ConnectionID) throws(CentralError) {
        send(pdu, on: try self.connection(connection))
    }

    /// Hands every ATT PDU from the peer to `handler` instead of the GATT client (`nil`: to the client again): the
    /// other half of ``sendRawATT(_:on:)``.
    package func setRawATTHandler(
        _ handler: (@Sendable (ArraySlice<UInt8>) -> Void)?, on connection: ConnectionID
    ) throws(CentralError) {
        try self.connection(connection).rawHandler = handler
    }
}
