public import BLECentral
import BLECore
import BLEHost
import BenchExecutor

extension HCICentral {
    /// A call that waits for the controller's answer; without its waiter, which the end of the connection resumes.
    struct RSSIRead {
        let connection: ConnectionID
        var waiter: CheckedContinuation<Result<Int?, CentralError>, Never>?
    }

    /// Reads the strength of a connection, in dBm; `nil`: the controller does not know it.
    public func readRSSI(on connection: ConnectionID) async throws(CentralError) -> Int? {
        let connection = try self.connection(connection)
        do throws(HostError) {
            try host.readRSSI(on: connection.handle, now: executor.now)
        } catch {
            throw CentralError(error)
        }
        let result = await withCheckedContinuation { continuation in
            rssiReads.append(RSSIRead(connection: connection.id, waiter: continuation))
            pump()
        }
        return try result.get()
    }

    /// The peer under its identity address, if its address is a private one of a bonded peer.
    public func identity(of peer: PeerID) -> PeerID {
        peer.address.map { PeerID(host.identity(of: $0)) } ?? peer
    }

    /// Controllers answer in the order of the commands.
    func rssiAnswered(_ result: Result<Int?, HostError>) {
        guard !rssiReads.isEmpty else { return }
        rssiReads.removeFirst().waiter?.resume(returning: result.mapError { CentralError($0) })
    }

    /// The connection has ended; its answers may still come.
    func endRSSIReads(of connection: ConnectionID, _ error: CentralError) {
        for index in rssiReads.indices where rssiReads[index].connection == connection {
            rssiReads[index].waiter.take()?.resume(returning: .failure(error))
        }
    }
}
