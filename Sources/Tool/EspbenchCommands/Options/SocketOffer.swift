import ArgumentParser

/// A TCP port of `serve --socket`: its number, and whether its client can do without modem lines.
struct SocketOffer: Sendable, Equatable {
    /// The word for a port whose board does not reset itself.
    static let noReset = "noreset"

    /// The TCP port; 0: any.
    let port: UInt16
    /// Whether a SYNC resets the board into download mode, and closing the connection restarts it.
    let resetsBoard: Bool

    /// A port whose board resets itself.
    init(port: UInt16) {
        self.port = port
        resetsBoard = true
    }

    /// Parses `PORT` or `PORT,noreset`.
    init(_ text: String) throws {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = parts.first.flatMap({ UInt16($0) }), parts.count == 1 || parts[1] == Self.noReset else {
            throw ValidationError("expected a port or 'port,\(Self.noReset)', got '\(text)'")
        }
        self.port = port
        resetsBoard = parts.count == 1
    }
}
