import ESPImage
import EspbenchCommands
import Foundation
import Testing

@Suite("Image files")
struct ImageFileTests {
    private func layout(_ bytes: [UInt8]) throws -> (name: String, offset: UInt32, count: Int)? {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try BoardFlashing.layout(imageFile: file.path).regions.first.map { ($0.name, $0.offset, $0.bytes.count) }
    }

    @Test("of an application go where the partition table has it")
    func application() throws {
        let region = try layout([0xE9, 1, 2, 3])
        #expect(region?.name == "application")
        #expect(region?.offset == 0x1_0000)
    }

    @Test("of a whole flash go to its start")
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

    @Test("that are not there are named")
    func missing() {
        let failure = #expect(throws: CommandFailure.self) { try BoardFlashing.layout(imageFile: "/nowhere.bin") }
        #expect(failure?.message == "the image /nowhere.bin could not be read")
    }
}
