import SerialNetwork
import SerialPort
import SerialPOSIX

/// A server through which a serial line can be reached.
package enum SerialOffer: Sendable {
    /// A TCP server; `resetsBoard`: without modem lines, a SYNC resets the board into download mode.
    case network(SerialServer, SerialServer.Transport, resetsBoard: Bool)
    /// A pseudo-terminal.
    case terminal(PTYServer, link: PortLink?)

    /// The address for clients, e.g. `rfc2217://127.0.0.1:4001` or `/dev/pts/3`.
    package var address: String {
        switch self {
        case .network(let server, _, _): server.address.text
        case .terminal(let server, let link): link?.path ?? server.path
        }
    }

    /// True if a client can set DTR and RTS.
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

    /// The note on how a client without modem lines can reset the board; `nil` if each of `offers` has modem lines.
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
