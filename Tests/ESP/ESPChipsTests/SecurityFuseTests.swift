import ESPChips
import Testing

/// espefuse's tables of eFuses and esptool's names of key purposes judge ours.
@Suite(.enabled(if: Python.isInstalled, "there is no .venv/bin/python: Scripts/test installs it"))
struct SecurityFuseTests {
    private static let script = """
        import glob, os, sys, yaml, espefuse
        from esptool.targets import CHIP_DEFS
        name = sys.argv[1]
        path = os.path.join(os.path.dirname(espefuse.__file__), "efuse_defs", name + ".yaml")
        for fuse, f in yaml.safe_load(open(path))["EFUSES"].items():
            if f.get("blk") == 0: print("fuse", fuse, f["word"], f["pos"], f["len"])
        for code, purpose in CHIP_DEFS[name].KEY_PURPOSES.items(): print("purpose", code, purpose)
        """

    @Test(arguments: Chip.all)
    func areThoseOfEspefuse(chip: Chip) throws {
        let output = try Python.run(Self.script, [chip.identifier])
        let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let places = Dictionary(
            uniqueKeysWithValues: lines.filter { $0[0] == "fuse" && $0.count == 5 }.map {
                ($0[1], Array($0.dropFirst(2)))
            })
        let first: UInt32 = chip == .esp32 ? 0 : 1
        #expect(chip.securityFuses.count >= 5)
        for fuse in chip.securityFuses {
            let piece = try #require(fuse.field.pieces.first)
            let word = (piece.address - chip.efuses.base) / 4 + first
            #expect(places[fuse.name] == ["\(word)", "\(piece.shift)", "\(piece.width)"], "\(chip.name) \(fuse.name)")
        }
        let purposes = lines.filter { $0[0] == "purpose" }
        #expect(purposes.isEmpty == chip.efuses.keyPurposes.isEmpty, "\(output)")
        for line in purposes {
            #expect(chip.keyPurposeName(try #require(UInt32(line[1]))) == line[2], "\(chip.name)")
        }
    }
}
