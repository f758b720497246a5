import BenchExecutor
import Crypto
import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import MonotonicTime
import SerialPort
import Testing
import VirtualBoard

/// Whole sessions of our flasher with our board, in virtual time, with the loader in ROM and with esptool's stub.
@Suite struct LoaderSessionTests {
    /// Runs `body` with an open session.
    static func session<Value: Sendable>(
        _ chip: Chip = .esp32, withStub: Bool, hasModemLines: Bool = true, baudRate: Int? = 921_600,
        isLocked: Bool = false,
        _ body: @escaping @Sendable (Flasher, ConnectedBoard, TestBoard, BoardPort) async throws -> Value
    ) throws -> Value {
        let stub = withStub ? try EsptoolStub.image(for: chip) : nil
        let executor = BenchExecutor()
        return try executor.run {
            var identity = ChipIdentity(number: 0x0102_0304, flashSize: 4 << 20, chip: chip)
            identity.hasSecureDownload = isLocked
            let board = try TestBoard(on: executor, identity: identity)
            let port = try await board.powerOn().open(hasModemLines: hasModemLines)
            let flasher = Flasher(port: port, clock: BenchClock(executor))
            let connected = try await flasher.open(
                SessionOptions(baudRate: baudRate) { (_, _) throws(FlasherError) in stub })
            return try await body(flasher, connected, board, port)
        }
    }

    private static func layout(_ random: inout SeededRandom, count: Int = 70_001) throws -> FlashLayout {
        try FlashLayout([
            .init(name: "data", offset: 0x1_0000, bytes: random.bytes(count)),
            .init(name: "text", offset: 0x20_0000, bytes: Array(repeating: 0x41, count: 100_000)),
        ])
    }

    @Test(arguments: Chip.all, [false, true])
    func allChipsAreIdentifiedWrittenAndRead(chip: Chip, withStub: Bool) throws {
        var random = SeededRandom(seed: 3)
        let layout = try Self.layout(&random)
        try Self.session(chip, withStub: withStub) { flasher, connected, board, _ in
            #expect(connected.chip == chip)
            #expect(flasher.dialect == (withStub ? .stub : .rom))
            #expect(flasher.baudRate == 921_600)
            let information = try await flasher.information(of: connected)
            #expect(information.revision == board.machineIdentity.revision)
            #expect(information.crystalMegahertz == chip.crystal.usual)
            #expect(information.flashSizeFromParameters == 4 << 20)
            #expect(information.isSecureBoot == false)

            let summary = try await flasher.write(layout, to: connected)
            #expect(summary.restarts == 0 && summary.isVerified)
            for region in layout.regions {
                #expect(try await board.flashBytes(Int(region.offset), region.bytes.count) == region.bytes)
                let range = UInt64(region.offset)..<region.end
                if region.name == "data" || withStub {
                    #expect(try await flasher.read(range, of: connected) == region.bytes)
                }
                let digest = Array(Insecure.MD5.hash(data: region.bytes))
                #expect(try await flasher.digest(range, of: connected) == digest)
            }
            #expect(try await flasher.verify(layout, on: connected).isEmpty)
            #expect(flasher.lineFaults == 0)
        }
    }

    @Test(arguments: [false, true])
    func theSameAgainSkipsEverythingAndAChangeOnlyTheRest(withStub: Bool) throws {
        var random = SeededRandom(seed: 4)
        let layout = try Self.layout(&random, count: 300_000)
        var changed = layout.regions[0]
        changed.bytes[150_000] ^= 1
        let second = try FlashLayout([changed, layout.regions[1]])
        let expected = changed.bytes
        try Self.session(withStub: withStub) { flasher, connected, board, _ in
            #expect(try await flasher.write(layout, to: connected).skipped == 0)
            let again = try await flasher.write(layout, to: connected)
            #expect(again.skipped == 400_000 && again.sent == 0)
            let differences = try await flasher.verify(second, on: connected)
            #expect(differences.map(\.region) == ["data"])
            #expect(differences.first?.ranges == [0x3_4000..<0x3_5000])
            let partial = try await flasher.write(second, to: connected)
            #expect(partial.skipped == 400_000 - 4096)
            #expect(try await board.flashBytes(0x1_0000, 300_000) == expected)
        }
    }

    @Test(arguments: [false, true])
    func sectorsAndTheWholeFlashAreErased(withStub: Bool) throws {
        try Self.session(withStub: withStub) { flasher, connected, board, _ in
            let layout = try FlashLayout([
                .init(name: "data", offset: 0x1_0000, bytes: Array(repeating: 0, count: 0x4000))
            ])
            try await flasher.write(layout, to: connected)
            try await flasher.erase(0x1_1000..<0x1_2000, of: connected)
            let zero = [UInt8](repeating: 0, count: 0x1000)
            let blank = [UInt8](repeating: 0xFF, count: 0x1000)
            #expect(try await board.flashBytes(0x1_0000, 0x4000) == zero + blank + zero + zero)
            try await flasher.eraseFlash(of: connected)
            #expect(try await board.flashBytes(0x1_0000, 0x1000) == blank)
            do throws(FlasherError) {
                try await flasher.erase(0x100..<0x1000, of: connected)
                Issue.record("an address within a sector was erased")
            } catch {
                #expect(error.code == .misaligned)
            }
            do throws(FlasherError) {
                try await flasher.erase(0x3F_F000..<0x40_1000, of: connected)
                Issue.record("sectors beyond the flash were erased")
            } catch {
                #expect(error.code == .beyondEnd)
            }
        }
    }

    @Test func uncompressedDataAreWrittenByBothLoaders() throws {
        var random = SeededRandom(seed: 5)
        let bytes = random.bytes(40_003)
        for withStub in [false, true] {
            try Self.session(withStub: withStub) { flasher, connected, board, _ in
                let layout = try FlashLayout([.init(name: "data", offset: 0x1_0000, bytes: bytes)])
                let options = WriteOptions(skipsUnchanged: false, isCompressed: false)
                let summary = try await flasher.write(layout, to: connected, options: options)
                #expect(summary.isVerified && summary.restarts == 0)
                #expect(try await board.flashBytes(0x1_0000, bytes.count) == bytes)
            }
        }
    }

    /// Sizes at which a block could hold nothing but the end of the compressed stream.
    @Test func sizesAroundTheInflatersWindowAreWritten() throws {
        var random = SeededRandom(seed: 6)
        let bytes = random.bytes(0x1_8000 + 64)
        try Self.session(withStub: true) { flasher, connected, board, _ in
            for size in [0x8000, 0x1_0000, 0x1_8000, 0x8000 - 4, 0x8000 + 4, 4] {
                for isRandom in [true, false] {
                    let content =
                        isRandom ? Array(bytes.prefix(size)) : Array(repeating: UInt8(size & 0x7F), count: size)
                    let layout = try FlashLayout([.init(name: "data", offset: 0x1_0000, bytes: content)])
                    let options = WriteOptions(skipsUnchanged: false)
                    #expect(try await flasher.write(layout, to: connected, options: options).restarts == 0)
                    #expect(try await board.flashBytes(0x1_0000, size) == content)
                }
            }
        }
    }

    @Test func secureDownloadModePermitsOnlyWriting() throws {
        var random = SeededRandom(seed: 7)
        let bytes = random.bytes(10_000)
        try Self.session(.esp32c3, withStub: true, isLocked: true) { flasher, connected, board, _ in
            #expect(connected.isInSecureDownloadMode)
            #expect(flasher.dialect == .rom)
            let layout = try FlashLayout([.init(name: "data", offset: 0x1_0000, bytes: bytes)])
            let summary = try await flasher.write(layout, to: connected)
            #expect(!summary.isVerified)
            #expect(try await board.flashBytes(0x1_0000, bytes.count) == bytes)
            for operation in [
                { _ = try await flasher.read(0..<4096, of: connected) },
                { _ = try await flasher.digest(0..<4096, of: connected) },
                { _ = try await flasher.verify(layout, on: connected) },
            ] as [() async throws -> Void] {
                do {
                    try await operation()
                    Issue.record("permitted")
                } catch let error as FlasherError {
                    #expect(error.code == .secureDownload)
                    #expect(error.description.contains("permits only writing"))
                }
            }
        }
    }
}

extension TestBoard {
    nonisolated var machineIdentity: ChipIdentity { identity }
}
