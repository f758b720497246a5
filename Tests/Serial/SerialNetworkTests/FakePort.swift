import SerialPort

/// A port in memory: echoes what it receives, and records the calls.
actor FakePort: SerialPort {
    nonisolated let name = "fake"
    nonisolated let hasModemLines: Bool
    private(set) var history: [String] = []
    private(set) var received: [UInt8] = []
    private var outgoing: [UInt8] = []
    private var reader: CheckedContinuation<[UInt8], any Error>?
    private var isClosed = false
    private let echoes: Bool
    nonisolated let traits: PortTraits

    init(echoes: Bool = true, interface: PortTraits.Interface = .uart, hasModemLines: Bool = true) {
        self.hasModemLines = hasModemLines
        self.echoes = echoes
        traits = PortTraits(interface: interface)
    }

    /// Makes the port deliver `bytes`.
    func deliver(_ bytes: [UInt8]) {
        outgoing += bytes
        guard let reader, !outgoing.isEmpty else { return }
        self.reader = nil
        let taken = outgoing
        outgoing = []
        reader.resume(returning: taken)
    }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        if isClosed { throw SerialPortError(.disconnected, port: name, "closed") }
        if !outgoing.isEmpty {
            defer { outgoing.removeFirst(min(maximum, outgoing.count)) }
            return Array(outgoing.prefix(maximum))
        }
        return try await withCheckedThrowingContinuation { reader = $0 }
    }

    func write(_ bytes: [UInt8]) async throws {
        received += bytes
        if echoes { deliver(bytes) }
    }

    func discardInput() async throws {
        history.append("discard")
        outgoing = []
    }

    func configure(_ settings: SerialSettings) async throws {
        guard settings.baudRate <= 5_000_000 else {
            throw SerialPortError(.unsupported, port: name, "expected at most 5000000 baud, got \(settings.baudRate)")
        }
        history.append("baud \(settings.baudRate)")
    }

    func setModemLines(_ lines: ModemLines) async throws {
        history.append("dtr \(lines.dtr ? 1 : 0) rts \(lines.rts ? 1 : 0)")
    }

    func pause(for duration: Duration) async throws {
        history.append("pause \(Int(duration / .milliseconds(1)))")
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        history.append("close")
        reader?.resume(throwing: SerialPortError(.disconnected, port: name, "closed"))
        reader = nil
    }
}
