import FoundationEssentials

/// The machine's C++ compiler with the host core: what turns a sketch into a program that the virtual board runs.
public struct HostToolchain: Sendable {
    /// The host core's folder (`Firmware/Host`).
    public let hostCore: String
    let compiler: CommandLineTool
    let flags: [String]
    /// Names compiler, flags and host core; objects and programs are kept under it.
    let fingerprint: String
    let sources: [String]

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
        // addr2line takes version 5's file numbers wrongly where `#line` renames the main file (binutils 2.40).
        flags =
            [
                "-std=gnu++2b", "-Os", "-g", "-gdwarf-4", "-fPIE", "-fno-omit-frame-pointer",
                "-fdiagnostics-color=never", "-Wall", "-Wextra",
            ] + folders.sorted().flatMap { ["-I", $0] }
        sources = files.filter { $0.hasSuffix(".cpp") }
        let version = try await compiler.run(["--version"]).standardOutput
        var hash = ContentHash()
        hash.add(version)
        flags.forEach { hash.add($0) }
        for file in files { try hash.add(contentsOf: file) }
        fingerprint = hash.text
    }
}
