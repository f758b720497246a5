import BenchExecutor
import ESPChips
import ESPFlasher
import ESPImage
import MonotonicTime
import SerialPort
import Testing
import VirtualBoard

/// How much of the line's time a session uses, in virtual time, with a flash that takes its typical times.
@Suite struct LoaderSpeedTests {
    private struct Times: Sendable {
        var open = Duration.zero
        var write = Duration.zero
        var again = Duration.zero
        var read = Duration.zero
    }

    private func times(_ bytes: [UInt8], rate: Int, withStub: Bool) throws -> Times {
        let stub = withStub ? try EsptoolStub.image(for: .esp32) : nil
        let layout = try FlashLayout([.init(name: "application", offset: 0x1_0000, bytes: bytes)])
        let executor = BenchExecutor()
        return try executor.run {
            let board = try TestBoard(on: executor, pace: .line)
            let port = try await board.powerOn().open(hasModemLines: true)
            let flasher = Flasher(port: port, clock: BenchClock(executor))
            var times = Times()
            var start = executor.now
            func lap() -> Duration {
                let now = executor.now
                defer { start = now }
                return start.duration(to: now)
            }
            // An old content that differs everywhere, as after another build.
            try await board.program(Array(repeating: 0, count: 4 << 20), at: 0)
            let connected = try await flasher.open(
                SessionOptions(baudRate: rate) { (_, _) throws(FlasherError) in stub })
            times.open = lap()
            try await flasher.write(layout, to: connected)
            times.write = lap()
            #expect(try await flasher.write(layout, to: connected).sent == 0)
            times.again = lap()
            if withStub {
                let range: Range<UInt64> = 0x1_0000..<0x1_0000 + UInt64(bytes.count)
                #expect(try await flasher.read(range, of: connected) == bytes)
                times.read = lap()
            }
            return times
        }
    }

    @Test(arguments: [460_800, 921_600], [true, false])
    func aRandomMegabyteTakesTheTimeOfTheLine(rate: Int, withStub: Bool) throws {
        var random = SeededRandom(seed: 1)
        let bytes = random.bytes(1 << 20)
        let times = try times(bytes, rate: rate, withStub: withStub)
        // Ten bits a byte; what SLIP escapes of random data is the protocol's.
        let line = Duration.seconds(Double(bytes.count) * (1 + 2 / 256.0) * 10 / Double(rate))
        // A ROM erases before it answers, in blocks of 64 KB.
        let flash: Duration = withStub ? .zero : .milliseconds(150) * 16
        #expect((line + flash) / times.write >= 0.97)
        #expect(times.again < .milliseconds(500))
        #expect(times.open < .milliseconds(1000))
        if withStub { #expect(line / times.read > 0.99) }
    }
}
