import ESPChips
import ESPImage
import Testing

/// The kinds of images that esptool builds are distinguished.
@Suite(.enabled(if: Esptool.isInstalled, Comment(rawValue: Esptool.absence)))
struct ImageKindTests {
    private typealias Section = (name: String, address: UInt32, bytes: [UInt8])

    private static let code: Section = (".iram0.text", 0x4008_0000, Fixtures.bytes(4000))
    private static let flashCode: Section = (".flash.text", 0x400D_0020, Fixtures.bytes(5000))

    private func elf2image(_ sections: [Section], _ options: [String] = []) throws -> [UInt8] {
        let arguments = ["--chip", "esp32", "elf2image"] + options + ["-o", "out.bin", "in.elf"]
        let elf = ELFFixture.make(sections, entryPoint: 0x4008_0000)
        let (status, output, image) = try Esptool.run(arguments, files: ["in.elf": elf], result: "out.bin")
        #expect(status == 0, "\(output)")
        return image
    }

    private func kind(_ image: [UInt8]) throws -> ImageKind { try FirmwareImage(image[...]).kind }

    /// esptool fills in the digest, and refuses one that is already set.
    private static var description: [UInt8] {
        var description = Fixtures.description
        description.elfHash = [UInt8](repeating: 0, count: AppDescription.hashLength)
        return description.bytes
    }

    @Test func anApplicationHasItsDescriptionAtTheStartOfItsData() throws {
        let data: Section = (".flash.appdesc", 0x3F40_0020, Self.description + Fixtures.bytes(1000))
        #expect(try kind(elf2image([data, Self.code, Self.flashCode])) == .application)
    }

    @Test func aDescriptionElsewhereIsIgnored() throws {
        let late: Section = (".flash.rodata", 0x3F40_0020, [0, 0, 0, 0] + Self.description)
        #expect(try kind(elf2image([late, Self.code, Self.flashCode])) == .undescribed)
        let inRAM: Section = (".dram0.data", 0x3FFB_0000, Self.description)
        #expect(try kind(elf2image([inRAM, Self.code])) == .loadedIntoRAM)
        #expect(try kind(elf2image([inRAM, Self.code, Self.flashCode])) == .undescribed)
    }

    @Test func bootloadersAndProgramsForRAMAreDistinguished() throws {
        var description = [UInt8](repeating: 0, count: BootloaderDescription.length)
        description[0] = BootloaderDescription.magic
        let data: Section = (".dram0.bootdesc", 0x3FFF_0030, description)
        #expect(try kind(elf2image([data, Self.code])) == .bootloader)
        #expect(try kind(elf2image([Self.code])) == .loadedIntoRAM)
        #expect(try kind(elf2image([Self.code], ["--ram-only-header"])) == .loadedIntoRAM)
        let image = try VirtualBootloader.image(for: .esp32s3, description: Fixtures.bootloaderDescription)
        #expect(try kind(image) == .bootloader)
    }
}
