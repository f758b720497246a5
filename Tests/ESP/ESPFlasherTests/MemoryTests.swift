import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import SerialPort
import Testing

/// Programs that are loaded into RAM, and stubs by the chip's revision.
@Suite struct MemoryTests {
    private typealias Step = ScriptedPort.Step

    private static let first = Scripts.bytes(0x1804)
    private static let second: [UInt8] = [1, 2, 3, 4]

    private static func image(_ addresses: [UInt32] = [0x4008_0000, 0x3FFB_0000]) throws -> FirmwareImage {
        var builder = ImageBuilder(for: .esp32, entryPoint: 0x4008_0010)
        for (address, bytes) in zip(addresses, [first, second]) { builder.add(bytes[...], at: address) }
        return try FirmwareImage(try builder.build()[...])
    }

    private static func begin(_ size: Int, _ blocks: UInt32, _ address: UInt32, block: UInt32) -> Step {
        .ok(MemoryBegin(size: UInt32(size), blockCount: blocks, blockSize: block, address: address))
    }

    private static func data(_ number: UInt32, _ bytes: ArraySlice<UInt8>) -> Step {
        .ok(MemoryData(DataBlock(sequence: number, payload: Array(bytes)[...])))
    }

    private static let end = MemoryEnd(entryPoint: 0x4008_0010)

    /// The loading of both segments in blocks of `block` bytes.
    private static func loading(_ image: FirmwareImage, block: Int = 0x1800) -> [Step] {
        image.segments.flatMap { segment -> [Step] in
            let bytes = Array(segment.data)
            let starts = Array(stride(from: 0, to: bytes.count, by: block))
            return [begin(bytes.count, UInt32(starts.count), segment.address, block: UInt32(block))]
                + starts.enumerated().map { data(UInt32($0), bytes[$1..<min(bytes.count, $1 + block)]) }
        }
    }

    private func run(
        _ image: FirmwareImage, over interface: PortTraits.Interface = .uart, connect: [Step] = Scripts.connect,
        identify: [Step] = Scripts.identify(), _ steps: [Step]
    ) async throws {
        let port = ScriptedPort(interface: interface, connect + identify + steps)
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        do {
            try await flasher.runInRAM(image, on: board)
        } catch {
            await port.finish()
            throw error
        }
        await port.finish()
    }

    @Test func aProgramIsLoadedInBlocksAndStarted() async throws {
        let image = try Self.image()
        try await run(image, Self.loading(image) + [.ok(Self.end)])
    }

    @Test func aProgramThatStartsBeforeTheAnswerIsNoFault() async throws {
        let image = try Self.image()
        try await run(image, Self.loading(image) + [.silence(Self.end)])
    }

    /// Both genuine ROMs' answers come in one segment with what the program prints at once.
    @Test(arguments: [true, false]) func whatAProgramPrintsAtOnceIsKept(isAnswered: Bool) async throws {
        let image = try Self.image()
        let text = Array("\u{0}\u{1}hello\n".utf8)
        let answer = isAnswered ? LoaderResponse(to: MemoryEnd.self, EmptyReply(), dialect: .rom).frame : []
        let port = ScriptedPort(
            chunk: 64,
            Scripts.connect + Scripts.identify() + Self.loading(image)
                + [.command(LoaderRequest(Self.end), answer: answer + text)])
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        try await flasher.runInRAM(image, on: try await flasher.identify())
        #expect(flasher.unreadOutput == text)
        await port.finish()
    }

    @Test func theBlocksAreSmallOverUSBOTG() async throws {
        let image = try Self.image()
        try await run(image, over: .usbOTG, Self.loading(image, block: 0x800) + [.ok(Self.end)])
    }

    @Test func aBlockThatWasLostIsBegunAnewWithSmallerOnes() async throws {
        let image = try Self.image([0x4008_0000])
        let bytes = Array(try #require(image.segments.first).data)
        let rest = bytes[0x1800...]
        try await run(
            image,
            [
                Self.begin(bytes.count, 2, 0x4008_0000, block: 0x1800), Self.data(0, bytes[..<0x1800]),
                .silence(MemoryData(DataBlock(sequence: 1, payload: Array(rest)[...]))), .sync(),
                Self.begin(rest.count, 1, 0x4008_1800, block: 0x600), Self.data(0, rest), .ok(Self.end),
            ])
    }

    @Test(arguments: [0x400D_0000, 0x3F40_0000] as [UInt32])
    func whatIsNotInRAMIsRefusedBeforeItIsSent(address: UInt32) async throws {
        let error = await FlasherError.of { try await run(try Self.image([address]), []) }
        #expect(error?.code == .notInRAM)
        #expect(error?.description.contains("expected segments in RAM, got ") == true, "\(String(describing: error))")
    }

    @Test func aProgramForAnotherChipIsRefusedBeforeItIsSent() async throws {
        var builder = ImageBuilder(for: .esp32c3, entryPoint: 0x4038_0000)
        builder.add(Self.second[...], at: 0x4038_0000)
        let image = try FirmwareImage(try builder.build()[...])
        let error = await FlasherError.of { try await run(image, []) }
        #expect(error?.code == .wrongChip)
        #expect(error?.description.hasSuffix("expected one for the ESP32, got one for ESP32-C3") == true)
    }

    @Test func aRunningStubIsNotOverwritten() async throws {
        let port = ScriptedPort(Scripts.connect + Scripts.identify())
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        let again = ScriptedPort([.rate(115_200), .sync(.stub)])
        let other = Flasher(port: again, clock: again.clock)
        try await other.connect()
        let image = try Self.image()
        let error = await FlasherError.of { try await other.runInRAM(image, on: board) }
        #expect(error?.code == .stubRunning)
        await again.finish()
    }

    // MARK: Encryption

    /// The identification of an ESP32 whose FLASH_CRYPT_CNT is `count`.
    private static func identification(encryptionCount count: UInt32) -> [Step] {
        Scripts.identify().map { step in
            guard case .command(LoaderRequest(ReadRegister(address: 0x3FF5_A000)), _) = step else { return step }
            return .ok(ReadRegister(address: 0x3FF5_A000), .init(value: count << 20))
        }
    }

    @Test(arguments: [(1, true), (3, false), (7, true), (0, false), (0x7F, true)] as [(UInt32, Bool)])
    func plainDataAreRefusedWhereTheFlashIsEncrypted(count: UInt32, isEncrypted: Bool) async throws {
        let port = ScriptedPort(Scripts.connect + Self.identification(encryptionCount: count))
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        #expect(board.isFlashEncrypted == isEncrypted)
        await port.finish()
        guard isEncrypted else { return }
        let layout = try FlashLayout([.init(name: "data", offset: 0x1_0000, bytes: [1, 2, 3, 4])])
        let error = await FlasherError.of { try await flasher.write(layout, to: board) }
        #expect(error?.code == .encryptedFlash)
        #expect(error?.flashState == .unchanged)
        #expect(throws: FlasherError.self) { try Flasher.check(layout, for: board) }
        try Flasher.check(layout, for: board, options: WriteOptions(allowsPlainOnEncrypted: true))
    }

    // MARK: Stubs by revision

    @Test(
        arguments: [(0, "esp32p4-rev1.json"), (103, "esp32p4-rev1.json"), (300, "esp32p4.json")] as [(UInt32, String)])
    func theStubOfAnESP32P4IsThatOfItsRevision(revision: UInt32, name: String) async throws {
        let chip = Chip.esp32p4
        var words: [UInt32: UInt32] = [:]
        chip.storeRevision(revision, in: &words)
        let security = GetSecurityInfo.Reply(chipID: UInt32(chip.id))
        let fuses = chip.revisionAddresses.flatMap { address in
            let step = Step.ok(ReadRegister(address: address), .init(value: words[address] ?? 0))
            return [step, step]
        }
        let port = ScriptedPort(
            Scripts.connect + [.ok(GetSecurityInfo(), security), .ok(GetSecurityInfo(), security)]
                + Scripts.afterChip(chip, Scripts.realMAC, flashID: 0x16_40C8) + fuses)
        let flasher = Flasher(port: port, clock: port.clock)
        // The choice ends the session here.
        let error = await FlasherError.of {
            _ = try await flasher.open(
                SessionOptions { (chip, revision) throws(FlasherError) in
                    throw FlasherError(.invalidStub, StubImage.fileName(forChip: chip.name, revision: revision))
                })
        }
        #expect(error?.context == name)
        await port.finish()
    }

    @Test func otherChipsHaveOneStub() {
        #expect(StubImage.fileName(forChip: "ESP32-P4") == "esp32p4.json")
        #expect(StubImage.fileName(forChip: "ESP32-C3", revision: 3) == "esp32c3.json")
    }
}
