import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import Testing

/// Layouts that are refused before anything is erased: the script ends with the identification.
@Suite struct PlanTests {
    private func refusal(
        _ regions: [FlashLayout.Region], mac: [UInt8] = Scripts.virtualMAC, flashID: UInt32 = 0x16_40C8
    ) async throws -> FlasherError? {
        let port = ScriptedPort(Scripts.connect + Scripts.identify(mac, flashID: flashID))
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        let layout = try FlashLayout(regions)
        let error = await FlasherError.of { try await flasher.write(layout, to: board) }
        #expect(error?.flashState == .unchanged)
        await port.finish()
        return error
    }

    private func app(for chip: Chip = .esp32, isHostImage: Bool = true) throws -> [UInt8] {
        let description = AppDescription(
            version: "1", projectName: "Test", time: "00:00:00", date: "Jan  1 2026", idfVersion: "v5.5.1", elfHash: [])
        var builder = ImageBuilder(for: chip)
        builder.addMapped(description.bytes[...])
        if isHostImage {
            let key = try #require(HostProgramKey(Array(repeating: 1, count: 32)))
            let program = HostProgram(abi: "x", layoutVersion: 1, program: [1, 2, 3])
            builder.addMapped(program.seal(key: key, description: description)[...])
        }
        return try builder.build()
    }

    private func region(_ bytes: [UInt8], at offset: UInt32 = 0x1_0000) -> FlashLayout.Region {
        .init(name: "application", offset: offset, bytes: bytes)
    }

    @Test func anImageForAnotherChipIsRefused() async throws {
        let error = try await refusal([region(try app(for: .esp32c3))])
        #expect(error?.code == .wrongChip)
        #expect(
            error?.description
                == "application at 0x10000: image header: expected chip id 0 (ESP32), got 5 (ESP32-C3)")
    }

    @Test func aDamagedOrTruncatedImageIsRefused() async throws {
        let good = try app()
        #expect(try await refusal([region(Array(good.dropLast(40)))])?.code == .invalidImage)
        var changed = good
        changed[100] ^= 1
        #expect(try await refusal([region(changed)])?.code == .invalidImage)
        // Of a whole flash the image is named, not the beginning of the file.
        let merged = try await refusal([region(Array(repeating: 0xFF, count: 0x1_0000) + changed, at: 0)])
        #expect(merged?.code == .invalidImage)
        #expect(
            merged?.description.hasPrefix("application at 0x0, image at 0x10000: image checksum: expected 0x") == true)
    }

    @Test func dataBeyondTheFlashAreRefused() async throws {
        let error = try await refusal([region(Array(repeating: 0, count: 0x1001), at: 0x3F_F000)])
        #expect(error?.code == .tooLarge)
        #expect(
            error?.description
                == "application at 0x3ff000: expected an end within the flash of 4194304 bytes, got 0x400001")
        #expect(try await refusal([region([0], at: 0x20_0000)], flashID: 0x15_40C8)?.code == .tooLarge)
    }

    @Test func rawDataAreNotValidatedAsImages() async throws {
        let port = ScriptedPort(Scripts.connect + Scripts.identify() + [.vanish(.flashMD5)])
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        let layout = try FlashLayout([region(try app(for: .esp32c3))])
        let options = WriteOptions(validatesImages: false)
        let error = await FlasherError.of { try await flasher.write(layout, to: board, options: options) }
        #expect(error?.code == .port)
        #expect(error?.flashState == .unchanged)
        await port.finish()
    }

    @Test func anAddressWithinASectorIsRefused() async throws {
        #expect(try await refusal([region([0], at: 0x1_0800)])?.code == .misaligned)
    }

    @Test func aHostImageOnARealBoardIsRefused() async throws {
        let error = try await refusal([region(try app())], mac: Scripts.realMAC)
        #expect(error?.code == .hostImageOnRealBoard)
        #expect(
            error?.description
                == "application at 0x10000: it was built for the virtual board, and would not start on this real ESP32")
    }

    @Test func aHostImageWithinAMergedImageOnARealBoardIsRefused() async throws {
        let merged = Array(repeating: UInt8(0xFF), count: 0x1_0000) + (try app())
        #expect(try await refusal([region(merged, at: 0)], mac: Scripts.realMAC)?.code == .hostImageOnRealBoard)
    }

    @Test func aVirtualBootloaderOnARealBoardIsRefused() async throws {
        let image = try VirtualBootloader.image(
            for: .esp32, description: .init(version: 1, idfVersion: "", dateTime: ""))
        #expect(try await refusal([region(image, at: 0x1000)], mac: Scripts.realMAC)?.code == .hostImageOnRealBoard)
    }

    @Test func anImageForAnotherChipWithinAMergedImageIsRefused() async throws {
        let merged = Array(repeating: UInt8(0xFF), count: 0x1_0000) + (try app(for: .esp32s3))
        #expect(try await refusal([region(merged, at: 0)])?.code == .wrongChip)
    }

    @Test func anImageOfEspressifIsAcceptedOnARealBoard() async throws {
        // It is accepted: the next step compares the flash, which is not in the script.
        let port = ScriptedPort(Scripts.connect + Scripts.identify(Scripts.realMAC) + [.vanish(.flashMD5)])
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        let layout = try FlashLayout([region(try app(isHostImage: false))])
        #expect(await FlasherError.of { try await flasher.write(layout, to: board) }?.code == .port)
        await port.finish()
    }
}
