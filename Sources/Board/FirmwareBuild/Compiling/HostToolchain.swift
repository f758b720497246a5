/// The machine's C++ compiler with the host core, which compile a sketch for the virtual board.
public struct HostToolchain: Sendable {
    /// The host core's folder (`Firmware/Host`).
    public let hostCore: String
    let compiler: CommandLineTool
    /// Removes debug information; `nil` when it is not installed.
    let strip: CommandLineTool?
    /// Whether the compiler is GCC: the way of precompiled headers is its own.
    let isGCC: Bool
    /// For the host core's own files: the paths of all its headers.
    let coreFlags: [String]
    /// The cache key: identifies compiler, flags and host core.
    let fingerprint: String
    let sources: [String]
    /// The host core's file that is compiled for each sketch, with the sketch's flags; `nil` when it has none.
    let settings: String?

    /// The compilers to try, in order, when none is configured.
    public static let defaultCompilers = ["c++", "g++", "clang++"]

    /// A toolchain from the host core in `hostCore` and the first of `compilers` that is installed.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `hostCoreNotFound` or `compilerNotFound`.
    public init(hostCore: String, compilers: [String] = defaultCompilers) async throws(FirmwareBuildError) {
        guard FileTree.isFile(hostCore + "/include/Arduino.h") else {
            throw FirmwareBuildError(.hostCoreNotFound, "no host core in \(hostCore): expected include/Arduino.h there")
        }
        guard let compiler = await CommandLineTool.find(compilers) else {
            throw FirmwareBuildError(
                .compilerNotFound, "no C++ compiler: looked for \(compilers.joined(separator: ", ")) in PATH")
        }
        self.hostCore = hostCore
        self.compiler = compiler
        strip = await CommandLineTool.find(["strip"])
        let version = try await compiler.run(["--version"]).standardOutput
        isGCC = !version.contains("clang")
        let files = try FileTree.filesBelow(hostCore).filter { !$0.hasPrefix(hostCore + "/Tests/") }
        let refusals = hostCore + "/" + Self.refusedFolder
        let folders = Set(files.map(\.folderPath)).filter { $0 != refusals && !$0.hasPrefix(refusals + "/") }
        coreFlags = folders.sorted().flatMap { ["-I", $0] }
        let settings = "\(hostCore)/Settings/BuildSettings.cpp"
        sources = files.filter { $0.hasSuffix(".cpp") && $0 != settings }
        self.settings = files.contains(settings) ? settings : nil
        var hash = ContentHash()
        hash.add(version)
        (Self.flags + Self.cppFlags + Self.cFlags + Self.board + coreFlags).forEach { hash.add($0) }
        for file in files { try hash.add(contentsOf: file) }
        fingerprint = hash.text
    }

    /// For every file. addr2line misreads the file numbers of DWARF 5 where `#line` renames the main file (binutils 2.40).
    static let flags = [
        "-Os", "-g", "-gdwarf-4", "-fPIE", "-fno-omit-frame-pointer", "-funsigned-char", "-fdiagnostics-color=never",
    ]
    static let cppFlags = ["-std=gnu++2b"]
    static let cFlags = ["-std=gnu17"]

    /// The macros that arduino-esp32 and ESP-IDF give every file, and the one that says "host bench".
    static let board = [
        "-DESPBENCH_HOST=1", "-DARDUINO=10812", "-DARDUINO_ARCH_ESP32", "-DARDUINO_ESP32_DEV",
        "-DARDUINO_BOARD=\"ESP32_DEV\"", "-DARDUINO_VARIANT=\"esp32\"", "-DESP32=ESP32", "-DESP_PLATFORM",
        "-DF_CPU=240000000L",
    ]

    /// The warnings of a sketch's own files. arduino-cli shows none by default; these are mistakes that crash or stay
    /// without effect: callbacks with the parameters of NimBLE-Arduino 1.x are never called, and a function without
    /// `return` runs on into the next.
    static let warnings = ["-Woverloaded-virtual", "-Wreturn-type", "-Wuninitialized", "-Wparentheses"]

    /// The folder with one header for each known header that the host core does not have: including it is an error that
    /// names it.
    static let refusedFolder = "Refused"

    var refusals: String { hostCore + "/" + Self.refusedFolder }
}
