import BenchExecutor
import Crypto
import ESPChips
import ESPFlasher
import ESPImage
import MonotonicTime
import Testing
import VirtualBoard

/// Answers that come twice, late, or with noise after them: each operation's result is right, or it is an error.
@Suite struct RepeatedAnswerTests {
    enum Fault: String, CaseIterable, Sendable {
        case all, some, late, lateAndTwice

        var rates: NoisyPort.Rates {
            switch self {
            case .all: .init(repeated: 1)
            case .some: .init(repeated: 0.2)
            case .late: .init(delay: .milliseconds(200))
            case .lateAndTwice: .init(repeated: 1, delay: .milliseconds(200))
            }
        }
    }

    private static let base = 0x1_0000
    private static let count = 0x9000

    /// Calls `body` with a session over a line with `rates`, the board's content at ``base``, and the time used.
    private func session(
        _ rates: NoisyPort.Rates, seed: UInt64, withStub: Bool,
        _ body: @escaping @Sendable (Flasher, ConnectedBoard, TestBoard, [UInt8]) async throws -> Void
    ) throws -> Duration {
        let stub = withStub ? try EsptoolStub.image(for: .esp32) : nil
        var random = SeededRandom(seed: seed)
        let bytes = random.bytes(Self.count)
        let executor = BenchExecutor()
        return try executor.run {
            let board = try TestBoard(on: executor)
            let inner = try await board.powerOn().open(hasModemLines: true)
            try await board.program(bytes, at: Self.base)
            let port = NoisyPort(inner, rates, seed: seed, on: executor)
            let flasher = Flasher(port: port, clock: BenchClock(executor))
            let start = executor.now
            let connected = try await flasher.open(
                SessionOptions(baudRate: 921_600) { (_, _) throws(FlasherError) in stub })
            #expect(connected.macAddress == board.identity.macAddress)
            try await body(flasher, connected, board, bytes)
            return start.duration(to: executor.now)
        }
    }

    private static func range(_ offset: Int, _ count: Int) -> Range<UInt64> {
        UInt64(base + offset)..<UInt64(base + offset + count)
    }

    @Test(arguments: Fault.allCases, [false, true])
    func digestsAreThoseOfTheirRanges(fault: Fault, withStub: Bool) throws {
        for seed: UInt64 in 1...4 {
            _ = try session(fault.rates, seed: seed, withStub: withStub) { flasher, connected, _, bytes in
                for index in 0..<9 {
                    let found = try await flasher.digest(Self.range(index * 4096, 4096), of: connected)
                    let part = bytes[index * 4096..<(index + 1) * 4096]
                    #expect(found == Array(Insecure.MD5.hash(data: Array(part))), "sector \(index)")
                }
            }
        }
    }

    @Test(arguments: Fault.allCases, [false, true])
    func whatIsTheSameVerifiesAndWhatIsNotDiffers(fault: Fault, withStub: Bool) throws {
        for seed: UInt64 in 1...4 {
            _ = try session(fault.rates, seed: seed, withStub: withStub) { flasher, connected, _, bytes in
                let same = try FlashLayout([.init(name: "same", offset: UInt32(Self.base), bytes: bytes)])
                #expect(try await flasher.verify(same, on: connected).isEmpty)
                var changed = bytes
                changed[0x5001] ^= 1
                let other = try FlashLayout([.init(name: "other", offset: UInt32(Self.base), bytes: changed)])
                let found = try await flasher.verify(other, on: connected).flatMap(\.ranges)
                #expect(found == [Self.range(0x5000, 0x1000)])
            }
        }
    }

    @Test(arguments: Fault.allCases, [false, true])
    func whatIsReadIsTheFlash(fault: Fault, withStub: Bool) throws {
        for seed: UInt64 in 1...2 {
            _ = try session(fault.rates, seed: seed, withStub: withStub) { flasher, connected, _, bytes in
                let count = withStub ? Self.count : 0x400
                let found = try await flasher.read(Self.range(0, count), of: connected)
                #expect(found == Array(bytes.prefix(count)))
            }
        }
    }

    /// Each request waits for silence: the read is refused soon, instead of taking minutes for these few bytes.
    @Test(arguments: [0.5, 0.8, 1])
    func aReadThatCrawlsIsRefused(rate: Double) throws {
        for seed: UInt64 in 1...2 {
            let elapsed = try session(.init(doubled: rate), seed: seed, withStub: false) { flasher, connected, _, _ in
                let error = await #expect(throws: FlasherError.self) {
                    _ = try await flasher.read(Self.range(0, Self.count), of: connected)
                }
                #expect(error?.code == .noisyLine)
                #expect("\(error.map { "\($0)" } ?? "")".contains("is another program using the port?"))
            }
            #expect(elapsed < .seconds(90), "\(elapsed)")
        }
    }

    /// A line with long delays and no faults is never refused.
    @Test func aReadThatIsOnlySlowEnds() throws {
        let elapsed = try session(.init(delay: .milliseconds(800)), seed: 1, withStub: false) {
            flasher, connected, _, bytes in
            let found = try await flasher.read(Self.range(0, 0x1000), of: connected)
            #expect(found == Array(bytes.prefix(0x1000)))
        }
        #expect(elapsed > .seconds(40), "\(elapsed)")
    }

    @Test(arguments: Fault.allCases, [false, true])
    func whatIsWrittenIsTheFlash(fault: Fault, withStub: Bool) throws {
        for seed: UInt64 in 1...2 {
            _ = try session(fault.rates, seed: seed, withStub: withStub) { flasher, connected, board, _ in
                var random = SeededRandom(seed: seed + 100)
                let bytes = random.bytes(20_000)
                let layout = try FlashLayout([.init(name: "data", offset: UInt32(Self.base), bytes: bytes)])
                try await flasher.write(layout, to: connected)
                #expect(try await board.flashBytes(Self.base, bytes.count) == bytes)
            }
        }
    }

    @Test(arguments: Fault.allCases, [false, true])
    func whatIsErasedIsEmptyWhenTheEraseHasEnded(fault: Fault, withStub: Bool) throws {
        for seed: UInt64 in 1...2 {
            _ = try session(fault.rates, seed: seed, withStub: withStub) { flasher, connected, board, bytes in
                for sector in [0, 2, 3] {
                    try await flasher.erase(Self.range(sector * 4096, 4096), of: connected)
                    let found = try await board.flashBytes(Self.base + sector * 4096, 4096)
                    #expect(found.allSatisfy { $0 == 0xFF }, "sector \(sector)")
                }
                #expect(try await board.flashBytes(Self.base + 4096, 4096) == Array(bytes[4096..<8192]))
            }
        }
    }

    @Test(arguments: Fault.allCases, [false, true])
    func informationIsThatOfAQuietLine(fault: Fault, withStub: Bool) throws {
        for seed: UInt64 in 1...4 {
            _ = try session(fault.rates, seed: seed, withStub: withStub) { flasher, connected, board, _ in
                let found = try await flasher.information(of: connected)
                #expect(found.revision == 300)
                #expect(found.crystalMegahertz == 40)
                #expect(found.flashStatus == 0)
                #expect(found.board.flashSize == 4 << 20)
                #expect(found.flashSizeFromParameters == 4 << 20)
                let again = try await flasher.information(of: connected)
                #expect(again == found)
            }
        }
    }

    /// Bytes after each answer are skipped; when they end the operation, they do so soon.
    @Test(arguments: [1, 3, 40, 400], [false, true])
    func noiseAfterEachAnswerEndsInTheResultOrSoonInAnError(count: Int, withStub: Bool) throws {
        for seed: UInt64 in 1...4 {
            let executor = BenchExecutor()
            let stub = withStub ? try EsptoolStub.image(for: .esp32) : nil
            let (elapsed, error) = try executor.run { () -> (Duration, FlasherError?) in
                let board = try TestBoard(on: executor)
                let inner = try await board.powerOn().open(hasModemLines: true)
                let port = NoisyPort(inner, .init(noiseAfter: count), seed: seed, on: executor)
                let flasher = Flasher(port: port, clock: BenchClock(executor))
                let start = executor.now
                do throws(FlasherError) {
                    let connected = try await flasher.open(
                        SessionOptions(baudRate: 921_600) { (_, _) throws(FlasherError) in stub })
                    let found = try await flasher.digest(Self.range(0, 4096), of: connected)
                    #expect(found == Array(Insecure.MD5.hash(data: Array(repeating: UInt8(0xFF), count: 4096))))
                    return (start.duration(to: executor.now), nil)
                } catch {
                    return (start.duration(to: executor.now), error)
                }
            }
            #expect(error.map { $0.code == .noisyLine } ?? true, "\(error.map { "\($0)" } ?? "")")
            #expect(elapsed < .seconds(60), "\(elapsed): \(error.map { "\($0)" } ?? "the digest")")
        }
    }
}

extension TestBoard {
    /// Programs `bytes` at `offset` of the erased flash, and waits until that is done.
    func program(_ bytes: [UInt8], at offset: Int) throws {
        try machine.flash.program(bytes[...], at: offset, now: executor.now)
        try machine.flash.advance(to: executor.now.advanced(by: .seconds(3600)))
    }
}
