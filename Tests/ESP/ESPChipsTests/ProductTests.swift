import ESPChips
import Testing

/// esptool's names of products, of the same words of eFuses, judge ours.
@Suite(.enabled(if: Python.isInstalled, "there is no .venv/bin/python: Scripts/test installs it"))
struct ProductTests {
    /// Reads lines of words, ADDRESS=VALUE; prints esptool's description and features of each.
    private static let script = """
        import sys
        from esptool.targets import CHIP_DEFS
        words = {}
        class Chip(CHIP_DEFS[sys.argv[1]]):
            def __init__(self): self.cache = {}; self.secure_download_mode = False
            def read_reg(self, address, *_): return words.get(address, 0)
        for line in sys.argv[2].splitlines():
            words = {int(a): int(v) for a, v in (w.split("=") for w in line.split())}
            print(Chip().get_chip_description(), "|", ", ".join(map(str, Chip().get_chip_features())))
        """

    @Test(arguments: Chip.all)
    func areThoseOfEsptool(chip: Chip) throws {
        var all: [[UInt32: UInt32]] = []
        for package: UInt32 in 0..<8 {
            for revision: UInt32 in [0, 100, 301] {
                for core: UInt32 in chip == .esp32 ? [0, 1] : [0] {
                    for capacity: UInt32 in 0..<6 {
                        var words: [UInt32: UInt32] = [:]
                        if chip == .esp32 { words[0x3FF5_A00C] = core }
                        chip.storeRevision(revision, in: &words)
                        chip.efuses.package.store(package, in: &words)
                        chip.efuses.flashCapacity?.store(capacity, in: &words)
                        chip.efuses.psramCapacity?.store(capacity, in: &words)
                        all.append(words)
                    }
                }
            }
        }
        let lines = all.map { $0.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
        let answers = try Python.run(Self.script, [chip.identifier, lines.joined(separator: "\n")]).split(
            separator: "\n")
        try #require(answers.count == all.count)
        for (words, answer) in zip(all, answers) {
            let description = answer.prefix { $0 != "|" }
            if let product = chip.product(in: words) {
                #expect(description.hasPrefix("\(product) (revision"), "\(chip.name) \(words)")
            } else {
                let isPlain = description.hasPrefix("Unknown") || description.hasPrefix(chip.name)
                #expect(isPlain, "\(chip.name): \(description)")
            }
            let features = answer.drop { $0 != "|" }
            if let code = chip.efuses.flashCapacity?.value(in: words) {
                Self.expect(chip.packageFlashMegabytes(code: code), "Flash", features, chip)
            }
            if let code = chip.efuses.psramCapacity?.value(in: words) {
                Self.expect(chip.packagePSRAMMegabytes(code: code), "PSRAM", features, chip)
            }
        }
    }

    private static func expect(_ megabytes: Int?, _ kind: String, _ features: Substring, _ chip: Chip) {
        switch megabytes {
        case nil: #expect(features.contains("Unknown Embedded \(kind)"), "\(chip.name): \(features)")
        case 0:
            #expect(!features.contains("Embedded \(kind) ") || features.contains("No Embedded \(kind)"), "\(features)")
        case let size?: #expect(features.contains("Embedded \(kind) \(size)MB"), "\(chip.name): \(features)")
        }
    }
}
