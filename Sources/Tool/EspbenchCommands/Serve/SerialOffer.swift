import SerialNetwork
import SerialPOSIX
import SerialPort

/// One way by which a served serial line can be reached.
enum SerialOffer: Sendable {
    case network(SerialServer, SerialServer.Transport)
    case terminal(PTYServer, link: PortLink?)

    /// What a client uses, e.g. `rfc2217://127.0.0.1:4001` or `/dev/pts/3`.
    var address: String {
        switch self {
        case .network(let server, _): server.address.text
        case .terminal(let server, let link): link?.path ?? server.path
        }
    }

    /// Whether a client has DTR and RTS.
    var hasModemLines: Bool {
        if case .network(_, .rfc2217) = self { return true }
        return false
    }

    /// Serves clients until ``stop()`` is called or the task is cancelled.
    func run(opening open: @escaping @Sendable () async throws -> any SerialPort) async {
        switch self {
        case .network(let server, _):
            await server.run(opening: open)
        case .terminal(let server, let link):
            await server.run(opening: open)
            link?.remove()
        }
    }

    /// Ends ``run(opening:)``.
    func stop() {
        switch self {
        case .network(let server, _): server.stop()
        case .terminal(let server, _): server.stop()
        }
    }

    /// How a client of `offers` without modem lines gets the board reset; `nil` if there is no such client.
    static func note(_ offers: [SerialOffer], resetKeys: String?) -> String? {
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
