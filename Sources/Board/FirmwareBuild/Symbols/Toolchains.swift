import FoundationEssentials

/// Where the tools for an ESP chip's programs are installed.
enum Toolchains {
    /// The programs that find places in a program for `machine`, best first: names for PATH, and paths below `home` where
    /// ESP-IDF, arduino-cli and PlatformIO install their toolchains.
    static func symbolTools(for machine: ELFCode.Machine, home: String?) -> [String] {
        let names: [String]
        switch machine {
        case .xtensa:
            names = [
                "xtensa-esp-elf", "xtensa-esp32-elf", "xtensa-esp32s3-elf", "xtensa-esp32s2-elf", "xtensa-lx106-elf",
            ]
        case .riscv:
            names = ["riscv32-esp-elf", "riscv64-unknown-elf", "riscv32-unknown-elf"]
        default:
            return ["addr2line", "llvm-addr2line"]
        }
        let tools = names.map { "\($0)-addr2line" }
        let installed = home.map { home in folders(home).flatMap { folder in tools.map { "\(folder)/\($0)" } } } ?? []
        // Those of LLVM read the debug information of every machine.
        return tools + installed + ["llvm-addr2line", "llvm-addr2line-19", "llvm-addr2line-14", "addr2line"]
    }

    /// The `bin` folders of installed toolchains, the newest version first.
    private static func folders(_ home: String) -> [String] {
        func contents(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted(by: >)
        }
        let arduino = home + "/.arduino15/packages/esp32/tools"
        let espressif = home + "/.espressif/tools"
        let platformIO = home + "/.platformio/packages"
        var folders: [String] = []
        // NAME/VERSION/bin, and NAME/VERSION/NAME/bin.
        for root in [espressif, arduino] {
            for name in contents(root) where name.contains("elf") || name.contains("esp-x") {
                for version in contents("\(root)/\(name)") {
                    folders += ["\(root)/\(name)/\(version)/bin", "\(root)/\(name)/\(version)/\(name)/bin"]
                }
            }
        }
        for name in contents(platformIO) where name.hasPrefix("toolchain-") {
            folders.append("\(platformIO)/\(name)/bin")
        }
        return folders
    }
}
