import FoundationEssentials

/// Finds out whether a compiler makes programs with certain flags, by making one.
///
/// That takes about half a second, so a success is remembered in the cache of builds. A failure is not: what is missing
/// may be installed at any time.
struct CompilerProbe {
    let compiler: CommandLineTool
    /// What the compiler says of its version.
    let version: String
    let isGCC: Bool
    /// The folder of the cache; `nil`: nothing is remembered.
    let cache: String?

    /// Includes headers of the C++ library, whose 32-bit part is installed separately, and needs all of it at run time.
    private static let program = """
        #include <string>
        extern "C" void __sanitizer_cov_trace_pc() {}
        int main(int count, char** arguments) {
          try {
            if (count > 1) throw std::string(arguments[1]);
          } catch (const std::string&) {
            return 1;
          }
          return 0;
        }

        """

    /// Whether a program can be made with `flags`, and run on this machine.
    func makesPrograms(_ flags: CompilerFlags) async throws(FirmwareBuildError) -> Bool {
        guard flags.model.isRunnable, let library = try await library(flags) else { return false }
        guard let record = try record(flags) else { return try await makesProgram(flags, in: nil) }
        if let known = try? FileTree.text(of: record), known == library { return true }
        guard try await makesProgram(flags, in: record.folderPath) else { return false }
        try FileTree.write(library, to: record)
        return true
    }

    /// The path of the library that is installed separately; `nil` when it is not installed.
    private func library(_ flags: CompilerFlags) async throws(FirmwareBuildError) -> String? {
        // Those of Clang's sanitizers are its own.
        let name = flags.isSanitized && isGCC ? "libasan.so" : "libstdc++.so"
        let answer = try await compiler.run(flags.model.flags + ["-print-file-name=" + name]).standardOutput.trimmed
        // What is not there has no folder.
        return answer.contains("/") && FileTree.isFile(answer) ? answer : nil
    }

    private func record(_ flags: CompilerFlags) throws(FirmwareBuildError) -> String? {
        guard let cache else { return nil }
        var hash = ContentHash()
        hash.add(compiler.path)
        hash.add(version)
        (flags.program + flags.link).forEach { hash.add($0) }
        let folder = cache + "/compilers"
        try FileTree.makeFolder(folder)
        return "\(folder)/\(hash.text)"
    }

    /// Compiles and links the program, with its files in `folder` or the folder of temporary files.
    private func makesProgram(_ flags: CompilerFlags, in folder: String?) async throws(FirmwareBuildError) -> Bool {
        let path = FileTree.temporaryPath(
            for: (folder ?? FileManager.default.temporaryDirectory.path) + "/espbench-probe")
        let source = path + ".cpp"
        defer {
            FileTree.remove(source)
            FileTree.remove(path)
        }
        try FileTree.write(Self.program, to: source)
        let outcome = try await compiler.run(
            flags.program + ["-x", "c++", source, "-x", "none", "-o", path] + flags.link)
        return outcome.isSuccess
    }
}
