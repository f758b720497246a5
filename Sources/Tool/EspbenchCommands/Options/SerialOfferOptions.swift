import ArgumentParser
import Foundation
import SerialNetwork
import SerialPOSIX

/// By which ways serial lines are served.
struct SerialOfferOptions: ParsableArguments {
    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp(
            "Serve raw bytes on this TCP port; 0: any. Once per board. With ',noreset' a client cannot reset the board.",
            valueName: "port"),
        transform: SocketOffer.init)
    var sockets: [SocketOffer] = []

    @Option(
        name: .customLong("rfc2217"),
        help: ArgumentHelp(
            "Serve RFC 2217, with modem lines, on this TCP port; 0: any. Once per board.", valueName: "port"))
    var rfc2217: [UInt16] = []

    @Flag(help: "Serve each board as a pseudo-terminal, for programs that want the path of a tty.")
    var pty = false

    @Option(
        name: .customLong("pty-link"),
        help: ArgumentHelp(
            "Create a link to the board's pseudo-terminal here; implies --pty. Once per board.", valueName: "file"),
        completion: .file())
    var links: [String] = []

    @Option(
        help: ArgumentHelp(
            "The address to listen on; any address but loopback admits other machines.", valueName: "address"))
    var listen = "127.0.0.1"

    /// Checks that no option is given more often than there are boards.
    func check(boardCount: Int) throws {
        for (name, count) in [
            ("--socket", sockets.count), ("--rfc2217", rfc2217.count), ("--pty-link", links.count),
        ] where count > boardCount {
            throw ValidationError("\(name) is given \(count) times for \(boardCount) boards.")
        }
    }

    /// The offers of the board at `index`: without options, one of each kind on TCP.
    ///
    /// - Throws: `SerialPortError` when an address or link cannot be used.
    func offers(_ index: Int, log: @escaping @Sendable (String) -> Void) throws -> [SerialOffer] {
        let isAnyGiven = !sockets.isEmpty || !rfc2217.isEmpty || pty || !links.isEmpty
        var result: [SerialOffer] = []
        for offer in isAnyGiven ? Array(sockets.dropFirst(index).prefix(1)) : [SocketOffer(port: 0)] {
            let server = try SerialServer(.socket, host: listen, port: offer.port, log: log)
            result.append(.network(server, .socket, resetsBoard: offer.resetsBoard))
        }
        for port in isAnyGiven ? Array(rfc2217.dropFirst(index).prefix(1)) : [0] {
            let server = try SerialServer(.rfc2217, host: listen, port: port, log: log)
            result.append(.network(server, .rfc2217, resetsBoard: true))
        }
        // Ports are absolute paths.
        let link = links.dropFirst(index).first.map { URL(filePath: $0).standardizedFileURL.path }
        if pty || link != nil {
            let server = try PTYServer(log: log)
            result.append(.terminal(server, link: try link.map { try PortLink($0, to: server.path) }))
        }
        return result
    }
}
