extension CentralBackend {
    /// Connects to `peer` and accepts the connection's events at once: for callers whose handler needs no prior record
    /// of the connection.
    public func connectAndAccept(
        to peer: PeerID, within timeout: Duration
    ) async throws(CentralError) -> ConnectionID {
        let connection = try await connect(to: peer, within: timeout)
        events.accept(connection)
        return connection
    }
}
