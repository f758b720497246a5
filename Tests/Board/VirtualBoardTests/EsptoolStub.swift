import ESPChips
import ESPFlasher
import Foundation
import Testing

/// The stubs of the esptool package that `Scripts/test` installs.
enum EsptoolStub {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The file of a chip's stub.
    static func file(for chip: Chip) throws -> URL {
        let library = root.appending(path: ".venv/lib")
        let pythons = try FileManager.default.contentsOfDirectory(atPath: library.path)
        let python = try #require(pythons.first { $0.hasPrefix("python3") })
        return library.appending(
            path: "\(python)/site-packages/esptool/targets/stub_flasher/2/\(StubImage.fileName(forChip: chip.name))")
    }

    static func image(for chip: Chip) throws -> StubImage {
        let file = try file(for: chip)
        return try StubImage(json: Array(try Data(contentsOf: file)), name: file.lastPathComponent)
    }
}

@Suite struct EsptoolStubTests {
    @Test(arguments: Chip.all) func eachStubIsForItsChipOnly(chip: Chip) throws {
        let stub = try EsptoolStub.image(for: chip)
        for other in Chip.all {
            if other == chip {
                try stub.check(for: other)
            } else {
                #expect(throws: FlasherError.self) { try stub.check(for: other) }
            }
        }
    }
}
