import ArgumentParser
import SerialNetwork

/// By which TCP ports the far ends of the boards' other UARTs are served.
struct UARTOfferOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve what is wired to UART 1 of a virtual board (Serial1) as raw bytes on this TCP port; 0: any. Once per board. With ',rtscts' bytes are sent only while the board's RTS asks for them.",
            valueName: "port"),
        transform: UARTOffer.init)
    var uart1: [UARTOffer] = []

    @Option(
        help: ArgumentHelp("The same for UART 2 (Serial2).", valueName: "port"), transform: UARTOffer.init)
    var uart2: [UARTOffer] = []

    /// Whether there is none.
    var isEmpty: Bool { uart1.isEmpty && uart2.isEmpty }

    /// Checks that no option is given more often than there are sketches.
    func check(sketchCount: Int) throws {
        for (name, count) in [("--uart1", uart1.count), ("--uart2", uart2.count)] where count > sketchCount {
            throw ValidationError("\(name) is given \(count) times for \(sketchCount) sketches.")
        }
    }

    /// The servers for the board at `index`.
    ///
    /// - Throws: `SerialPortError` when an address cannot be used.
    func servers(
        _ index: Int, listen: String, log: @escaping @Sendable (String) -> Void
    ) throws -> [(uart: Int, watchesRTS: Bool, offer: SerialOffer)] {
        try [(1, uart1), (2, uart2)].flatMap { uart, offers in
            try offers.dropFirst(index).prefix(1).map { offer in
                let server = try SerialServer(.socket, host: listen, port: offer.port, log: log)
                return (uart, offer.watchesRTS, .network(server, .socket, resetsBoard: false))
            }
        }
    }
}

/// A TCP port of `serve --uart1`.
struct UARTOffer: Sendable, Equatable {
    /// The word for a far end that watches RTS.
    static let flowControl = "rtscts"

    /// The TCP port; 0: any.
    let port: UInt16
    /// Whether bytes are sent only while the board's RTS asks for them.
    let watchesRTS: Bool

    /// Parses `PORT` or `PORT,rtscts`.
    init(_ text: String) throws {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = parts.first.flatMap({ UInt16($0) }), parts.count == 1 || parts[1] == Self.flowControl else {
            throw ValidationError("expected a port or 'port,\(Self.flowControl)', got '\(text)'")
        }
        self.port = port
        watchesRTS = parts.count == 2
    }
}
