import Foundation
import SerialPort

/// Real boards on ports of this machine, served to other programs until the program is ended.
struct ServedPorts: Sendable {
    private static let help = "r reset, l restart into the loader, q quit"

    private let hasKeys: Bool
    private let output: Output
    private var ports: [ServedPort] = []
    private var serial: [(offer: SerialOffer, port: ServedPort)] = []

    /// Nothing to serve yet.
    ///
    /// - Parameter takesKeys: whether keys are read from standard input even if it is no terminal.
    init(takesKeys: Bool, _ output: Output) {
        hasKeys = takesKeys || RawTerminal.isInForeground
        self.output = output
    }

    /// Adds the port at `address`, served by `offers`.
    mutating func add(_ address: PortAddress, _ offers: [SerialOffer]) throws {
        let port = ServedPort(address)
        ports.append(port)
        for offer in offers { serial.append((offer, port)) }
        if let note = SerialOffer.note(offers, resetKeys: hasKeys ? "the keys r and l" : nil) { output.note(note) }
    }

    /// Prints the addresses, and serves clients until the user ends it.
    func run() async throws {
        let terminal = hasKeys ? RawTerminal() : nil
        defer { terminal?.leave() }
        // From the first printed address on a signal must end the program cleanly.
        let (signals, continuation) = AsyncStream.makeStream(of: Never.self)
        EndingSignals.watch { _ in continuation.finish() }
        defer { EndingSignals.end() }
        for (offer, port) in serial { output.data("\(offer.address)  \(port.address.text)\n") }
        // Without the addresses no client could connect.
        try output.checkData()
        await withTaskGroup(of: Void.self) { group in
            for (offer, port) in serial {
                group.addTask { await offer.run { try await port.open() } }
            }
            await waitForEnd(signals)
            for (offer, _) in serial { offer.stop() }
        }
    }

    private func waitForEnd(_ signals: AsyncStream<Never>) async {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in signals {}
                return true
            }
            if hasKeys {
                // In the background, reading fails instead of stopping the process.
                signal(SIGTTIN, SIG_IGN)
                signal(SIGTTOU, SIG_IGN)
                note()
                group.addTask { await handleKeys() }
            }
            while let isOver = await group.next() {
                if isOver { break }
            }
            group.cancelAll()
        }
    }

    private func note() {
        output.note("keys: \(ports.count > 1 ? "1-\(min(ports.count, 9)) choose the board, " : "")\(Self.help)")
    }

    /// Performs typed keys; returns `true` at the quit key, `false` at the end of input.
    private func handleKeys() async -> Bool {
        var chosen = 0
        for await bytes in KeyboardInput.bytes(until: ServeKey.quitByte) {
            for byte in bytes where byte != 0x0A && byte != 0x0D {
                switch ServeKey(byte, boardCount: ports.count) {
                case .quit: return true
                case .choose(let index):
                    chosen = index
                    output.note("keys control \(index + 1) \(ports[index].address)")
                case .reset: await reset(ports[chosen], intoLoader: false)
                case .resetIntoLoader: await reset(ports[chosen], intoLoader: true)
                default: note()
                }
            }
        }
        return false
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
