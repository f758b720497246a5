import ESPImage
import FirmwareBuild
import MonotonicTime
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// A sketch's preferences in the board's flash.
@Suite struct StorageTests {
    @Test func preferencesSurviveResetAndPowerLoss() async throws {
        let firmware = try await SketchBuilds.shared.build("Settings")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the first start") { log.console.hasSuffix("starts 1 number 0 text ''\n") }
            await board.type(Array("p7".utf8))
            try await bench.wait(for: "the put") { log.console.contains("put 50 in ") }
            await board.reset()
            try await bench.wait(for: "the second start") {
                log.console.contains("starts 2 number 7 text 'the digit 7,")
            }
            try await board.powerOff()
            await board.powerOn()
            try await bench.wait(for: "the third start") {
                log.console.contains("starts 3 number 7 text 'the digit 7,")
            }
            await board.type(Array("cs".utf8))
            try await bench.wait(for: "the clearing") { log.console.hasSuffix("starts 0 number 0 text ''\n") }
        }
        #expect(log.console.contains("begin 1\nstarts 1"), "\(log.console)")
        #expect(log.console.contains("cleared 1\n"), "\(log.console)")
    }

    @Test func writingTakesTheTimeOfTheFlash() async throws {
        let firmware = try await SketchBuilds.shared.build("Settings")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the start") { log.console.hasSuffix("text ''\n") }
            await board.type(Array("p7".utf8))
            try await bench.wait(for: "the put") { log.console.hasSuffix(" us\n") }
            await board.type(Array("p7".utf8))
            try await bench.wait(for: "the second put") {
                log.console.hasSuffix(" us\n") && log.console.contains("us\nput")
            }
        }
        let times = log.console.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("put 50 in") }
            .compactMap { $0.split(separator: " ").dropLast().last.flatMap { Int($0) } }
        try #require(times.count == 2, "\(log.console)")
        // An entry, its state; of the text the head, its state, the text and its states: each one page program of 400
        // µs.
        #expect((6 * 400..<7 * 400).contains(times[0]), "\(times)")
        // An equal value is not written again.
        #expect(times[1] < 100, "\(times)")
    }

    /// A power loss at every operation of a put, and between them: each value is the old or the new one.
    @Test func aPowerLossLeavesTheOldOrTheNewValue() async throws {
        let firmware = try await SketchBuilds.shared.build("Settings")
        let outcomes = Mutex<Set<String>>([])
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the first start") { log.console.hasSuffix("text ''\n") }
            await board.type(Array("p1".utf8))
            try await bench.wait(for: "the first put") { log.console.hasSuffix(" us\n") }
            var former = 1
            for cut in 0..<40 {
                let next = former == 1 ? 2 : 1
                let before = log.console.utf8.count
                await board.type(Array("p\(next)".utf8))
                // The sketch polls every 10 ms, waits 1 ms, and needs 3 to 4 ms.
                try await bench.sleep(.microseconds(400 * cut))
                try await board.powerOff()
                await board.powerOn()
                try await bench.wait(for: "the start after cut \(cut)") {
                    let console = log.console
                    return console.utf8.count > before + 300 && console.hasSuffix("'\n")
                }
                let line = log.console.split(whereSeparator: \.isNewline).last ?? ""
                let (number, text) = (word(after: "number", in: line), word(after: "digit", in: line).prefix(1))
                #expect(["\(former)", "\(next)"].contains(number), "cut \(cut): \(line)")
                #expect(["\(former)", "\(next)"].contains(text), "cut \(cut): \(line)")
                let outcome = number == "\(next)" ? (text == number ? "new" : "between") : "old"
                outcomes.withLock { _ = $0.insert(outcome) }
                // So that both values are equal at the start of the next round.
                await board.type(Array("p\(next)".utf8))
                try await bench.wait(for: "the put after cut \(cut)") { log.console.hasSuffix(" us\n") }
                former = next
            }
        }
        // Power losses occurred before, between and after the changes.
        #expect(outcomes.withLock { $0 } == ["old", "between", "new"], "\(log.console.suffix(2000))")
    }

    @Test func espressifsToolReadsAndWritesThePartition() async throws {
        let firmware = try await SketchBuilds.shared.build("Settings")
        var layout = firmware.layout.regions
        var nvs = try NVSStorage(mounting: MemoryFlash())
        let namespace = try nvs.openNamespace("settings", readOnly: false)
        try nvs.set("starts", to: .uint32(41), in: namespace)
        try nvs.set("text", to: .string(Array("from outside".utf8)), in: namespace)
        layout.append(.init(name: "nvs", offset: 0x9000, bytes: nvs.flash.bytes))
        let log = try await run(try FlashLayout(layout)) { bench, board, log in
            try await bench.wait(for: "the start") {
                log.console.hasSuffix("starts 42 number 0 text 'from outside'\n")
            }
            try await board.eraseNVS()
            await board.reset()
            try await bench.wait(for: "the start") { log.console.hasSuffix("starts 1 number 0 text ''\n") }
        }
        #expect(log.starts == 2)
    }

    @Test func withoutAPartitionThereIsNoStorage() async throws {
        let firmware = try await SketchBuilds.shared.build("Settings")
        var regions = firmware.layout.regions
        let table = PartitionTable(PartitionTable.arduino4MB.partitions.filter { $0.name != "nvs" })
        let place = try #require(regions.firstIndex { $0.offset == PartitionTable.offset })
        regions[place].bytes = try table.bytes()
        _ = try await run(try FlashLayout(regions)) { bench, board, log in
            try await bench.wait(for: "the start") { log.console.hasSuffix("begin 0\nstarts 0 number 0 text ''\n") }
        }
    }

    /// As arduino-esp32 does: a partition that cannot be mounted is erased.
    @Test func aPartitionOfANewerFormatIsErased() async throws {
        let firmware = try await SketchBuilds.shared.build("Settings")
        var nvs = try NVSStorage(mounting: MemoryFlash())
        let namespace = try nvs.openNamespace("settings", readOnly: false)
        try nvs.set("starts", to: .uint32(41), in: namespace)
        var noise = nvs.flash.bytes
        // The version, and the matching checksum of the header.
        noise[8] = 0xF0
        noise.replaceSubrange(28..<32, with: crc32(noise[4..<28]))
        let layout = try FlashLayout(firmware.layout.regions + [.init(name: "nvs", offset: 0x9000, bytes: noise)])
        _ = try await run(layout) { bench, board, log in
            try await bench.wait(for: "the start") { log.console.hasSuffix("begin 1\nstarts 1 number 0 text ''\n") }
        }
    }

    /// A UART stores what fits into its buffer; a sketch in a call does not read.
    @Test func serialInputBeyondTheBufferIsLost() async throws {
        let firmware = try await SketchBuilds.shared.build("Overrun")
        let log = try await run(firmware.layout) { bench, board, log in
            try await bench.wait(for: "the start") { log.starts == 1 }
            // The sketch is now waiting for the flash.
            for _ in 0..<20 { await board.type([UInt8](repeating: 0x55, count: 10_000)) }
            try await bench.wait(for: "the count") { log.console.contains("received ") }
        }
        let count = try #require(
            Int(word(after: "received", in: log.console.split(whereSeparator: \.isNewline).last ?? "")))
        #expect((60_000...65_536).contains(count))
    }

    /// Runs `body` with a powered board with `layout`.
    private func run(
        _ layout: FlashLayout,
        _ body: @escaping @Sendable (BoardBench, VirtualBoard, BoardLog) async throws -> Void
    ) async throws -> BoardLog {
        let bench = try await BoardBench()
        return try bench.executor.run {
            let (board, log) = try await bench.board(layout)
            await board.powerOn()
            try await body(bench, board, log)
            return log
        }
    }

    private func word(after word: String, in line: Substring) -> String {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(where: { $0.hasSuffix(word) }), place + 1 < words.count else { return "" }
        return String(words[place + 1])
    }

    /// ESP-IDF's `esp_rom_crc32_le` from 0xFFFFFFFF.
    private func crc32(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var register: UInt32 = 0
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0xEDB8_8320 }
        }
        return withUnsafeBytes(of: (~register).littleEndian) { Array($0) }
    }
}
