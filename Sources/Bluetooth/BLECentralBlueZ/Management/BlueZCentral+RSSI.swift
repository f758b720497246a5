public import BLECentral
internal import BLECore
internal import BenchExecutor
internal import MonotonicTime

extension BlueZCentral {
    /// How long the kernel may take, including its query to the controller.
    private static let rssiTimeout = Duration.seconds(5)

    /// Reads the strength of a connection from the kernel; `nil` if the controller does not know it.
    public func readRSSI(on connection: ConnectionID) async throws(CentralError) -> Int? {
        guard let management, management.readsRSSI else {
            throw CentralError(
                .unsupported(.connectionRSSI),
                "read the RSSI: BlueZ does not tell it; the kernel does, to programs with CAP_NET_ADMIN")
        }
        let (id, connection) = (connection, try self.connection(connection))
        let session = try currentSession("read the RSSI")
        guard let device = Device(tree, connection.path),
            let index = session.controller
        else {
            throw CentralError(.notConnected, "read the RSSI: bluetoothd no longer knows \(connection.path)")
        }
        // The kernel refuses a second request for a connection (busy): one answer serves all callers that wait.
        if connection.rssiWaiters.isEmpty {
            guard management.send(GetConnectionInformation.command(device.address, on: index)) else {
                throw CentralError(.unavailable, "read the RSSI: the kernel's management socket takes no commands")
            }
        }
        let timer = schedule(at: executor.now.advanced(by: Self.rssiTimeout)) { central in
            central.connections.first { $0.id == id }?.endRSSIReads(
                .failure(
                    CentralError(.timedOut, "read the RSSI: expected the kernel's answer within \(Self.rssiTimeout)")))
        }
        let result = await withCheckedContinuation { connection.rssiWaiters.append($0) }
        executor.cancel(timer)
        return try result.get()
    }

    func received(_ answer: GetConnectionInformation.Answer, _ adapter: String) {
        // A refusal does not contain the connection.
        for connection in connections
        where answer.address.map({ connection.path == Device.path($0, on: adapter) }) ?? true {
            // The kernel also requests the transmit power, and the whole command fails if the controller does not
            // support that. If asked again at once, Linux 6.1 answers with the strength that it has cached.
            if case .failure(let failure) = answer.rssi, failure.status == GetConnectionInformation.failed,
                let address = answer.address, !connection.hasAskedAgain, !connection.rssiWaiters.isEmpty, let management
            {
                connection.hasAskedAgain = true
                if management.send(GetConnectionInformation.command(address, on: answer.controller)) { continue }
            }
            connection.endRSSIReads(
                answer.rssi.map { $0 == Advertisement.unknownRSSI ? nil : $0 }.mapError {
                    CentralError(.invalidState, "read the RSSI: expected the kernel's answer, got \($0)")
                })
        }
    }
}

extension BlueZCentral.Connection {
    /// Resumes the callers that wait for the strength.
    func endRSSIReads(_ result: Result<Int?, CentralError>) {
        let waiters = rssiWaiters
        rssiWaiters = []
        hasAskedAgain = false
        for waiter in waiters { waiter.resume(returning: result) }
    }
}
