import BenchExecutor
import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import Foundation
import MonotonicTime
import SerialNetwork
import SerialPOSIX
import SerialPort
import Testing
import VirtualBoard

/// esptool, unmodified, as judge of the chips, of programs in RAM, of encryption, and of what our flasher writes.
@Suite(.enabled(if: Esptool.isInstalled, "needs .venv with esptool: Scripts/test makes it"), .timeLimit(.minutes(10)))
struct EsptoolChipTests {
    /// The revision as esptool shows it, and the crystal.
    private static let facts: [Chip: (revision: String, crystal: String)] = [
        .esp32: ("v3.0", "40MHz"), .esp32s2: ("v1.0", "40MHz"), .esp32s3: ("v0.2", "40MHz"),
        .esp32c2: ("v1.1", "40MHz"), .esp32c3: ("v0.4", "40MHz"), .esp32c5: ("v1.0", "48MHz"),
        .esp32c6: ("v0.2", "40MHz"), .esp32h2: ("v1.1", "32MHz"), .esp32p4: ("v1.0", "40MHz"),
    ]

    /// Detection, eFuses, stub, writing and reading back; the stub of another chip has another greeting.
    @Test(arguments: Chip.all) func esptoolReadsEachChipAsThatChip(chip: Chip) async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        var random = SeededRandom(seed: 11)
        let content = random.bytes(20_000)
        let path = try files.write("content.bin", content)
        let facts = try #require(Self.facts[chip])
        try await withServedBoard(.socket, chip: chip) { board, address in
            let outcome = try await Esptool.run(["--port", address.description, "flash-id"])
            #expect(outcome.status == 0, "\(outcome.output)")
            for text in [
                "Chip type:          \(chip.name)", "(revision \(facts.revision))",
                "Crystal frequency:  \(facts.crystal)", "Stub flasher running.", "Detected flash size: 4MB",
                chip == .esp32c5 || chip == .esp32c6 || chip == .esp32h2
                    ? "02:eb:01:ff:fe:02:03:04" : "02:eb:01:02:03:04",
            ] {
                #expect(outcome.output.contains(text), "\(text): \(outcome.output)")
            }
            let write = try await Esptool.run(
                ["--port", address.description, "--chip", chip.identifier, "--no-stub", "write-flash", "0x10000", path])
            #expect(write.status == 0, "\(write.output)")
            #expect(try await board.flashBytes(0x10000, content.count) == content)
        }
    }

    /// An image for RAM with one segment of text and one of code.
    private static func greeter() -> [UInt8] {
        func words(_ values: UInt32...) -> [UInt8] {
            values.flatMap { value in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) } }
        }
        let text = Array("Good morning!\n".utf8) + [0, 0]
        let code = [UInt8](repeating: 0x36, count: 16)
        var image: [UInt8] = [0xE9, 2, 0, 0] + words(0x4008_C000) + [0xEE] + [UInt8](repeating: 0, count: 15)
        image += words(0x3FFC_0000, UInt32(text.count)) + text + words(0x4008_C000, UInt32(code.count)) + code
        image += [UInt8](repeating: 0, count: 15 - image.count % 16)
        return image + [UInt8(LoaderChecksum.of(text + code))]
    }

    /// Arguments: the port, an image. Over RFC 2217 that is all that esptool does within some seconds.
    private static let loading = """
        import sys
        from esptool.cmds import detect_chip, load_ram
        load_ram(detect_chip(sys.argv[1], 115200), sys.argv[2])
        """

    /// Has esptool load the greeter, and reads the console of the port that `open` then opens.
    private func loadGreeter(
        _ board: TestBoard, over port: String, _ open: () async throws -> any SerialPort
    ) async throws -> (esptool: Esptool.Outcome, last: BoardMachine.ChipEvent?, console: String) {
        let files = EsptoolFiles()
        defer { files.remove() }
        let path = try files.write("greeter.bin", Self.greeter())
        let outcome = try await Esptool.python(["-c", Self.loading, port, path])
        let last = await board.chipEvents.last
        let port = try await open()
        var text: [UInt8] = []
        while text.count < 100 {
            let more = try await port.read(upTo: 100, within: .seconds(20))
            if more.isEmpty { break }
            text += more
        }
        await port.close()
        return (outcome, last, String(decoding: text, as: UTF8.self))
    }

    private func expectGreeting(_ result: (esptool: Esptool.Outcome, last: BoardMachine.ChipEvent?, console: String)) {
        #expect(result.esptool.status == 0, "\(result.esptool.output)")
        #expect(result.last == .programRunning)
        #expect(result.console.contains("Good morning!\nGood morning!\n"))
    }

    @Test(arguments: [SerialServer.Transport.socket, .rfc2217])
    func aProgramLoadedIntoRAMGreets(transport: SerialServer.Transport) async throws {
        expectGreeting(
            try await withServedBoard(transport) { board, address in
                try await loadGreeter(board, over: address.description) { try await NetworkPort.open(address) }
            })
    }

    @Test func aProgramLoadedIntoRAMGreetsOnATerminal() async throws {
        expectGreeting(
            try await withBoardOnTerminal { board, path in
                try await loadGreeter(board, over: path) { try POSIXSerialPort(path: path) }
            })
    }

    @Test(arguments: [Chip.esp32, .esp32c3]) func theFlashChipAnswersEsptool(chip: Chip) async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        let dump = try files.write("dump.bin", [])
        try await withServedBoard(.socket, chip: chip) { _, address in
            let port = ["--port", address.description, "--no-stub"]
            let sfdp = try await Esptool.run(port + ["read-flash-sfdp", "0", "4"])
            #expect(sfdp.output.contains("SFDP[0..3]: 0x53 0x46 0x44 0x50"), "\(sfdp.output)")
            let write = try await Esptool.run(
                port + ["write-flash-status", "--bytes", "2", "--non-volatile", "0x021c"])
            #expect(write.output.contains("After flash memory status:   0x021c"), "\(write.output)")
            let memory = try await Esptool.run(
                port + ["dump-mem", "0x\(String(chip.macAddressRegister, radix: 16))", "8", dump])
            #expect(memory.status == 0, "\(memory.output)")
            #expect(try Data(contentsOf: URL(filePath: dump)).prefix(4) == Data([0x04, 0x03, 0x02, 0x01]))
        }
    }

    @Test func aSocketCanRefuseToResetTheBoard() async throws {
        let outcome = try await withServedBoard(.socket, resetsItself: false) { _, address in
            try await Esptool.run(["--port", address.description, "--connect-attempts", "1", "read-mac"])
        }
        #expect(outcome.status != 0)
        #expect(outcome.output.contains("Failed to connect"), "\(outcome.output)")
    }

    /// `espsecure` computes what a chip's hardware stores: a blank key on the ESP32, one in the eFuses on later chips.
    @Test(arguments: [Chip.esp32, .esp32c3]) func encryptedWritesStoreWhatEspsecureComputes(chip: Chip) async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        var random = SeededRandom(seed: 12)
        let key = chip == .esp32 ? [UInt8](repeating: 0, count: 32) : random.bytes(32)
        let plain = random.bytes(4096 + 96)
        let (keyFile, plainFile) = (try files.write("key.bin", key), try files.write("plain.bin", plain))
        let cipherFile = try files.write("cipher.bin", [])
        let scheme = chip == .esp32 ? ["--flash-crypt-conf", "0"] : ["--aes-xts"]
        let outcome = try await Esptool.run(
            ["encrypt-flash-data", "--keyfile", keyFile, "--address", "0x1020", "--output", cipherFile] + scheme
                + [plainFile], module: "espsecure")
        #expect(outcome.status == 0, "\(outcome.output)")
        let talk = try Talk(stub: true, chip: chip) { $0.flashEncryptionKey = chip == .esp32 ? nil : key }
        let region = FlashWriteRegion(
            eraseSize: UInt32(plain.count), blockCount: 1, blockSize: 0x4000, offset: 0x1020, isEncrypted: true)
        _ = try talk.outcome(FlashBegin(region)).get()
        _ = try talk.outcome(FlashData(DataBlock(sequence: 0, payload: plain[...]))).get()
        talk.pass(.seconds(1))
        let stored = try talk.flash.read(at: 0x1020, count: plain.count)
        #expect(stored == Array(try Data(contentsOf: URL(filePath: cipherFile))))
        #expect(stored != plain)
    }

    /// A pseudo-terminal has no modem lines: the board resets itself at a SYNC.
    @Test func esptoolUsesAPseudoTerminal() async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        var random = SeededRandom(seed: 13)
        let content = random.bytes(100_000)
        let (path, back) = (try files.write("content.bin", content), try files.write("back.bin", []))
        try await withBoardOnTerminal { board, terminal in
            let port = ["--port", terminal]
            let write = try await Esptool.run(port + ["--baud", "921600", "write-flash", "0x30000", path])
            #expect(write.status == 0, "\(write.output)")
            #expect(try await board.flashBytes(0x30000, content.count) == content)
            let read = try await Esptool.run(port + ["read-flash", "0x30000", "100000", back])
            #expect(read.status == 0, "\(read.output)")
            #expect(try Data(contentsOf: URL(filePath: back)) == Data(content))
            // At the client's rate, from which esptool computes the crystal.
            let slow = try await Esptool.run(port + ["--baud", "9600", "--no-stub", "read-mac"])
            #expect(slow.status == 0 && slow.output.contains("Crystal frequency:  40MHz"), "\(slow.output)")
            let skipped = try await Esptool.run(port + ["write-flash", "--skip-flashed", "0x30000", path])
            #expect(skipped.status == 0, "\(skipped.output)")
        }
    }

    /// Byte for byte in both directions, over one socket.
    @Test func whatEitherWritesTheOtherReads() async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        var random = SeededRandom(seed: 14)
        let (ours, theirs) = (random.bytes(30_001), random.bytes(20_003))
        let (path, back) = (try files.write("theirs.bin", theirs), try files.write("back.bin", []))
        try await withServedBoard(.socket) { board, address in
            let write = try await Esptool.run(["--port", address.description, "write-flash", "0x40000", path])
            #expect(write.status == 0, "\(write.output)")
            let port = try await NetworkPort.open(address)
            let flasher = Flasher(port: port, clock: BenchClock(board.executor))
            try await flasher.connect()
            let connected = try await flasher.identify()
            let range = 0x40000..<0x40000 + UInt64(theirs.count)
            #expect(try await flasher.read(range, of: connected) == theirs)
            let layout = try FlashLayout([.init(name: "ours", offset: 0x60000, bytes: ours)])
            try await flasher.write(layout, to: connected)
            await port.close()
            let read = try await Esptool.run(
                ["--port", address.description, "read-flash", "0x60000", "\(ours.count)", back])
            #expect(read.status == 0, "\(read.output)")
            #expect(try Data(contentsOf: URL(filePath: back)) == Data(ours))
        }
    }
}
