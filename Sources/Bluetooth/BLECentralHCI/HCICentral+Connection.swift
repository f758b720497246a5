import BLECentral
import BLECore
import BLEHost

extension HCICentral {
    /// One connection, as the central keeps it.
    final class Connection {
        let id: ConnectionID
        let handle: ConnectionHandle
        var client = GATTClient()
        var operations: [GATTOperation: CheckedContinuation<Result<GATTResult, CentralError>, Never>] = [:]
        /// What the last discovery found.
        var services: [DiscoveredService]?
        /// Who waits for room to send.
        var senders: [CheckedContinuation<CentralError?, Never>] = []
        /// Who waits for the end.
        var enders: [CheckedContinuation<CentralError?, Never>] = []
        /// Takes the place of the client.
        var rawHandler: (@Sendable (ArraySlice<UInt8>) -> Void)?
        /// Which exchange past the GATT client waits for a PDU.
        var rawExchange: Int?
        /// As it was last told.
        var security = LinkSecurity()
        /// Who waits for the end of a pairing or encryption.
        var securityWaiters: [CheckedContinuation<Result<LinkSecurity, CentralError>, Never>] = []

        init(id: ConnectionID, handle: ConnectionHandle) {
            self.id = id
            self.handle = handle
        }
    }

    func connection(_ id: ConnectionID) throws(CentralError) -> Connection {
        guard let connection = connections.first(where: { $0.id == id }) else {
            throw CentralError(.notConnected, "connection \(id.rawValue): it has ended, or never was")
        }
        return connection
    }

    func connection(handle: ConnectionHandle) -> Connection? { connections.first { $0.handle == handle } }
}
