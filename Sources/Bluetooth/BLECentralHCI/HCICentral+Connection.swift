import BLECentral
import BLECore
import BLEHost

extension HCICentral {
    /// The central's state of one connection.
    final class Connection {
        let id: ConnectionID
        let handle: ConnectionHandle
        var client = GATTClient()
        var operations: [GATTOperation: CheckedContinuation<Result<GATTResult, CentralError>, Never>] = [:]
        /// The error of the operations that were pending at the end.
        var endError: CentralError?
        /// The result of the last discovery.
        var services: [DiscoveredService]?
        /// Write commands that wait for room in the controller.
        var writeWaiters: [CheckedContinuation<CentralError?, Never>] = []
        /// Calls of ``HCICentral/disconnect(_:)`` that wait for the disconnection.
        var disconnectWaiters: [CheckedContinuation<CentralError?, Never>] = []
        /// Receives the PDUs in place of the client.
        var rawHandler: (@Sendable (ArraySlice<UInt8>) -> Void)?
        /// The raw ATT exchange that waits for a PDU.
        var rawExchange: Int?
        /// As last reported.
        var security = LinkSecurity()
        /// Calls that wait for the end of a pairing or encryption.
        var securityWaiters: [CheckedContinuation<Result<LinkSecurity, CentralError>, Never>] = []

        init(id: ConnectionID, handle: ConnectionHandle) {
            self.id = id
            self.handle = handle
        }
    }

    func connection(_ id: ConnectionID) throws(CentralError) -> Connection {
        try checkAvailable()
        guard let connection = connections.first(where: { $0.id == id }) else {
            throw CentralError(.notConnected, "connection \(id.rawValue): it has ended, or never was")
        }
        return connection
    }

    func connection(handle: ConnectionHandle) -> Connection? { connections.first { $0.handle == handle } }
}
