import FoundationEssentials

/// The machine's C++ compiler with the host core: what turns a sketch into a program that the virtual board runs.
public struct HostToolchain: Sendable {
    /// The host core's folder (`Firmware/Host`).
    public let hostCore: String
    let compiler: CommandLineTool
    /// For every file.
    let flags: [String]
    /// For the host core's own files: where all its headers are.
    let coreFlags: [String]
    /// Names compiler, flags and host core; objects and programs are kept under it.
    let fingerprint: String
    let sources: [String]

    /// The folder with a header for each one that sketches ask for and the host core does not have: it says so by name.
    private static let refusals = "Refused"

    /// Compilers tried in turn when none is named.
    public static let defaultCompilers = ["c++", "g++", "clang++"]

    /// A toolchain from the host core in `hostCore` and the first of `compilers` that is there.
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
        // addr2line takes version 5's file numbers wrongly where `#line` renames the main file (binutils 2.40).
        // Callbacks whose parameters are those of NimBLE-Arduino 1.x are never called: -Woverloaded-virtual.
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

    /// For a sketch's files: where its own headers are, then those it is offered, and last of all those that refuse.
    func sketchFlags(folder: String) -> [String] {
        let own = [folder, folder + "/src"]
        let offered = hostCore + "/include"
        return (own + [offered]).flatMap { ["-I", $0] } + ["-idirafter", hostCore + "/" + Self.refusals]
    }
}
