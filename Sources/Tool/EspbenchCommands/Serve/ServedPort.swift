import SerialPort

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
    /// The open port; `nil` while no client has it.
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

    /// Resets the board, into its loader if asked; opens the port for that if no client has it.
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
