import BenchExecutor
import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import MonotonicTime
import SerialPort
import Testing
import VirtualBoard

/// A line that does not carry high rates: all of them, or only short frames at them.
private actor SlowPort: SerialPort {
    enum Fault: Sendable, CaseIterable {
        /// Every byte is damaged, both ways.
        case everything
        /// What is longer than the commands of the check is damaged.
        case longFrames
        /// The port refuses the setting.
        case setting
    }

    nonisolated let executor: BenchExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let port: any SerialPort
    private let limit: Int
    private let fault: Fault
    private var rate = SerialSettings.default.baudRate
    private(set) var rates: [Int] = []

    nonisolated var name: String { "slow" }
    nonisolated var hasModemLines: Bool { port.hasModemLines }

    init(_ port: any SerialPort, limit: Int, _ fault: Fault, on executor: BenchExecutor) {
        (self.port, self.limit, self.fault, self.executor) = (port, limit, fault, executor)
    }

    private func passed(_ bytes: [UInt8]) -> [UInt8] {
        let isDamaged = rate > limit && (fault == .everything || fault == .longFrames && bytes.count > 64)
        return isDamaged ? bytes.map { $0 ^ 0x24 } : bytes
    }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        let bytes = try await port.read(upTo: maximum, within: timeout)
        return fault == .everything ? passed(bytes) : bytes
    }

    func write(_ bytes: [UInt8]) async throws { try await port.write(passed(bytes)) }

    func configure(_ settings: SerialSettings) async throws {
        if fault == .setting, settings.baudRate > limit {
            throw SerialPortError(.unsupported, port: name, "no \(settings.baudRate) bits per second")
        }
        try await port.configure(settings)
        if settings.baudRate != rate { rates.append(settings.baudRate) }
        rate = settings.baudRate
    }

    func discardInput() async throws { try await port.discardInput() }
    func setModemLines(_ lines: ModemLines) async throws { try await port.setModemLines(lines) }
    func pause(for duration: Duration) async throws { try await port.pause(for: duration) }
    func close() async { await port.close() }
}

/// A rate that the line does not carry is followed by the next lower, with the stub and without.
@Suite struct RateFallbackTests {
    private func open(
        _ fault: SlowPort.Fault, limit: Int, withStub: Bool, hasModemLines: Bool = true
    ) throws -> (rate: Int, rates: [Int]) {
        let stub = withStub ? try EsptoolStub.image(for: .esp32) : nil
        let executor = BenchExecutor()
        return try executor.run {
            let board = try TestBoard(on: executor)
            let line = try await board.powerOn().open(hasModemLines: hasModemLines)
            let port = SlowPort(line, limit: limit, fault, on: executor)
            let flasher = Flasher(port: port, clock: BenchClock(executor))
            let connected = try await flasher.open(
                SessionOptions(baudRate: 921_600) { (_, _) throws(FlasherError) in stub })
            #expect(flasher.dialect == (withStub ? .stub : .rom))
            var random = SeededRandom(seed: 8)
            let bytes = random.bytes(20_000)
            let layout = try FlashLayout([.init(name: "data", offset: 0x1_0000, bytes: bytes)])
            let rate = flasher.baudRate
            if withStub || fault != .longFrames {
                #expect(try await flasher.write(layout, to: connected).isVerified)
                #expect(try await board.flashBytes(0x1_0000, bytes.count) == bytes)
            }
            return (rate, await port.rates)
        }
    }

    @Test(arguments: [SlowPort.Fault.everything, .setting], [false, true])
    private func theCheckFindsTheRate(fault: SlowPort.Fault, withStub: Bool) throws {
        let found = try open(fault, limit: 300_000, withStub: withStub)
        #expect(found.rate == 230_400)
        let tried = fault == .setting ? [] : [921_600, 460_800]
        #expect(tried.allSatisfy(found.rates.contains), "\(found.rates)")
        #expect(try open(fault, limit: 115_200, withStub: withStub).rate == 115_200)
    }

    @Test(arguments: [115_200, 230_400, 460_800, 921_600])
    func aRateThatLosesTheStubsBlocksIsLowered(limit: Int) throws {
        let found = try open(.longFrames, limit: limit, withStub: true)
        #expect(found.rate == limit)
        #expect(found.rates.first == 921_600)
    }
}
