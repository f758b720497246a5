import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import MonotonicTime
import SerialPort
import BenchExecutor
import Testing
import VirtualBoard

/// Our flasher on our board, in virtual time. Other tests validate each separately: the board with esptool, the flasher
/// with scripts.
@Suite struct FlasherTests {
    private static let table: FlashLayout.Region? = try? .init(
        name: "partition table", offset: PartitionTable.offset, bytes: PartitionTable.arduino4MB.bytes())

    private static func layout() throws -> FlashLayout {
        var random = SeededRandom(seed: 9)
        let data = random.bytes(50_001) + Array(repeating: 0x55, count: 100_000)
        return try FlashLayout([try #require(table), .init(name: "data", offset: 0x29_0000, bytes: data)])
    }

    /// Runs `body` with a flasher on a powered board.
    private func withFlasher<Value: Sendable>(
        hasModemLines: Bool, _ chip: Chip = .esp32,
        _ body: @escaping @Sendable (Flasher, TestBoard, BoardPort) async throws -> Value
    ) throws -> Value {
        let executor = BenchExecutor()
        return try executor.run {
            let board = try TestBoard(on: executor, chip: chip)
            let line = await board.powerOn()
            let port = try await line.open(hasModemLines: hasModemLines)
            return try await body(Flasher(port: port, clock: BenchClock(executor)), board, port)
        }
    }

    @Test(arguments: [true, false], [115_200, 921_600])
    func theFlasherWritesTheFlashAndRestartsTheBoard(hasModemLines: Bool, rate: Int) throws {
        let layout = try Self.layout()
        let (found, chipEvents) = try withFlasher(hasModemLines: hasModemLines) { flasher, board, port in
            try await flasher.connect()
            let connected = try await flasher.identify()
            #expect(connected.chip == .esp32)
            #expect(connected.isVirtual)
            #expect(connected.flashSize == 4 << 20)
            try await flasher.changeBaudRate(to: rate, of: connected)
            try await flasher.write(layout, to: connected)
            try await flasher.restart()
            try await port.pause(for: .seconds(1))
            var found: [[UInt8]] = []
            for region in layout.regions {
                found.append(try await board.flashBytes(Int(region.offset), region.bytes.count))
            }
            return (found, await board.chipEvents)
        }
        #expect(found == layout.regions.map { $0.bytes })
        // The flash has no bootloader, so a watchdog resets the board repeatedly.
        let afterLoader = chipEvents.drop { $0 != .started(.powerOn, .download) }
        #expect(!afterLoader.isEmpty)
        let reason: ResetReason = hasModemLines ? .powerOn : .rtcWatchdog
        #expect(afterLoader.contains(.started(reason, .flash)), "\(chipEvents)")
    }

    /// The ROM of the ESP32 writes a whole window at the end of compressed data, with the remains of the one before.
    @Test(arguments: [65_536, 98_304, 100_001])
    func anESP32WithoutStubTakesCompressedDataAndKeepsWhatFollows(count: Int) throws {
        var random = SeededRandom(seed: 10)
        let words = (0..<200).map { _ in random.bytes(5) }
        let data = Array((0..<count / 5 + 1).flatMap { words[$0 &* 7 % 200] }.prefix(count))
        let next = (0x1_0000 + count + 4095) / 4096 * 4096
        let neighbours = [0: 0x1_0000, next: 0x3_0000].map { (start, length) in
            FlashLayout.Region(name: "neighbour", offset: UInt32(start), bytes: [UInt8](repeating: 0x5A, count: length))
        }
        let found = try withFlasher(hasModemLines: true) { flasher, board, _ in
            try await flasher.connect()
            let connected = try await flasher.identify()
            try await flasher.write(try FlashLayout(neighbours), to: connected)
            let layout = try FlashLayout([.init(name: "data", offset: 0x1_0000, bytes: data)])
            let summary = try await flasher.write(layout, to: connected)
            #expect(summary.sent < count / 2 && summary.restarts == 0)
            var found = [try await board.flashBytes(0x1_0000, count)]
            for region in neighbours {
                found.append(try await board.flashBytes(Int(region.offset), region.bytes.count))
            }
            return found
        }
        #expect(found[0] == data)
        #expect(found[1...].allSatisfy { $0.allSatisfy { $0 == 0x5A } })
    }

    /// A program in RAM prints in the instant in which it is started: the bytes come with the ROM's answer.
    @Test func whatAProgramInRAMPrintsFirstIsKept() throws {
        var builder = ImageBuilder(for: .esp32, entryPoint: 0x4008_C000)
        builder.add((Array("Good morning!\n".utf8) + [0, 0])[...], at: 0x3FFC_0000)
        builder.add([UInt8](repeating: 0x36, count: 16)[...], at: 0x4008_C000)
        let image = try FirmwareImage(try builder.build()[...])
        let found = try withFlasher(hasModemLines: false) { flasher, _, _ in
            try await flasher.connect()
            try await flasher.runInRAM(image, on: try await flasher.identify())
            return flasher.unreadOutput
        }
        #expect(String(decoding: found, as: UTF8.self) == "Good morning!\n")
    }

    /// At the end of compressed data the ESP32's ROM programs its whole window of 32 KB, the ESP32-C3's what was sent.
    @Test(arguments: [Chip.esp32, .esp32c3])
    func aWriteWithoutAStubLeavesWhatFollowsTheRegion(chip: Chip) throws {
        let former = (0..<0x1_0000).map { UInt8(truncatingIfNeeded: $0 * 7 | 1) }
        let text = [UInt8](repeating: 0x61, count: 5000)
        let layout = try FlashLayout([.init(name: "text", offset: 0x2_0000, bytes: text)])
        let found = try withFlasher(hasModemLines: true, chip) { flasher, board, _ in
            try await board.program(former, at: 0x2_0000)
            try await flasher.connect()
            try await flasher.write(layout, to: try await flasher.identify())
            return try await board.flashBytes(0x2_0000, former.count)
        }
        #expect(Array(found.prefix(5000)) == text)
        // The last sector is erased as a whole.
        #expect(found[0x2000...] == former[0x2000...])
    }

    /// The stub has no command that leaves it.
    @Test(
        .enabled(if: Esptool.isInstalled, "needs .venv with esptool: Scripts/test makes it"),
        arguments: [(Chip.esp32, true), (.esp32c6, false)])
    func theWatchdogRestartsABoardWithoutModemLinesOutOfTheStub(chip: Chip, canRestart: Bool) throws {
        let chipEvents = try withFlasher(hasModemLines: false, chip) { flasher, board, port in
            let stub = try EsptoolStub.image(for: chip)
            _ = try await flasher.open(SessionOptions { (_, _) throws(FlasherError) in stub })
            #expect(flasher.dialect == .stub)
            #expect(try await flasher.reset(.hard) == canRestart)
            try await port.pause(for: .seconds(1))
            return await board.chipEvents
        }
        #expect(chipEvents.contains(.started(.rtcWatchdog, .flash)) == canRestart, "\(chipEvents)")
    }

    @Test func aBoardCanBeFlashedAgainAfterAPowerLoss() throws {
        let layout = try Self.layout()
        let found = try withFlasher(hasModemLines: true) { flasher, board, port in
            try await flasher.connect()
            let connected = try await flasher.identify()
            let failure = Failure()
            do throws(FlasherError) {
                try await flasher.write(layout, to: connected) { progress in
                    guard progress.region == "data", progress.phase == .writing, !failure.isDue else { return }
                    failure.isDue = true
                    board.assumeIsolated { $0.losePower() }
                }
                Issue.record("the write went on without power")
            } catch {
                #expect(error.code == .timeout, "\(error)")
            }
            await board.restorePower()
            try await flasher.connect()
            try await flasher.write(layout, to: try await flasher.identify())
            return try await board.flashBytes(0x29_0000, 150_001)
        }
        #expect(found == layout.regions[1].bytes)
    }
}

/// Whether there was a power loss.
private final class Failure {
    var isDue = false
}

extension TestBoard {
    /// The running flash operation stays incomplete.
    func losePower() {
        do {
            try machine.powerOff(at: executor.now)
        } catch {
            Issue.record(error)
        }
    }

    func restorePower() { machine.powerOn(at: executor.now) }
}
