import ESPChips
import ESPImage
import Testing

@Suite struct FlashLayoutTests {
    private func code(_ regions: [(UInt32, Int)]) throws -> ImageError.Code? {
        try ImageError.code {
            _ = try FlashLayout(
                regions.map { .init(name: "part", offset: $0.0, bytes: Array(repeating: 0, count: $0.1)) })
        }
    }

    @Test func regionsMustNotShareASector() throws {
        #expect(try code([(0x1000, 0x1000), (0x2000, 1)]) == nil)
        #expect(try code([(0x2000, 1), (0x1000, 0x1001)]) == .layout)
        #expect(try code([(0x1000, 0x10), (0x1800, 1)]) == .layout)
    }

    @Test func regionsMustEndWithinTheLargestFlash() throws {
        #expect(try code([(0, 1), (0x7FF_F000, 0x1000)]) == nil)
        #expect(try code([(0x7FF_F000, 0x1001)]) == .beyondFlash)
        #expect(try code([(0x800_0000, 0)]) == nil)
        let error = try #require(throws: ImageError.self) {
            try FlashLayout([
                .init(name: "a", offset: 0x1000, bytes: [1]),
                .init(name: "b", offset: 0xFFFF_FF00, bytes: Array(repeating: 0, count: 0x200)),
            ])
        }
        #expect(
            error.description
                == "b: expected an end within the largest flash of 0x8000000 bytes, got 0x100000100")
    }

    @Test func anAppThatDoesNotFitItsPartitionIsAnError() throws {
        let table = try PartitionTable(csv: "nvs,data,nvs,0x9000,0x5000\napp,app,factory,0x10000,64K")
        func layout(_ count: Int) throws -> FlashLayout {
            try FlashLayout(
                chip: .esp32, bootloader: [0xE9], table: table, app: Array(repeating: 0, count: count),
                flashSize: 4 << 20)
        }
        #expect(try layout(0x1_0000).regions.last?.offset == 0x1_0000)
        let error = try #require(throws: ImageError.self) { try layout(0x1_0001) }
        #expect(error.description == "application: expected at most 65536 bytes (partition app), got 65537")
        #expect(throws: ImageError.self) {
            try FlashLayout(
                chip: .esp32, bootloader: [], table: .arduino4MB, app: [], flashSize: 2 << 20)
        }
    }
}
