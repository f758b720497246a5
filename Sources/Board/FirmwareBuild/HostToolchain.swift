import FoundationEssentials

/// The machine's C++ compiler with the host core, which compile a sketch for the virtual board.
public struct HostToolchain: Sendable {
    /// The host core's folder (`Firmware/Host`).
    public let hostCore: String
    let compiler: CommandLineTool
    /// For every file.
    let flags: [String]
    /// For the host core's own files: the paths of all its headers.
    let coreFlags: [String]
    /// The cache key: identifies compiler, flags and host core.
    let fingerprint: String
    let sources: [String]

    /// The folder with one header for each known header that the host core does not have: including it is an error that
    /// names it.
    private static let refusals = "Refused"

    /// The compilers to try, in order, when none is configured.
    public static let defaultCompilers = ["c++", "g++", "clang++"]

    /// A toolchain from the host core in `hostCore` and the first of `compilers` that is installed.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `hostCoreNotFound` or `compilerNotFound`.
    public init(hostCore: String, compilers: [String] = defaultCompilers) async throws(FirmwareBuildError) {
        guard FileManager.default.fileExists(atPath: hostCore + "/include/Arduino.h") else {
            throw FirmwareBuildError(.hostCoreNotFound, "no host core in \(hostCore): expected include/Arduino.h there")
        }
        guard let compiler = await CommandLineTool.find(compilers) else {
            throw FirmwareBuildError(
                .compilerNotFound, "no C++ compiler: looked for \(compilers.joined(separator: ", ")) in PATH")
        }
        self.hostCore = hostCore
        self.compiler = compiler
        let files = FileTree.files(below: hostCore) { !$0.hasPrefix("Tests/") }
        let folders = Set(files.map { URL(filePath: $0).deletingLastPathComponent().path })
            .filter { !$0.hasSuffix("/" + Self.refusals) }
        // addr2line misreads the file numbers of DWARF 5 where `#line` renames the main file (binutils 2.40).
        // -Woverloaded-virtual: callbacks with the parameters of NimBLE-Arduino 1.x would never be called.
        flags = [
            "-std=gnu++2b", "-Os", "-g", "-gdwarf-4", "-fPIE", "-fno-omit-frame-pointer", "-funsigned-char",
            "-fdiagnostics-color=never", "-Wall", "-Woverloaded-virtual",
        ]
        coreFlags = folders.sorted().flatMap { ["-I", $0] }
        sources = files.filter { $0.hasSuffix(".cpp") }
        let version = try await compiler.run(["--version"]).standardOutput
        var hash = ContentHash()
        hash.add(version)
        (flags + coreFlags).forEach { hash.add($0) }
        for file in files { try hash.add(contentsOf: file) }
        fingerprint = hash.text
    }

    /// For a sketch's files: the paths of its own headers, then the host core's, and last those that refuse.
    func sketchFlags(folder: String) -> [String] {
        let own = [folder, folder + "/src"]
        let offered = hostCore + "/include"
        return (own + [offered]).flatMap { ["-I", $0] } + ["-idirafter", hostCore + "/" + Self.refusals]
    }
}
