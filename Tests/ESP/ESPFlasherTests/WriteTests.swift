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
        FlashWriteRegion(eraseSize: 0x1400, blockCount: 5, blockSize: 0x400, offset: 0x1_0000))
    private static let region = FlashLayout.Region(name: "application", offset: 0x1_0000, bytes: content)

    private static func digest(_ bytes: [UInt8]) -> FlashMD5.Reply {
        FlashMD5.Reply(digest: Array(Insecure.MD5.hash(data: bytes))[...])
    }

    private static let verify = ScriptedPort.Step.ok(FlashMD5(address: 0x1_0000, size: 5000), digest(content))

    /// Writes ``region`` with `steps` after the connection, and returns port and progress.
    private func write(
        _ steps: [ScriptedPort.Step], mac: [UInt8] = Scripts.virtualMAC, regions: [FlashLayout.Region] = [region]
    ) async throws -> (ScriptedPort, [FlashProgress]) {
        let port = ScriptedPort(Scripts.connect + Scripts.identify(mac) + steps)
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        var progress: [FlashProgress] = []
        do {
            try await flasher.write(try FlashLayout(regions), to: board) { progress.append($0) }
        } catch {
            await port.finish()
            throw error
        }
        await port.finish()
        return (port, progress)
    }

    @Test func blocksInflateToTheWrittenData() async throws {
        let (port, progress) = try await write([.ok(Self.begin)] + (0..<5).map { .okBlock($0) } + [Self.verify])
        let payloads = await port.payloads
        #expect(payloads.dropLast().allSatisfy { $0.count == 0x400 })
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
                .ok(DeflateBegin(.init(eraseSize: 0x400, blockCount: 1, blockSize: 0x400, offset: 0x8000))),
                .okBlock(0), .ok(FlashMD5(address: 0x8000, size: 8), Self.digest(filled)),
            ], regions: [.init(name: "partition table", offset: 0x8000, bytes: bytes)])
        #expect(try Scripts.inflated(try #require(await port.payloads.first), count: 8) == filled)
        #expect(progress.last?.written == 5)
    }

    @Test func severalRegionsAreWrittenByAddress() async throws {
        let empty = Array(repeating: UInt8(0), count: 4096)
        let (_, progress) = try await write(
            [
                .ok(DeflateBegin(.init(eraseSize: 0x1000, blockCount: 1, blockSize: 0x400, offset: 0x9000))),
                .okBlock(0), .ok(FlashMD5(address: 0x9000, size: 4096), Self.digest(empty)),
                .ok(Self.begin),
            ] + (0..<5).map { .okBlock($0) } + [Self.verify],
            regions: [Self.region, .init(name: "nvs", offset: 0x9000, bytes: empty)])
        #expect(progress.last?.overallWritten == 9096)
        #expect(progress.allSatisfy { $0.overallTotal == 9096 })
    }

    @Test func theStubAcceptsLargeBlocksAndIsQueriedAfterTheLast() async throws {
        let begin = FlashWriteRegion(
            eraseSize: 5000, blockCount: 1, blockSize: 0x4000, offset: 0x1_0000, isEncrypted: false)
        let port = ScriptedPort(
            [.rate(115_200), .sync(.stub), .ok(GetSecurityInfo(), .init(chipID: 5), dialect: .stub)]
                + Scripts.afterChip(.esp32c3, Scripts.realMAC, flashID: 0x16_40C8, dialect: .stub) + [
                    .ok(DeflateBegin(begin), dialect: .stub), .okBlock(0, dialect: .stub),
                    .ok(ReadRegister(address: 0x4000_1000), .init(value: 0), dialect: .stub),
                    .ok(FlashMD5(address: 0x1_0000, size: 5000), Self.digest(Self.content), dialect: .stub),
                ])
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        try await flasher.write(try FlashLayout([Self.region]), to: try await flasher.identify())
        await port.finish()
    }

    @Test func aDamagedBlockIsSentAgain() async throws {
        let refusal = LoaderResponse(to: .deflateData, failure: .invalidChecksum, dialect: .rom).frame
        let (port, _) = try await write(
            [.ok(Self.begin), .okBlock(0), .block(1, answer: refusal), .block(1, answer: [])]
                + (1..<5).map { .okBlock($0) } + [Self.verify])
        let payloads = await port.payloads
        #expect(payloads.count == 7)
        #expect(payloads[1] == payloads[2] && payloads[2] == payloads[3])
    }

    @Test func theThirdFailureOfABlockIsAnError() async throws {
        let refusal = LoaderResponse(to: .deflateData, failure: .invalidChecksum, dialect: .rom).frame
        let error = await FlasherError.of {
            _ = try await write([.ok(Self.begin)] + (0..<3).map { _ in .block(0, answer: refusal) })
        }
        #expect(error?.code == .refused)
        #expect(error?.underlying as? LoaderErrorCode == .invalidChecksum)
        #expect(
            error?.description
                == "writing the application, block 1 of 5: FLASH_DEFL_DATA was refused: "
                + "the checksum of the payload is wrong (0x07)")
    }

    @Test func aDeflateErrorIsNotRepeated() async throws {
        let refusal = LoaderResponse(to: .deflateData, failure: .deflate, dialect: .rom).frame
        let error = await FlasherError.of {
            _ = try await write([.ok(Self.begin), .okBlock(0), .block(1, answer: refusal)])
        }
        #expect(error?.underlying as? LoaderErrorCode == .deflate)
    }

    @Test func aRefusedEraseIsAnError() async throws {
        let error = await FlasherError.of { _ = try await write([.refused(Self.begin, .failed)]) }
        #expect(error?.description.hasPrefix("erasing the application: FLASH_DEFL_BEGIN was refused") == true)
    }

    @Test func aDisconnectedBoardIsAPortError() async throws {
        let error = await FlasherError.of {
            _ = try await write([.ok(Self.begin), .okBlock(0), .vanish(.deflateData)])
        }
        #expect(error?.code == .port)
        #expect(error?.description == "writing the application, block 2 of 5: script: the device is gone")
    }

    @Test func anotherDigestIsAMismatch() async throws {
        let error = await FlasherError.of {
            _ = try await write(
                [.ok(Self.begin)] + (0..<5).map { .okBlock($0) } + [
                    .ok(FlashMD5(address: 0x1_0000, size: 5000), Self.digest([]))
                ])
        }
        #expect(error?.code == .verifyMismatch)
        #expect(error?.description.contains("got d41d8cd98f00b204e9800998ecf8427e") == true)
    }
}
