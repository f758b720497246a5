import BenchExecutor
import ESPChips
import ESPFlasher
import ESPImage
import MonotonicTime
import SerialPort
import Testing
import VirtualBoard

/// Sessions over a line that damages bytes end in a verified flash or a clear refusal, never in a hang or in a false
/// success.
@Suite struct NoiseTests {
    private struct Outcome: Sendable {
        var error: FlasherError?
        var isWritten = false
        var isRead = false
        var damaged = 0
        var restarts = 0
    }

    /// Writes and reads `count` bytes over a line with `rates`.
    private func run(
        _ rates: NoisyPort.Rates, seed: UInt64, withStub: Bool, count: Int = 60_000
    ) throws -> Outcome {
        let stub = withStub ? try EsptoolStub.image(for: .esp32) : nil
        var random = SeededRandom(seed: seed)
        let bytes = random.bytes(count / 2) + Array(repeating: 7, count: count / 2)
        let layout = try FlashLayout([.init(name: "data", offset: 0x1_0000, bytes: bytes)])
        let executor = BenchExecutor()
        return try executor.run {
            let board = try TestBoard(on: executor)
            let inner = try await board.powerOn().open(hasModemLines: true)
            let port = NoisyPort(inner, rates, seed: seed, on: executor)
            let flasher = Flasher(port: port, clock: BenchClock(executor))
            var outcome = Outcome()
            do throws(FlasherError) {
                let connected = try await flasher.open(
                    SessionOptions(baudRate: nil) { (_, _) throws(FlasherError) in stub })
                outcome.restarts = try await flasher.write(layout, to: connected).restarts
                outcome.isWritten = true
                let range: Range<UInt64> = 0x1_0000..<0x1_0000 + UInt64(bytes.count)
                outcome.isRead = try await flasher.read(range, of: connected) == bytes
            } catch {
                outcome.error = error
            }
            outcome.damaged = await port.damaged
            if outcome.isWritten {
                let found = try await board.flashBytes(0x1_0000, bytes.count)
                #expect(found == bytes, "a false success")
            }
            return outcome
        }
    }

    @Test(arguments: [1, 2, 3], [false, true])
    func bytesDroppedOnTheWayToTheHost(seed: UInt64, withStub: Bool) throws {
        let outcome = try run(.init(droppedToHost: 5e-4), seed: seed, withStub: withStub)
        #expect(outcome.error == nil, "\(String(describing: outcome.error))")
        #expect(outcome.isWritten && outcome.isRead)
        #expect(outcome.damaged > 0)
    }

    @Test(arguments: [1, 2, 3], [false, true])
    func bytesChangedOnTheWayToTheHost(seed: UInt64, withStub: Bool) throws {
        let outcome = try run(.init(changedToHost: 3e-3), seed: seed, withStub: withStub)
        #expect(outcome.error == nil, "\(String(describing: outcome.error))")
        #expect(outcome.isWritten && outcome.isRead)
        #expect(outcome.damaged > 10)
    }

    @Test(arguments: [1, 2, 3], [false, true])
    func bytesChangedBothWays(seed: UInt64, withStub: Bool) throws {
        // A genuine ROM refuses all blocks after a damaged one: without a stub a whole sector must arrive undamaged.
        let toBoard = withStub ? 3e-3 : 1e-4
        let outcome = try run(
            .init(changedToHost: 3e-3, changedToBoard: toBoard), seed: seed, withStub: withStub, count: 16_000)
        #expect(outcome.error == nil, "\(String(describing: outcome.error))")
        #expect(outcome.isWritten && outcome.isRead)
        #expect(outcome.restarts > 0 || !withStub)
    }

    @Test(arguments: [1, 2, 3], [false, true])
    func answersThatComeLateOrTwice(seed: UInt64, withStub: Bool) throws {
        let outcome = try run(.init(doubled: 0.05, late: 0.01), seed: seed, withStub: withStub, count: 20_000)
        #expect(outcome.error == nil, "\(String(describing: outcome.error))")
        #expect(outcome.isWritten && outcome.isRead)
    }

    @Test(arguments: [1, 2, 3, 4], [0.02, 0.1, 0.5])
    func aLineThatIsTooBadIsRefusedClearly(seed: UInt64, rate: Double) throws {
        let outcome = try run(
            .init(droppedToHost: rate, droppedToBoard: rate), seed: seed, withStub: true, count: 8000)
        if let error = outcome.error {
            let codes: [FlasherError.Code] = [
                .noAnswer, .otherProgram, .noisyLine, .timeout, .malformedAnswer, .refused, .unknownChip, .noFlash,
                .readMismatch, .verifyMismatch, .secureDownload,
            ]
            #expect(codes.contains(error.code), "\(error)")
        } else {
            #expect(outcome.isWritten && outcome.isRead)
        }
    }
}
