public import BLECentral
import BLEHost
import MonotonicTime
import BenchExecutor

/// ATT PDUs that bypass the GATT client.
extension HCICentral {
    /// A sent PDU that waits for the peer's response.
    struct RawExchange {
        var continuation: CheckedContinuation<[UInt8]?, Never>
        var timer: BenchExecutor.Event
    }

    /// Sends any bytes as an ATT PDU; returns the first PDU received within `timeout` that is no notification or
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
        let answer = await withCheckedContinuation { continuation in
            let timer = executor.schedule(at: executor.now.advanced(by: timeout)) { [weak self] in
                self?.assumeIsolated { $0.rawExchangeTimedOut(number, on: id) }
            }
            rawExchanges[number] = RawExchange(continuation: continuation, timer: timer)
            connection.rawExchange = number
            send(pdu, on: connection)
        }
        if answer == nil { try checkAvailable() }
        return answer
    }

    /// Ends the pending exchanges without an answer: the controller is gone.
    func endRawExchanges() {
        let pending = rawExchanges
        rawExchanges = [:]
        for exchange in pending.values {
            executor.cancel(exchange.timer)
            exchange.continuation.resume(returning: nil)
        }
    }

    /// Also called if the connection has ended.
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

    /// Sends any bytes as an ATT PDU, bypassing the GATT client: for tests that replay recorded PDUs.
    package func sendRawATT(_ pdu: [UInt8], on connection: ConnectionID) throws(CentralError) {
        send(pdu, on: try self.connection(connection))
    }

    /// Passes every ATT PDU of the peer to `handler` instead of the GATT client (`nil`: to the client again): the
    /// counterpart of ``sendRawATT(_:on:)``.
    package func setRawATTHandler(
        _ handler: (@Sendable (ArraySlice<UInt8>) -> Void)?, on connection: ConnectionID
    ) throws(CentralError) {
        try self.connection(connection).rawHandler = handler
    }
}
