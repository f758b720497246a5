import CommandSupport
import SerialNetwork
import SerialPort
import SerialPOSIX

/// Real boards on ports of this machine, served to other programs until the program is ended.
struct ServedPorts: Sendable {
    private static let help = "r reset, l restart into the loader, q quit"

    private let keyboard: ServeKeyboard
    private let output: Output
    private let isJSON: Bool
    private var ports: [ServedPort] = []
    private var serial: [(offer: SerialOffer, port: ServedPort)] = []

    /// No ports yet.
    ///
    /// - Parameters:
    ///   - takesKeys: whether keys are read from standard input even if it is not a terminal.
    ///   - isJSON: whether addresses are printed as objects.
    init(takesKeys: Bool, isJSON: Bool, _ output: Output) {
        self.isJSON = isJSON
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
                for (offer, port) in serial {
                    let address = ServedAddress(address: offer.address, port: port.address.text)
                    output.data(try address.line(isJSON: isJSON))
                }
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

/// A port of this machine that is served to one client at a time, and reset on demand.
actor ServedPort {
    /// The port, as a client of the server sees it.
    private final class Lease: SerialPort {
        private let port: any SerialPort
        private let onClose: @Sendable () async -> Void

        init(_ port: any SerialPort, onClose: @escaping @Sendable () async -> Void) {
            self.port = port
            self.onClose = onClose
        }

        var name: String { port.name }
        var hasModemLines: Bool { port.hasModemLines }
        var traits: PortTraits { port.traits }

        func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
            try await port.read(upTo: maximum, within: timeout)
        }

        func write(_ bytes: [UInt8]) async throws { try await port.write(bytes) }
        func discardInput() async throws { try await port.discardInput() }
        func configure(_ settings: SerialSettings) async throws { try await port.configure(settings) }
        func setModemLines(_ lines: ModemLines) async throws { try await port.setModemLines(lines) }
        func pause(for duration: Duration) async throws { try await port.pause(for: duration) }

        func close() async {
            await port.close()
            await onClose()
        }
    }

    nonisolated let address: PortAddress
    /// The open port; `nil` while no client uses it.
    private var port: (any SerialPort)?
    private var isOpening = false

    init(_ address: PortAddress) {
        self.address = address
    }

    /// Opens the port for a client.
    ///
    /// - Throws: ``SerialPortError``: `busy` while another client has it.
    func open() async throws -> any SerialPort {
        guard port == nil, !isOpening else {
            throw SerialPortError(.busy, port: address.text, "another client has it")
        }
        isOpening = true
        defer { isOpening = false }
        let opened = try await Ports.open(address)
        port = opened
        return Lease(opened) { await self.closed() }
    }

    private func closed() { port = nil }

    /// Resets the board, into its loader if `intoLoader` is true. If no client uses the port, opens it for the reset.
    func reset(intoLoader: Bool) async throws {
        if let port {
            try await Self.reset(port, intoLoader)
            return
        }
        let lease = try await open()
        do {
            try await Self.reset(lease, intoLoader)
        } catch {
            await lease.close()
            throw error
        }
        await lease.close()
    }

    private static func reset(_ port: any SerialPort, _ intoLoader: Bool) async throws {
        guard port.hasModemLines else {
            throw SerialPortError(.noModemLines, port: port.name, "it has no DTR and RTS to reset the board by")
        }
        try await ResetSequence.reset(port, intoLoader: intoLoader)
    }
}
