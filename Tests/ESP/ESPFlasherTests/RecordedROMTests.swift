import ByteCodec
import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import LoaderTraces
import Testing

/// The flasher completes each operation that was recorded, against the answers of the genuine mask ROMs.
@Suite struct RecordedROMTests {
    private static let files: [String: [UInt8]] = [
        "s4097": Scripts.bytes(4097), "one": [7], "s64k": Array(Scripts.bytes(1 << 16).reversed()),
        "rnd200k": Scripts.bytes(200 << 10),
        // Those that are known: their recorded digests are right.
        "p4097": (0..<4097).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 251) },
        "txt300k": Array(
            Array(repeating: Array("The quick brown fox %d jumps. ".utf8), count: 10_240).joined().prefix(300 << 10)),
    ]

    private static func rom(_ trace: LoaderTrace, _ chip: LoaderTrace.ChipModel) -> RecordedROM {
        RecordedROM(trace, unknown: chip == .esp32 ? [.securityInfo] : [])
    }

    private func open(_ rom: RecordedROM, _ session: Int) async throws -> (Flasher, ConnectedBoard) {
        await rom.begin(session)
        let flasher = Flasher(port: rom, clock: rom.clock)
        let options = SessionOptions(connect: ConnectOptions(reset: .none), baudRate: 921_600)
        return (flasher, try await flasher.open(options))
    }

    @Test(arguments: LoaderTrace.ChipModel.allCases)
    func everyOperationIsCompleted(with chip: LoaderTrace.ChipModel) async throws {
        let trace = try LoaderTrace(.espbench, chip)
        let rom = Self.rom(trace, chip)
        for (index, session) in trace.sessions.enumerated() {
            let words = session.command.split(separator: " ").map(String.init)
            let start = rom.clock.now.offset
            let (flasher, board) = try await open(rom, index)
            #expect(board.chip.identifier == chip.rawValue)
            try await perform(Array(words[1...]), flasher, board, rom)
            #expect(flasher.lineFaults == 0, "\(session.command)")
            #expect(rom.clock.now.offset - start < .seconds(1), "\(session.command): waited")
        }
        #expect(trace.sessions.count == 12)
        // Of erased flash, and of the text.
        let genuine = await rom.genuineDigests
        #expect(genuine > 15)
    }

    /// The stub runs already: how it is loaded is judged with the virtual board.
    @Test(arguments: LoaderTrace.ChipModel.allCases)
    func everyOperationIsCompletedWithTheStub(on chip: LoaderTrace.ChipModel) async throws {
        let trace = try LoaderTrace(.espbench, chip, .stub)
        let rom = RecordedROM(trace, unknown: [], isStub: true)
        for (index, session) in trace.sessions.enumerated().dropFirst() {
            let words = session.command.split { $0 == " " || $0 == "=" }.map(String.init)
            let start = rom.clock.now.offset
            let (flasher, board) = try await open(rom, index)
            #expect(flasher.dialect == .stub)
            #expect(board.chip.identifier == chip.rawValue)
            try await perform(Array(words[1...]), flasher, board, rom)
            #expect(flasher.lineFaults == 0, "\(session.command)")
            #expect(rom.clock.now.offset - start < .seconds(1), "\(session.command): waited")
        }
        #expect(trace.sessions.count == 11)
        let digests = trace.sessions.flatMap(\.exchanges).filter { $0.request.opcode == .flashMD5 }.count
        #expect(digests > 5)
        let genuine = await rom.genuineDigests
        #expect(genuine == digests, "as recorded, byte for byte")
    }

    /// Performs an operation as the command line says it, and checks what it does.
    private func perform(
        _ words: [String], _ flasher: Flasher, _ board: ConnectedBoard, _ rom: RecordedROM
    ) async throws {
        let layout = try Self.layout(words)
        let numbers = words.compactMap { $0.hasPrefix("0x") ? UInt64($0.dropFirst(2), radix: 16) : nil }
        switch words[0] {
        case "info":
            let information = try await flasher.information(of: board)
            #expect(information.crystalMegahertz == 40)
            #expect(information.flashSizeFromParameters == nil)
            #expect(board.flashSize == 4 << 20)
        case "write-flash", "flash":
            let options = WriteOptions(
                skipsUnchanged: words.contains("write-flash") || !words.contains("--no-skip"),
                isCompressed: !words.contains("--no-compress"))
            let summary = try await flasher.write(layout, to: board, options: options)
            #expect(summary.restarts == 0)
            for region in layout.regions { #expect(await rom.holds(region.bytes, at: Int(region.offset))) }
        case "verify":
            let differences = try await flasher.verify(layout, on: board)
            #expect(differences.isEmpty == !words.contains("rnd200k"))
        case "read":
            let found = try await flasher.read(numbers[0]..<numbers[0] + numbers[1], of: board)
            #expect(found.starts(with: Self.files[flasher.dialect == .stub ? "p4097" : "s4097"] ?? []))
            #expect(found.dropFirst(4100).allSatisfy { $0 == 0xFF })
        case "md5":
            let found = try await flasher.digest(numbers[0]..<numbers[0] + numbers[1], of: board)
            #expect(
                Hexadecimal.string(found)
                    == (flasher.dialect == .stub
                        ? "bf0face1fbc4f0569a007d58b5006575" : "b4a3cd1579e5960efc2347fadad15695"))
        case "erase":
            let range = numbers.isEmpty ? 0..<UInt64(4 << 20) : numbers[0]..<numbers[0] + numbers[1]
            if numbers.isEmpty {
                try await flasher.eraseFlash(of: board)
            } else {
                try await flasher.erase(range, of: board)
            }
            #expect(await rom.holds(Array(repeating: 0xFF, count: range.count), at: Int(range.lowerBound)))
        case "partitions":
            // As much as the tool has read.
            let end: UInt64 = flasher.dialect == .stub ? 0x9000 : 0x8C00
            #expect(try await flasher.read(0x8000..<end, of: board).allSatisfy { $0 == 0xFF })
        default: Issue.record("an operation without a test: \(words)")
        }
    }

    private static func layout(_ words: [String]) throws -> FlashLayout {
        try FlashLayout(
            zip(words, words.dropFirst()).compactMap { address, name in
                guard let offset = UInt32(address.dropFirst(2), radix: 16), let bytes = files[name] else { return nil }
                return FlashLayout.Region(name: name, offset: offset, bytes: bytes)
            })
    }

    /// The manner in which the player answers GET_SECURITY_INFO is the ESP32's, as esptool found it.
    @Test func theESP32DoesNotKnowGetSecurityInfo() async throws {
        let sessions = try LoaderTrace(.esptool, .esp32).sessions
        for session in sessions {
            let pairs = zip(session.exchanges, session.exchanges.dropFirst())
            let asked = pairs.filter { $1.request.opcode == .securityInfo }
            #expect(!asked.isEmpty)
            for (former, exchange) in asked {
                #expect(exchange.answers.count == former.answers.count)
                for (answer, before) in zip(exchange.answers, former.answers) {
                    #expect(answer.opcode == before.opcode && answer.value == before.value)
                    #expect(answer.bytes == [1, 5] + before.bytes[2...])
                }
            }
        }
    }

    /// A stub that a former session has left at another rate: the other side of the socket has it, the port does not.
    @Test(arguments: [(UInt32(0x2B), UInt32(40)), (0xA0_001A, 40), (0x50_000D, 40), (0xD0_0070, 26)])
    func theCrystalIsFoundWhateverTheRate(divider: UInt32, megahertz: UInt32) async throws {
        let rom = Self.rom(try LoaderTrace(.espbench, .esp32), .esp32)
        // 921,600, 1,500,000 and 3,000,000 bits per second, and 230,400 with a crystal of 26 MHz.
        await rom.set(0x3FF4_0014, to: divider)
        let (flasher, board) = try await open(rom, 0)
        #expect(try await flasher.information(of: board).crystalMegahertz == megahertz)
    }

    /// The ROM refuses all blocks after one that was damaged, until it begins anew.
    @Test(arguments: [(1, "0x10000 s4097", 3), (9, "0x100000 rnd200k", 150)], LoaderTrace.ChipModel.allCases)
    func aDamagedBlockIsWrittenAfterANewBeginning(
        _ write: (session: Int, words: String, block: Int), with chip: LoaderTrace.ChipModel
    ) async throws {
        let rom = Self.rom(try LoaderTrace(.espbench, chip), chip)
        let (flasher, board) = try await open(rom, write.session)
        await rom.damage(block: write.block)
        let layout = try Self.layout(write.words.split(separator: " ").map(String.init))
        #expect(try await flasher.write(layout, to: board).restarts == 1)
        for region in layout.regions { #expect(await rom.holds(region.bytes, at: Int(region.offset))) }
    }
}
