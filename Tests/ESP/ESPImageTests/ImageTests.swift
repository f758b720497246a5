import ByteCodec
import ESPChips
import ESPImage
import Testing

@Suite struct ImageTests {
    @Test(arguments: Chip.all)
    func aBuiltImageIsParsedUnchanged(chip: Chip) throws {
        var builder = ImageBuilder(for: chip, entryPoint: 0x4008_0000)
        builder.minimumRevision = 300
        builder.addMapped(Fixtures.description.bytes + [1, 2, 3])
        builder.add(Fixtures.bytes(1000)[...], at: chip.memory.ram[0].lowerBound)
        let bytes = try builder.build()
        let image = try FirmwareImage(bytes + [0xFF, 0xFF])
        #expect(image.length == bytes.count)
        #expect(image.header.chipID == chip.id)
        #expect(image.header.entryPoint == 0x4008_0000)
        #expect(image.header.minimumRevision == 300)
        #expect(image.appDescription == Fixtures.description)
        #expect(image.segments.contains { $0.data.elementsEqual(Fixtures.bytes(1000)) })
        #expect(bytes.count % 16 == 0)
    }

    @Test func mappedDataBeginsAfterTheHeaderWithoutPadding() throws {
        let image = try FirmwareImage(try Fixtures.appImage())
        #expect(image.segments.map { $0.isPadding } == [false, false])
        #expect(image.segments[0].address == 0x3F40_0020)
        #expect(image.segments[1].address / 0x1_0000 == 0x3F41)
    }

    private func code(_ bytes: [UInt8], for chip: Chip = .esp32) -> ImageError.Code? {
        try? ImageError.code { _ = try FirmwareImage(bytes[...], for: chip) }
    }

    @Test func everyFaultHasItsErrorCode() throws {
        let good = try Fixtures.appImage(key: nil)
        #expect(code(good) == nil)
        func changed(_ change: (inout [UInt8]) -> Void) -> ImageError.Code? {
            var bytes = good
            change(&bytes)
            return code(bytes)
        }
        #expect(changed { $0[0] = 0xE8 } == .badMagic)
        #expect(changed { $0[0] = 0xFF } == .badMagic)
        #expect(code([]) == .truncated)
        #expect(code(good, for: .esp32c3) == .wrongChip)
        #expect(changed { $0[1] = 0 } == .invalidField)
        #expect(changed { $0[1] = 17 } == .invalidField)
        #expect(changed { $0[23] = 2 } == .invalidField)
        #expect(changed { $0[100] ^= 1 } == .checksum)
        // The entry point is not in the checksum, but in the hash.
        #expect(changed { $0[4] ^= 1 } == .hash)
        #expect(changed { $0[$0.count - 1] ^= 1 } == .hash)
        #expect(changed { $0[28] ^= 1 } == .invalidField)
        #expect(changed { $0[31] = 0x7F } == .invalidField)
        #expect(changed { $0[30] = 0x10 } == .truncated)
        #expect(changed { $0[24] = 0x24 } == .segmentMisaligned)
        #expect(changed { $0[27] = 0x7F } == .segmentOutOfRange)
    }

    @Test func everyTruncationIsDetected() throws {
        let good = try Fixtures.appImage(key: nil)
        for length in 0..<good.count { #expect(code(Array(good.prefix(length))) == .truncated) }
    }

    @Test func errorsNameTheExpectedAndTheFoundValue() throws {
        let good = try Fixtures.appImage(key: nil)
        let error = try #require(throws: ImageError.self) { try FirmwareImage(good[...], for: .esp32s3) }
        #expect(error.description == "image header: expected chip id 9 (ESP32-S3), got 0 (ESP32)")
        let short = try #require(throws: ImageError.self) { try FirmwareImage(good.prefix(200)[...]) }
        #expect(short.description == "segment 0: expected 556 bytes at offset 32, got 168")
    }

    @Test func aBuilderRefusesSegmentsThatNoChipCanLoad() throws {
        var nowhere = ImageBuilder(for: .esp32)
        nowhere.add([1, 2, 3, 4], at: 0x1000_0000)
        #expect(ImageError.code(of: nowhere) == .segmentOutOfRange)
        var tooLong = ImageBuilder(for: .esp32c2)
        tooLong.add(Fixtures.bytes(0x4_0004)[...], at: 0x3FCA_0000)
        #expect(ImageError.code(of: tooLong) == .segmentOutOfRange)
        var shared = ImageBuilder(for: .esp32)
        shared.add([1, 2, 3, 4], at: 0x3F40_0020)
        shared.add([1, 2, 3, 4], at: 0x3F40_1000)
        #expect(ImageError.code(of: shared) == .segmentMisaligned)
        #expect(ImageError.code(of: ImageBuilder(for: .esp32)) == .invalidField)
    }

    @Test func descriptionsOfTheWrongKindAreErrors() throws {
        var reader = ByteReader(Array(repeating: 0, count: 256), subject: "test")
        #expect(throws: ImageError.self) { try AppDescription(from: &reader) }
        let bootloader = try VirtualBootloader.image(for: .esp32, description: Fixtures.bootloaderDescription)
        let image = try FirmwareImage(bootloader[...])
        #expect(image.appDescription == nil)
        #expect(image.isVirtualBootloader)
        #expect(try !FirmwareImage(try Fixtures.appImage()).isVirtualBootloader)
    }

    @Test func textsAreTruncatedBetweenCharactersAndNULTerminated() throws {
        var description = Fixtures.description
        description.projectName = String(repeating: "ä", count: 40)
        #expect(description.bytes.count == AppDescription.length)
        var reader = ByteReader(description.bytes, subject: "test")
        #expect(try AppDescription(from: &reader).projectName == String(repeating: "ä", count: 15))
    }
}

extension ImageError {
    static func code(of builder: ImageBuilder) -> Code? {
        try? code { _ = try builder.build() }
    }
}

extension FirmwareImage {
    init(_ bytes: [UInt8]) throws(ImageError) { try self.init(bytes[...]) }
}
