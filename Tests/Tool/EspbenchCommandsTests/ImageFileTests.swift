import BoardConsole
import CommandSupport
import EspbenchCommands
import ESPChips
import ESPImage
import Foundation
import Testing

@Suite("Image files")
struct ImageFileTests {
    private func layout(_ bytes: [UInt8]) throws -> (name: String, offset: UInt32, count: Int)? {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try ImageFile.layout(file.path).regions.first.map { ($0.name, $0.offset, $0.bytes.count) }
    }

    private static let description = AppDescription(
        version: "1", projectName: "image", time: "", date: "", idfVersion: "v5.5", elfHash: [])

    private func image(_ data: [UInt8], at address: UInt32, for chip: Chip = .esp32) throws -> [UInt8] {
        var builder = ImageBuilder(for: chip)
        builder.add(data[...], at: address)
        return try builder.build()
    }

    @Test("of an application are written at the offset in the partition table, whatever they contain at 0x8000")
    func application() throws {
        // Padded so that its own bytes look like a partition table.
        var data = Self.description.bytes + [UInt8](repeating: 0, count: 0x9000)
        data.replaceSubrange(0x8000 - 0x20..<0x8002 - 0x20, with: [0xAA, 0x50])
        let region = try layout(try image(data, at: 0x3F40_0020))
        #expect(region?.name == "application")
        #expect(region?.offset == 0x1_0000)
    }

    @Test("that are invalid are left to the flasher")
    func damaged() throws {
        #expect(try layout([0xE9, 1, 2, 3])?.name == "application")
    }

    @Test("of a bootloader, for RAM or without a description are refused by their kind")
    func noApplication() throws {
        let bootloader = try VirtualBootloader.image(
            for: .esp32c3, description: BootloaderDescription(version: 1, idfVersion: "v5.5", dateTime: "now"))
        for (bytes, kind) in [
            (bootloader, "a second-stage bootloader"),
            (try image([1, 2, 3, 4], at: 0x3FFB_0000), "an image that is loaded into RAM"),
            (try image([UInt8](repeating: 1, count: 300), at: 0x3F40_0020), "an image for flash without that"),
            // The description is valid only where the bootloader reads it.
            (try image(Self.description.bytes, at: 0x3FFB_0000), "an image that is loaded into RAM"),
        ] {
            let failure = #expect(throws: CommandFailure.self) { try layout(bytes) }
            #expect(failure?.status == .flashFailed)
            #expect(failure?.message.contains("expected an application (esp_app_desc_t, magic 0xabcd5432") == true)
            #expect(failure?.message.contains("got \(kind)") == true, "\(failure?.message ?? "")")
            #expect(failure.flatMap { Hints.text(for: $0.code) } != nil)
        }
    }

    @Test("of a whole flash are written at address 0")
    func flash() throws {
        var bytes = [UInt8](repeating: 0xFF, count: 0x1_0010)
        bytes[0x8000] = 0xAA
        bytes[0x8001] = 0x50
        let region = try layout(bytes)
        #expect(region?.name == "flash")
        #expect(region?.offset == 0)
        #expect(region?.count == 0x1_0010)
    }

    @Test("that are neither are refused", arguments: [[], [0x7F, 0x45, 0x4C, 0x46]] as [[UInt8]])
    func neither(bytes: [UInt8]) {
        let failure = #expect(throws: CommandFailure.self) { try layout(bytes) }
        #expect(failure?.status == .flashFailed)
        #expect(failure?.message.contains("that are neither") == true)
    }

    @Test("that do not exist are named in the error")
    func missing() {
        let failure = #expect(throws: CommandFailure.self) { try ImageFile.layout("/nowhere.bin") }
        #expect(failure?.message == "/nowhere.bin could not be read: No such file or directory")
    }

    @Test("that are devices are refused, since reading them may never end")
    func device() {
        let failure = #expect(throws: CommandFailure.self) { try ImageFile.layout("/dev/zero") }
        #expect(failure?.message == "/dev/zero: expected a file, got a device, a pipe or a socket")
    }
}
