import SerialPort

/// Real boards on ports of this machine, served to other programs until the program is ended.
struct ServedPorts: Sendable {
    private static let help = "r reset, l restart into the loader, q quit"

    private let keyboard: ServeKeyboard
    private let output: Output
    private var ports: [ServedPort] = []
    private var serial: [(offer: SerialOffer, port: ServedPort)] = []

    /// Nothing to serve yet.
    ///
    /// - Parameter takesKeys: whether keys are read from standard input even if it is no terminal.
    init(takesKeys: Bool, _ output: Output) {
        keyboard = ServeKeyboard(takesKeys: takesKeys, output)
        self.output = output
    }

    /// Adds the port at `address`, served by `offers`.
    mutating func add(_ address: PortAddress, _ offers: [SerialOffer]) throws {
        let port = ServedPort(address)
        ports.append(port)
        for offer in offers { serial.append((offer, port)) }
        if let note = SerialOffer.note(offers, resetKeys: keyboard.isUsed ? "the keys r and l" : nil) {
            output.note(note)
        }
    }

    /// Prints the addresses, and serves clients until the user ends it.
    func run() async throws {
        let choice = ports.count > 1 ? "1-\(min(ports.count, 9)) choose the board, " : ""
        try await keyboard.run(
            boards: ports.map(\.address.text), help: "keys: \(choice)\(Self.help)",
            perform: { [self] key, index in
                guard key == .reset || key == .resetIntoLoader else { return false }
                await reset(ports[index], intoLoader: key == .resetIntoLoader)
                return true
            },
            { untilEnd in
                for (offer, port) in serial { output.data("\(offer.address)  \(port.address.text)\n") }
                // Without the addresses no client could connect.
                try output.checkData()
                await withTaskGroup(of: Void.self) { group in
                    for (offer, port) in serial {
                        group.addTask { await offer.run { try await port.open() } }
                    }
                    await untilEnd()
                    for (offer, _) in serial { offer.stop() }
                }
            })
    }

    private func reset(_ port: ServedPort, intoLoader: Bool) async {
        do {
            try await port.reset(intoLoader: intoLoader)
            output.note("\(port.address): reset\(intoLoader ? " into the loader" : "")")
        } catch {
            output.note("\(error)")
        }
    }
}
