import BLECore

/// What a central has and does, as it changes: for who keeps it in a file.
package enum CentralJournalEntry: Sendable, Hashable {
    /// There is a connection; the peer's name, if it is known.
    case connected(PeerID, name: String?)
    /// The security of the connection has changed: the peer's identity may be known now.
    case secured(PeerID)
    /// No connection to the peer is wanted any more.
    case disconnected(PeerID)
    /// What is subscribed: told before the peripheral is asked to send values, and after it was asked to stop.
    case subscribed(PeerID, CharacteristicPath, Subscription)
    /// An operation begins.
    case began(Int, PeerID, CentralOperation)
    /// An operation has ended, whatever became of it.
    case ended(Int)
}

/// An operation of a characteristic that has an answer.
public struct CentralOperation: Sendable, Hashable {
    /// What is done.
    public enum Kind: Sendable, Hashable {
        /// Its value is read.
        case read
        /// The value is written.
        case write([UInt8], WriteKind)

        fileprivate var word: String { if case .read = self { "read" } else { "write" } }
    }

    /// Of which characteristic.
    public var path: CharacteristicPath
    /// What is done.
    public var kind: Kind

    /// An operation.
    public init(_ kind: Kind, _ path: CharacteristicPath) {
        self.kind = kind
        self.path = path
    }
}

extension Central {
    /// Has what happens from now on told to `journal`, on the executor, before what follows from it.
    package func setJournal(_ journal: (@Sendable (CentralJournalEntry) -> Void)?) { self.journal = journal }

    /// Runs an operation of a connection, which is in the journal meanwhile.
    ///
    /// - Parameter uuid: the characteristic's, for errors.
    func operate<Value: Sendable>(
        _ kind: CentralOperation.Kind, on attribute: AttributeID, of peer: PeerID, _ uuid: BLEUUID,
        within timeout: Duration?, _ body: @escaping @Sendable (ConnectionID) async throws(CentralError) -> Value
    ) async throws(CentralError) -> Value {
        let link = try link(to: peer, for: "\(kind.word) \(uuid)")
        let connection = link.connection
        var number: Int?
        if let journal, let path = CharacteristicPath(of: attribute, in: link.discovered) {
            let next = nextNumber()
            number = next
            journal(.began(next, peer, CentralOperation(kind, path)))
        }
        defer { if let number { journal?(.ended(number)) } }
        guard let timeout else { return try await body(connection) }
        return try await timed(timeout, "\(kind.word) \(uuid): expected a response in time, got none") {
            () async throws(CentralError) in
            try await body(connection)
        }
    }
}
