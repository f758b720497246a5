public import Console
import FoundationEssentials

/// Finds the places of addresses in a program with binutils' `addr2line`, which comes with every C++ compiler.
public struct Addr2line: AddressResolver {
    /// The address at which the virtual board shows the code of a position-independent program: in the ESP32's address
    /// range of instructions in flash. Programs with the chip's data model really run in that range.
    public static let virtualBase: UInt64 = 0x400D_0000

    private let program: String
    /// The address that is shown for the program's address 0.
    package let base: UInt64
    private let tools: [String]
    /// The paths of the sketch's own files.
    private let sources: Set<String>

    /// A resolver for the program of `sketch` with debug information, at `path`.
    public init(program path: String, of sketch: Sketch? = nil) {
        let header = (try? FileTree.contents(of: path)) ?? []
        let sources = sketch.map { $0.inoFiles + $0.sourceFiles + $0.headerFiles } ?? []
        self.init(
            program: path, base: Self.base(header), tools: ["addr2line", "llvm-addr2line"], sources: Set(sources))
    }

    /// The base of a program for this machine, by the type in its ELF header: a program at a fixed address (`ET_EXEC`)
    /// is shown at its own addresses.
    static func base(_ file: [UInt8]) -> UInt64 {
        file.count > 17 && file[16] == 2 && file[17] == 0 ? 0 : virtualBase
    }

    /// A resolver that runs the first of `tools` that is installed.
    init(program path: String, base: UInt64, tools: [String], sources: Set<String> = []) {
        self.base = base
        self.sources = sources
        self.tools = tools
        program = path
    }

    /// The reason why no places are found; `nil` if a tool is installed.
    func toolFault() async -> String? {
        if await CommandLineTool.find(tools) != nil { return nil }
        return "\(program): no program finds its places: expected \(tools[0]) or llvm-addr2line in PATH"
    }

    /// The frames of each address; empty when the tool is not installed, or cannot read the program.
    public func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]] {
        // For a return address, the call before it is looked up.
        let offsets = addresses.map { $0.value < base ? nil : $0.value - base - ($0.isReturn ? 1 : 0) }
        let known = offsets.compactMap(\.self).map { "0x" + String($0, radix: 16) }
        guard !known.isEmpty else { return addresses.map { _ in [] } }
        guard let tool = await CommandLineTool.find(tools) else { return addresses.map { _ in [] } }
        // -a begins each address with a line of its own; -i shows inlined functions, innermost first.
        guard let outcome = try? await tool.run(["-e", program, "-a", "-f", "-C", "-i"] + known), outcome.isSuccess
        else { return addresses.map { _ in [] } }
        var records = Self.records(outcome.standardOutput).makeIterator()
        return zip(addresses, offsets).map { address, offset in
            guard offset != nil, let places = records.next() else { return [] }
            return Self.frames(places, at: address.value).map { frame in
                var frame = frame
                frame.isOfSketch = frame.file.map(sources.contains) ?? false
                return frame
            }
        }
    }

    /// A function and its place, as the tool prints them on two lines.
    typealias Place = (function: Substring, location: Substring)

    /// The places of each address in the tool's output.
    static func records(_ output: String) -> [[Place]] {
        var records: [[Place]] = []
        var function: Substring?
        for line in output.split(separator: "\n") {
            if line.hasPrefix("0x"), function == nil {
                records.append([])
            } else if let name = function {
                if !records.isEmpty { records[records.count - 1].append((name, line)) }
                function = nil
            } else {
                function = line
            }
        }
        return records
    }

    /// The frames of one address; empty if the tool finds no function.
    static func frames(_ places: [Place], at address: UInt64) -> [CodeFrame] {
        let frames = places.enumerated().map { index, place in
            // `/a/Lamp.ino:42 (discriminator 3)`, `??:0`, `??:?`
            let end = place.location.firstRange(of: " (discriminator")?.lowerBound ?? place.location.endIndex
            let location = place.location[..<end]
            let colon = location.lastIndex(of: ":")
            let file = colon.map { location[..<$0] } ?? location
            let line = colon.flatMap { Int(location[location.index(after: $0)...]) }
            return CodeFrame(
                address: address, function: place.function == "??" ? nil : String(place.function),
                file: file == "??" ? nil : String(file), line: line == 0 ? nil : line,
                isInlined: index < places.count - 1)
        }
        return frames.contains { $0.function != nil } ? frames : []
    }
}

/// Finds the installed tools for an ESP chip's programs.
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
        // LLVM's tools read the debug information of every machine.
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
