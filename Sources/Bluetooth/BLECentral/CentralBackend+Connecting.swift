extension CentralBackend {
    /// Connects to `peer` and accepts the connection's events at once: for a user whose handler needs to know nothing
    /// of the connection before.
    public func connectAndAccept(
        to peer: PeerID, within timeout: Duration
    ) async throws(CentralError) -> ConnectionID {
        let connection = try await connect(to: peer, within: timeout)
        events.accept(connection)
        return connection
    }
}
