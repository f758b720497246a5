import ESPChips
import ESPFlasher
import ESPImage
import MonotonicTime
import SerialPort
import BenchExecutor
import Testing
import VirtualBoard

/// A power loss while an application is written.
@Suite struct PowerLossTests {
    /// An application of several incompressible blocks, so that its write takes some time.
    private static func application() throws -> [UInt8] {
        var random = SeededRandom(seed: 11)
        var builder = ImageBuilder(for: .esp32)
        builder.add(FlashContents.description.bytes[...] + random.bytes(99_996)[...], at: 0x3F40_0020)
        return try builder.build()
    }

    @Test func theNextBootReportsTheFaultAndFlashingRepairsIt() throws {
        let application = try Self.application()
        let layout = try FlashLayout([
            .init(name: "bootloader", offset: 0x1000, bytes: try FlashContents.bootloader()),
            .init(name: "partition table", offset: 0x8000, bytes: try PartitionTable.arduino4MB.bytes()),
            .init(name: "application", offset: 0x1_0000, bytes: application),
        ])
        let executor = BenchExecutor()
        let (broken, mended) = try executor.run {
            let board = try TestBoard(on: executor)
            let port = try await board.powerOn().open(hasModemLines: true)
            let flasher = Flasher(port: port, clock: BenchClock(executor))
            try await flasher.connect()
            let failure = PowerFailure()
            do throws(FlasherError) {
                try await flasher.write(layout, to: try await flasher.identify()) { progress in
                    guard progress.region == "application", progress.phase == .writing,
                        progress.overallWritten > 60_000, !failure.isDue
                    else { return }
                    failure.isDue = true
                    board.assumeIsolated { $0.losePower() }
                }
                Issue.record("the write went on without power")
            } catch {
                #expect(error.code == .timeout, "\(error)")
            }
            await board.restorePower()
            let broken = try await Self.boot(over: port)

            try await flasher.connect()
            try await flasher.write(layout, to: try await flasher.identify())
            return (broken, try await Self.boot(over: port))
        }
        #expect(broken.contains("esp_image: Checksum failed. Calculated 0x"), "\(broken)")
        #expect(broken.contains("boot: OTA app partition slot 0 is not bootable"), "\(broken)")
        #expect(broken.contains("boot: No bootable app partitions in the partition table"), "\(broken)")
        // This board has no key, and reports that only for valid images.
        #expect(mended.contains("espbench: image at 0x10000 has no program for a virtual board"), "\(mended)")
        #expect(!mended.contains("esp_image:"), "\(mended)")
    }

    /// Resets the board; returns its output of the next second.
    private static func boot(over port: BoardPort) async throws -> String {
        try await port.setModemLines(ModemLines(dtr: false, rts: true))
        try await port.pause(for: .milliseconds(100))
        try await port.discardInput()
        try await port.setModemLines(ModemLines(dtr: false, rts: false))
        try await port.pause(for: .seconds(1))
        return String(decoding: try await port.read(upTo: 100_000, within: .zero), as: UTF8.self)
    }
}

/// Whether the power loss has occurred.
private final class PowerFailure {
    var isDue = false
}
