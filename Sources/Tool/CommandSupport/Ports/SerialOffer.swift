import SerialNetwork
import SerialPort
import SerialPOSIX

/// One way by which a served serial line can be reached.
package enum SerialOffer: Sendable {
    /// On TCP; without modem lines, whether a SYNC resets the board into download mode.
    case network(SerialServer, SerialServer.Transport, resetsBoard: Bool)
    /// As a pseudo-terminal.
    case terminal(PTYServer, link: PortLink?)

    /// The address for clients, e.g. `rfc2217://127.0.0.1:4001` or `/dev/pts/3`.
    package var address: String {
        switch self {
        case .network(let server, _, _): server.address.text
        case .terminal(let server, let link): link?.path ?? server.path
        }
    }

    /// True if a client has DTR and RTS.
    package var hasModemLines: Bool {
        if case .network(_, .rfc2217, _) = self { return true }
        return false
    }

    /// True if a virtual board enters download mode at a SYNC of a client without modem lines.
    package var resetsBoard: Bool {
        if case .network(_, _, let resetsBoard) = self { return resetsBoard }
        return true
    }

    /// Serves clients until ``stop()`` is called or the task is cancelled.
    package func run(opening open: @escaping @Sendable () async throws -> any SerialPort) async {
        switch self {
        case .network(let server, _, _):
            await server.run(opening: open)
        case .terminal(let server, let link):
            await server.run(opening: open)
            link?.remove()
        }
    }

    /// Ends ``run(opening:)``.
    package func stop() {
        switch self {
        case .network(let server, _, _): server.stop()
        case .terminal(let server, _): server.stop()
        }
    }

    /// How a client of `offers` without modem lines gets the board reset; `nil` if there is no such client.
    package static func note(_ offers: [SerialOffer], resetKeys: String?) -> String? {
        let terminals = offers.filter {
            if case .terminal = $0 { return true }
            return false
        }
        guard !terminals.isEmpty else { return nil }
        var ways: [String] = []
        if let resetKeys { ways.append(resetKeys) }
        let others = offers.filter(\.hasModemLines).map(\.address)
        ways.append(others.isEmpty ? "serve --rfc2217 0" : others.joined(separator: " or "))
        let names = terminals.map(\.address).joined(separator: ", ")
        return
            "\(names): a pseudo-terminal has no DTR and RTS; to reset the board, use \(ways.joined(separator: ", or "))"
    }
}
