public import BLECentral
import BLEHost
import BenchExecutor
internal import BLEPackets

/// Calls that wait for the controller's answers, which come in the order of the commands.
struct LinkReads<Value: Sendable> {
    private struct Read {
        let connection: ConnectionID
        /// `nil` if the end of the connection has resumed it.
        var waiter: CheckedContinuation<Result<Value, CentralError>, Never>?
    }

    private var reads: [Read] = []

    mutating func append(_ connection: ConnectionID, _ waiter: CheckedContinuation<Result<Value, CentralError>, Never>)
    {
        reads.append(Read(connection: connection, waiter: waiter))
    }

    mutating func answer(_ result: Result<Value, HostError>) {
        guard !reads.isEmpty else { return }
        reads.removeFirst().waiter?.resume(returning: result.mapError { CentralError($0) })
    }

    /// Fails the reads of an ended connection; the controller may still answer them.
    mutating func end(_ connection: ConnectionID, _ error: CentralError) {
        for index in reads.indices where reads[index].connection == connection {
            reads[index].waiter.take()?.resume(returning: .failure(error))
        }
    }
}

extension HCICentral {
    /// Reads the strength of a connection, in dBm; `nil`: the controller does not know it.
    public func readRSSI(on connection: ConnectionID) async throws(CentralError) -> Int? {
        let connection = try self.connection(connection)
        do throws(HostError) {
            try host.readRSSI(on: connection.handle, now: executor.now)
        } catch {
            throw CentralError(error)
        }
        let result = await withCheckedContinuation { continuation in
            rssiReads.append(connection.id, continuation)
            pump()
        }
        return try result.get()
    }

    /// The parameters of a connection; the controller is asked for its PHYs.
    public func linkParameters(of connection: ConnectionID) async throws(CentralError) -> LinkParameters {
        let connection = try self.connection(connection)
        do throws(HostError) {
            try host.readPHY(on: connection.handle, now: executor.now)
        } catch {
            throw CentralError(error)
        }
        let result = await withCheckedContinuation { continuation in
            phyReads.append(connection.id, continuation)
            pump()
        }
        let phys = try result.get()
        guard let info = host.connection(connection.handle), let sends = PHY(phys.sends),
            let receives = PHY(phys.receives)
        else {
            throw CentralError(
                .invalidState,
                "expected the PHYs of a connection, got \(phys.sends.rawValue) and \(phys.receives.rawValue)")
        }
        return LinkParameters(
            interval: .microseconds(1250 * Int(info.interval)), latency: Int(info.latency),
            supervisionTimeout: .milliseconds(10 * Int(info.supervisionTimeout)), sendPHY: sends,
            receivePHY: receives)
    }
}

extension PHY {
    fileprivate init?(_ phy: HCIPHY) {
        switch phy {
        case .le1M: self = .le1M
        case .le2M: self = .le2M
        case .leCoded: self = .leCoded
        default: return nil
        }
    }
}
