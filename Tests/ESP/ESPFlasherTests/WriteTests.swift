import ESPChips
import Crypto
import ESPFlasher
import ESPImage
import ESPProtocol
import SerialPort
import Testing

@Suite struct WriteTests {
    private static let content = Scripts.bytes(5000)
    private static let begin = DeflateBegin(
        FlashWriteRegion(eraseSize: 0x1400, blockCount: 5, blockSize: 0x400, offset: 0x1_0000, isEncrypted: false))
    private static let region = FlashLayout.Region(name: "application", offset: 0x1_0000, bytes: content)

    private static func digest(_ bytes: [UInt8]) -> FlashMD5.Reply {
        FlashMD5.Reply(digest: Array(Insecure.MD5.hash(data: bytes))[...])
    }

    private static let verify = ScriptedPort.Step.ok(FlashMD5(address: 0x1_0000, size: 5000), digest(content))

    /// The options of tests whose script has no comparisons.
    private static let all = WriteOptions(skipsUnchanged: false)

    /// Writes ``region`` with `steps` after the connection, and returns port and progress.
    private func write(
        _ steps: [ScriptedPort.Step], mac: [UInt8] = Scripts.virtualMAC, regions: [FlashLayout.Region] = [region],
        options: WriteOptions = all
    ) async throws -> (ScriptedPort, [FlashProgress]) {
        // An ESP32-C3: without a stub others get their data uncompressed.
        let security = ScriptedPort.Step.ok(GetSecurityInfo(), .init(chipID: 5))
        let identify = [security, security] + Scripts.afterChip(.esp32c3, mac, flashID: 0x16_40C8)
        let port = ScriptedPort(Scripts.connect + identify + steps)
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        var progress: [FlashProgress] = []
        do {
            try await flasher.write(try FlashLayout(regions), to: board, options: options) { progress.append($0) }
        } catch {
            await port.finish()
            throw error
        }
        await port.finish()
        return (port, progress)
    }

    @Test func blocksInflateToTheWrittenData() async throws {
        let (port, progress) = try await write(
            [.ok(Self.begin)] + (0..<5).map { .okBlock($0) } + [Self.verify, .sync()])
        let payloads = await port.payloads
        #expect(payloads.dropLast().allSatisfy { $0.count == 0x400 - 16 })
        #expect(try Scripts.inflated(payloads.flatMap { $0 }, count: 5000) == Self.content)
        #expect(progress.map { $0.phase } == [.erasing] + Array(repeating: .writing, count: 5) + [.verifying, .done])
        #expect(progress.last?.written == 5000)
        #expect(progress.last?.overallWritten == 5000)
        #expect(progress.last?.compressedTotal == payloads.reduce(0) { $0 + $1.count })
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.written <= $1.written })
    }

    @Test func anOddLengthIsPaddedToAWord() async throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5]
        let filled = bytes + [0xFF, 0xFF, 0xFF]
        let (port, progress) = try await write(
            [
                .ok(
                    DeflateBegin(
                        .init(eraseSize: 0x400, blockCount: 1, blockSize: 0x400, offset: 0x8000, isEncrypted: false))),
                .okBlock(0), .ok(FlashMD5(address: 0x8000, size: 8), Self.digest(filled)), .sync(),
            ], regions: [.init(name: "partition table", offset: 0x8000, bytes: bytes)])
        #expect(try Scripts.inflated(try #require(await port.payloads.first), count: 8) == filled)
        #expect(progress.last?.written == 5)
    }

    @Test func severalRegionsAreWrittenByAddress() async throws {
        let empty = Array(repeating: UInt8(0), count: 4096)
        let (_, progress) = try await write(
            [
                .ok(
                    DeflateBegin(
                        .init(eraseSize: 0x1000, blockCount: 1, blockSize: 0x400, offset: 0x9000, isEncrypted: false))),
                .okBlock(0), .ok(FlashMD5(address: 0x9000, size: 4096), Self.digest(empty)),
                .ok(Self.begin),
            ] + (0..<5).map { .okBlock($0) } + [Self.verify, .sync()],
            regions: [Self.region, .init(name: "nvs", offset: 0x9000, bytes: empty)])
        #expect(progress.last?.overallWritten == 9096)
        #expect(progress.allSatisfy { $0.overallTotal == 9096 })
    }

    /// A ROM writes the last part of its window of 32 KB when the announced number of blocks has come.
    @Test(arguments: [(0x8000, 1), (300 * 1024, 1), (300 * 1024, 21)])
    func aROMIsToldTheNumberOfBlocksThatCome(count: Int, blocks: UInt32) async throws {
        let text = Array("The quick brown fox jumps over the lazy dog. ".utf8)
        let random = blocks == 1 ? [] : Scripts.bytes(Int(blocks - 2) * 1000)
        let bytes = Array((random + Array(repeating: text, count: 8000).flatMap { $0 }).prefix(count))
        let region = FlashWriteRegion(
            eraseSize: UInt32(count), blockCount: blocks, blockSize: 0x400, offset: 0x3_0000, isEncrypted: false)
        let (port, _) = try await write(
            [.ok(DeflateBegin(region))] + (0..<blocks).map { .okBlock($0) } + [
                .ok(FlashMD5(address: 0x3_0000, size: UInt32(count)), Self.digest(bytes)), .sync(),
            ], regions: [.init(name: "text", offset: 0x3_0000, bytes: bytes)])
        let payloads = await port.payloads
        #expect(payloads.allSatisfy { $0.count <= 0x400 })
        #expect(try Scripts.inflated(payloads.flatMap { $0 }, count: count) == bytes)
    }

    @Test func theStubAcceptsLargeBlocks() async throws {
        let begin = FlashWriteRegion(
            eraseSize: 5000, blockCount: 1, blockSize: 0x4000, offset: 0x1_0000, isEncrypted: false)
        let security = ScriptedPort.Step.ok(GetSecurityInfo(), .init(chipID: 5), dialect: .stub)
        let port = ScriptedPort(
            [.rate(115_200), .sync(.stub), security, security]
                + Scripts.afterChip(.esp32c3, Scripts.realMAC, flashID: 0x16_40C8, dialect: .stub) + [
                    .ok(DeflateBegin(begin), dialect: .stub), .okBlock(0, dialect: .stub),
                    .ok(FlashMD5(address: 0x1_0000, size: 5000), Self.digest(Self.content), dialect: .stub),
                    .sync(.stub),
                ])
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        try await flasher.write(try FlashLayout([Self.region]), to: try await flasher.identify(), options: Self.all)
        await port.finish()
    }

    @Test func aROMGetsTheNextBlockBeforeItHasAnsweredTheLast() async throws {
        // The answer to block 0 comes with that to block 1: two requests are in flight.
        let answer = LoaderResponse(to: DeflateData.self, EmptyReply(), dialect: .rom).frame
        _ = try await write(
            [.ok(Self.begin), .block(0, answer: []), .block(1, answer: answer + answer)]
                + (2..<5).map { .okBlock($0) } + [Self.verify, .sync()])
    }

    @Test func unchangedRegionsAreSkipped() async throws {
        let (port, progress) = try await write([Self.verify, .sync()], options: WriteOptions())
        #expect(await port.payloads.isEmpty)
        #expect(progress.map { $0.phase } == [.comparing, .done])
        #expect(progress.last?.skipped == 5000)
        #expect(progress.last?.overallWritten == 5000)
    }

    @Test func onlyTheSectorThatDiffersIsWritten() async throws {
        let tail = Array(Self.content[4096...])
        let (port, progress) = try await write(
            [
                .ok(FlashMD5(address: 0x1_0000, size: 5000), Self.digest([])),
                .ok(FlashMD5(address: 0x1_0000, size: 4096), Self.digest(Array(Self.content.prefix(4096)))),
                .ok(
                    DeflateBegin(
                        .init(eraseSize: 0x400, blockCount: 1, blockSize: 0x400, offset: 0x1_1000, isEncrypted: false))),
                .okBlock(0), .ok(FlashMD5(address: 0x1_1000, size: 904), Self.digest(tail)), .sync(),
            ], options: WriteOptions())
        #expect(try Scripts.inflated(await port.payloads.flatMap { $0 }, count: 904) == tail)
        #expect(progress.last?.skipped == 4096)
        #expect(progress.last?.written == 5000)
    }

    /// A lost answer leaves open whether the block was inflated, and a resent one breaks the inflater.
    @Test func afterALostAnswerTheRegionIsBegunAnew() async throws {
        let different = ScriptedPort.Step.ok(FlashMD5(address: 0x1_0000, size: 5000), Self.digest([]))
        let whole = (0..<5).map { ScriptedPort.Step.okBlock($0) }
        let (port, progress) = try await write(
            [.ok(Self.begin), .okBlock(0), .block(1, answer: []), .block(2, answer: []), .sync(), different]
                + [
                    .ok(FlashMD5(address: 0x1_0000, size: 4096), Self.digest([])),
                    .ok(FlashMD5(address: 0x1_1000, size: 904), Self.digest([])), .ok(Self.begin),
                ]
                // At last all regions once more: a damaged request may have reached one that was verified.
                + whole + [Self.verify, .sync(), Self.verify, .sync()])
        let payloads = await port.payloads
        #expect(payloads.count == 8)
        #expect(try Scripts.inflated(payloads[3...].flatMap { $0 }, count: 5000) == Self.content)
        #expect(progress.last?.restarts == 1)
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.written <= $1.written })
    }

    /// A genuine ROM refuses a block that it has refused for its checksum when it comes again, even if it is right.
    @Test func afterADamagedBlockTheRegionIsBegunAnew() async throws {
        func damaged(_ sequence: UInt32) -> ScriptedPort.Step {
            .block(
                sequence,
                answer: LoaderResponse(to: .deflateData, failure: .invalidChecksum, dialect: .rom).frame)
        }
        let next = LoaderResponse(to: .deflateData, failure: .invalidMessage, dialect: .rom).frame
        let different: [ScriptedPort.Step] = [
            .sync(), .ok(FlashMD5(address: 0x1_0000, size: 5000), Self.digest([])),
            .ok(FlashMD5(address: 0x1_0000, size: 4096), Self.digest([])),
            .ok(FlashMD5(address: 0x1_1000, size: 904), Self.digest([])),
        ]
        let again = [ScriptedPort.Step.ok(Self.begin), .okBlock(0), damaged(1)] + different
        let sector = FlashWriteRegion(
            eraseSize: 0x1000, blockCount: 5, blockSize: 0x400, offset: 0x1_0000, isEncrypted: false)
        let rest = FlashWriteRegion(
            eraseSize: 0x400, blockCount: 1, blockSize: 0x400, offset: 0x1_1000, isEncrypted: false)
        let sectors: [ScriptedPort.Step] =
            [.ok(DeflateBegin(sector))] + (0..<5).map { .okBlock($0) } + [
                .ok(FlashMD5(address: 0x1_0000, size: 4096), Self.digest(Array(Self.content.prefix(4096)))),
                .ok(DeflateBegin(rest)), .okBlock(0),
                .ok(FlashMD5(address: 0x1_1000, size: 904), Self.digest(Array(Self.content[4096...]))),
            ]
        // More often than a refusal that the line does not explain; in shorter runs each time.
        let (_, progress) = try await write(
            [.ok(Self.begin), damaged(0), .block(1, answer: next)] + different + again + again + sectors
                + [.sync(), Self.verify, .sync()])
        #expect(progress.last?.restarts == 3)
    }

    @Test func aRefusalThatTheLineDoesNotExplainIsTriedThreeTimes() async throws {
        let refused = ScriptedPort.Step.refused(Self.begin, .failed)
        let compared: [ScriptedPort.Step] = [
            .sync(), .ok(FlashMD5(address: 0x1_0000, size: 5000), Self.digest([])),
            .ok(FlashMD5(address: 0x1_0000, size: 4096), Self.digest([])),
            .ok(FlashMD5(address: 0x1_1000, size: 904), Self.digest([])),
        ]
        let third = ScriptedPort.Step.refused(
            DeflateBegin(
                FlashWriteRegion(
                    eraseSize: 0x1400, blockCount: 5, blockSize: 0x400, offset: 0x1_0000, isEncrypted: false)),
            .failed)
        let error = await FlasherError.of {
            _ = try await write([refused] + compared + [refused] + compared + [third])
        }
        #expect(error?.code == .refused)
        #expect(error?.underlying as? LoaderErrorCode == .failed)
        #expect(error?.flashState == .incomplete(["application"]))
        #expect(
            error?.description
                == "erasing the application: FLASH_DEFL_BEGIN was refused: the command could not be carried out (0x06); "
                + "the flash is incomplete: write the application again")
    }

    /// In secure download mode there is no digest: at least the loader must still answer.
    @Test func aLoaderThatFallsSilentInSecureDownloadModeIsAnError() async throws {
        var security = GetSecurityInfo.Reply(chipID: 5)
        security.flags = 1 << 2
        let answers: [ScriptedPort.Step] = [
            .ok(GetSecurityInfo(), security), .ok(GetSecurityInfo(), security), .ok(AttachFlash(dialect: .rom)),
            .sync(),
        ]
        let begin = FlashWriteRegion(
            eraseSize: 0x1400, blockCount: 5, blockSize: 0x400, offset: 0x1_0000, isEncrypted: false)
        let silence = Array(repeating: ScriptedPort.Step.silence(Sync()), count: 12)
        let blocks = [.ok(DeflateBegin(begin))] + (0..<5).map { ScriptedPort.Step.okBlock($0) }
        let port = ScriptedPort(Scripts.connect + answers + blocks + silence)
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        let layout = try FlashLayout([Self.region])
        let error = await FlasherError.of { try await flasher.write(layout, to: board) }
        #expect(error?.code == .timeout)
        #expect(error?.flashState == .incomplete(["application"]))
        await port.finish()
    }

    @Test func aDisconnectedBoardIsAPortError() async throws {
        let error = await FlasherError.of {
            _ = try await write([.ok(Self.begin), .okBlock(0), .vanish(.deflateData)])
        }
        #expect(error?.code == .port)
        #expect(
            error?.description == "writing the application: script: the device is gone; "
                + "the flash is incomplete: write the application again")
    }

    @Test func anotherDigestIsAMismatch() async throws {
        let wrong = ScriptedPort.Step.ok(FlashMD5(address: 0x1_0000, size: 5000), Self.digest([]))
        let round = [ScriptedPort.Step.ok(Self.begin)] + (0..<5).map { .okBlock($0) } + [wrong, wrong]
        let compared: [ScriptedPort.Step] = [
            .sync(), wrong, .ok(FlashMD5(address: 0x1_0000, size: 4096), Self.digest([])),
            .ok(FlashMD5(address: 0x1_1000, size: 904), Self.digest([])),
        ]
        let error = await FlasherError.of { _ = try await write(round + compared + round + compared + round) }
        #expect(error?.code == .verifyMismatch)
        #expect(error?.description.contains("got d41d8cd98f00b204e9800998ecf8427e") == true)
    }
}
