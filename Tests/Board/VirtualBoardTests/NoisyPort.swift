import BenchExecutor
import MonotonicTime
import SerialPort

/// A port whose line drops, changes, doubles and delays bytes, by a seed.
actor NoisyPort: SerialPort {
    /// How often a byte is damaged, by direction; how often what comes is delayed or comes twice.
    struct Rates: Sendable {
        var droppedToHost = 0.0
        var changedToHost = 0.0
        var droppedToBoard = 0.0
        var changedToBoard = 0.0
        var doubled = 0.0
        var late = 0.0
        /// How often what comes is repeated after 20 to 50 ms.
        var repeated = 0.0
        /// How long everything takes to come.
        var delay = Duration.zero
        /// How many random bytes follow whatever comes.
        var noiseAfter = 0
    }

    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let port: any SerialPort
    private var random: SeededRandom
    private let rates: Rates
    private(set) var damaged = 0
    /// What is on its way to the host, in order.
    private var coming: [(due: MonotonicInstant, bytes: [UInt8])] = []

    nonisolated var name: String { "noisy" }
    nonisolated let hasModemLines: Bool
    nonisolated let traits: PortTraits

    init(_ port: any SerialPort, _ rates: Rates, seed: UInt64, on executor: BenchExecutor) {
        self.port = port
        self.rates = rates
        self.executor = executor
        random = SeededRandom(seed: seed)
        hasModemLines = port.hasModemLines
        traits = port.traits
    }

    private func happens(_ rate: Double) -> Bool {
        rate > 0 && Double(random.next() >> 11) / Double(1 << 53) < rate
    }

    private func damage(_ bytes: [UInt8], dropped: Double, changed: Double) -> [UInt8] {
        guard dropped > 0 || changed > 0 else { return bytes }
        var result: [UInt8] = []
        for byte in bytes {
            if happens(dropped) {
                damaged += 1
            } else if happens(changed) {
                damaged += 1
                result.append(byte ^ 1 << UInt8(random.next() & 7))
            } else {
                result.append(byte)
            }
        }
        return result
    }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        let deadline = timeout.map { executor.now.advanced(by: $0) }
        while true {
            if let first = coming.first, first.due <= executor.now {
                if first.bytes.count <= maximum { return coming.removeFirst().bytes }
                coming[0].bytes.removeFirst(maximum)
                return Array(first.bytes.prefix(maximum))
            }
            let end = [coming.first?.due, deadline].compactMap { $0 }.min()
            let received = try await port.read(upTo: maximum, within: end.map { executor.now.duration(to: $0) })
            if !received.isEmpty {
                try await receive(received)
            } else if let deadline, executor.now >= deadline, coming.first.map({ $0.due > deadline }) ?? true {
                return []
            }
        }
    }

    private func receive(_ bytes: [UInt8]) async throws {
        if happens(rates.late) { try await port.pause(for: .milliseconds(1500)) }
        let received = damage(bytes, dropped: rates.droppedToHost, changed: rates.changedToHost)
        let noise = random.bytes(rates.noiseAfter)
        let doubled = happens(rates.doubled) ? received + received : received
        let due = executor.now.advanced(by: rates.delay)
        coming.append((due, doubled + noise))
        if happens(rates.repeated) {
            let later = Duration.milliseconds(20 + Int64(random.next() % 31))
            coming.append((due.advanced(by: later), received))
        }
        coming.sort { $0.due < $1.due }
    }

    func write(_ bytes: [UInt8]) async throws {
        try await port.write(damage(bytes, dropped: rates.droppedToBoard, changed: rates.changedToBoard))
    }

    func discardInput() async throws {
        coming.removeAll { $0.due <= executor.now }
        try await port.discardInput()
    }

    func configure(_ settings: SerialSettings) async throws { try await port.configure(settings) }
    func setModemLines(_ lines: ModemLines) async throws { try await port.setModemLines(lines) }
    func pause(for duration: Duration) async throws { try await port.pause(for: duration) }
    func close() async { await port.close() }
}
