internal import BLEClients

extension ClientLink {
    /// Throws when there will be no connection.
    ///
    /// - Parameter noun: the peripheral: `calculator`.
    func checkGoesOn(_ noun: String) throws(CommandFailure) {
        switch self {
        case .notFound:
            throw CommandFailure(
                .noPeer, "no \(noun) was heard within \(ClientLink.searchTime)", code: "central.noPeer")
        case .unavailable(let why): throw CommandFailure(.noCentral, why, code: "central.unavailable")
        case .failed(let why): throw CommandFailure(.linkFailed, why, code: "client.failed")
        case .disconnected, .searching, .connecting, .connected: break
        }
    }
}
