import ESPImage
import FoundationEssentials

/// The machine's C++ compiler with the host core, which compile a sketch for the virtual board.
public struct HostToolchain: Sendable {
    /// The host core's folder (`Firmware/Host`).
    public let hostCore: String
    /// True if programs check themselves with AddressSanitizer and UndefinedBehaviorSanitizer.
    public let isSanitized: Bool
    let compiler: CommandLineTool
    /// Removes debug information; `nil` when it is not installed.
    let strip: CommandLineTool?
    /// True if the compiler is GCC, which handles precompiled headers in its own way.
    let isGCC: Bool
    /// The host core's files.
    let files: HostCoreFiles
    /// The data model of the programs: the chip's or the machine's.
    let model: DataModel
    /// The compiler's flags.
    let flags: CompilerFlags
    /// The cache key: identifies compiler, flags and host core.
    let fingerprint: String

    /// The compilers to try, in order, when none is configured.
    public static let defaultCompilers = ["c++", "g++", "clang++"]

    /// The host core's file that counts the basic blocks which a sketch executes.
    private static let counter = "Runtime/Computing.cpp"

    /// A toolchain from the host core in `hostCore` and the first of `compilers` that is installed.
    ///
    /// - Parameters:
    ///   - cache: the folder of cached builds, which also stores the abilities of the compiler.
    ///   - isSanitized: whether programs check themselves with AddressSanitizer and UndefinedBehaviorSanitizer.
    /// - Throws: ``FirmwareBuildError`` with code `hostCoreNotFound`, `compilerNotFound` or `sanitizerNotFound`.
    public init(
        hostCore: String, compilers: [String] = defaultCompilers, cache: String? = nil, isSanitized: Bool = false
    ) async throws(FirmwareBuildError) {
        try await self.init(
            hostCore: hostCore, compilers: compilers, cache: cache, isSanitized: isSanitized, limits: ProgramLimits())
    }

    /// A toolchain whose compiler may use no more than `limits`.
    package init(
        hostCore: String, compilers: [String], cache: String?, isSanitized: Bool, limits: ProgramLimits
    ) async throws(FirmwareBuildError) {
        guard FileTree.isFile(hostCore + "/include/Arduino.h") else {
            throw FirmwareBuildError(.hostCoreNotFound, "no host core in \(hostCore): expected include/Arduino.h there")
        }
        guard let compiler = await CommandLineTool.find(compilers, limits: limits) else {
            throw FirmwareBuildError(
                .compilerNotFound, "no C++ compiler: looked for \(compilers.joined(separator: ", ")) in PATH")
        }
        self.hostCore = hostCore
        self.compiler = compiler
        self.isSanitized = isSanitized
        strip = await CommandLineTool.find(["strip"])
        let version = try await compiler.run(["--version"]).standardOutput
        isGCC = !version.contains("clang")
        files = try HostCoreFiles(hostCore)
        let probe = CompilerProbe(compiler: compiler, version: version, isGCC: isGCC, cache: cache)
        let counts = files.contains(Self.counter)
        func flags(_ model: DataModel, isSanitized: Bool = false, isStatic: Bool = false) -> CompilerFlags {
            CompilerFlags(
                model: model, isGCC: probe.isGCC, counts: counts, isSanitized: isSanitized, isStatic: isStatic)
        }
        model = try await probe.makesPrograms(flags(.chip)) ? .chip : .machine
        var isStatic = false
        if model == .chip, !isSanitized { isStatic = try await probe.makesPrograms(flags(.chip, isStatic: true)) }
        self.flags = flags(model, isSanitized: isSanitized, isStatic: isStatic)
        if isSanitized { try await Self.checkSanitizers(probe, self.flags) }
        var hash = ContentHash()
        hash.add(version)
        self.flags.all.forEach { hash.add($0) }
        for file in files.all { try hash.add(contentsOf: file) }
        fingerprint = hash.text
    }

    private static func checkSanitizers(
        _ probe: CompilerProbe, _ flags: CompilerFlags
    ) async throws(FirmwareBuildError) {
        if try await probe.makesPrograms(flags) { return }
        let package =
            flags.model == .chip ? "g++-multilib (the 32-bit libasan and libubsan)" : "g++ (libasan and libubsan)"
        throw FirmwareBuildError(
            .sanitizerNotFound,
            "\(probe.compiler.path) makes no programs with -fsanitize=address,undefined: install \(package)")
    }
}

/// Tests whether a compiler can make programs with certain flags, by making one.
///
/// That takes about half a second, so a success is remembered in the cache of builds. A failure is not: missing
/// packages may be installed at any time.
struct CompilerProbe {
    let compiler: CommandLineTool
    /// The compiler's own description of its version.
    let version: String
    let isGCC: Bool
    /// The folder of the cache; `nil`: nothing is remembered.
    let cache: String?

    /// Includes headers of the C++ library, whose 32-bit part is installed separately, and needs this library at run
    /// time.
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

    /// True if a program can be made with `flags`, and run on this machine.
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
        // Clang's sanitizers have their own library.
        let name = flags.isStatic ? "libstdc++.a" : flags.isSanitized && isGCC ? "libasan.so" : "libstdc++.so"
        let answer = try await compiler.run(flags.model.flags + ["-print-file-name=" + name]).standardOutput.trimmed
        // A file that does not exist has no folder.
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

/// The compiler's sizes of `long`, `size_t` and pointers.
enum DataModel: Sendable {
    /// The chip's, with 4 bytes each: programs for i386.
    case chip
    /// The machine's own, with 8 bytes each.
    case machine

    /// The start address of programs, in the ESP32's address range of instructions in flash: code has addresses as on
    /// the chip.
    static let programAddress = "0x400D0000"

    /// The target that the program is compiled for, in the form of `HostProgram.abi`.
    var abi: String {
        switch self {
        case .chip: HostProgram.chipModelABI
        case .machine: HostProgram.nativeABI
        }
    }

    /// True if this machine runs such programs.
    var isRunnable: Bool { HostProgram.runnableABIs.contains(abi) }

    /// For every file. `long double` and `time_t` have 8 bytes on the chip. Floating point is computed with the precision
    /// of its type, as there, not with the 80 bits of the x87. Backtraces need the unwind tables.
    var flags: [String] {
        switch self {
        case .chip:
            [
                "-m32", "-msse2", "-mfpmath=sse", "-mlong-double-64", "-D_TIME_BITS=64", "-D_FILE_OFFSET_BITS=64",
                "-fno-pie", "-fasynchronous-unwind-tables",
            ]
        case .machine: ["-fPIE"]
        }
    }

    /// The flags for the layout of structures: on the chip a `double` or `int64_t` is aligned to 8 bytes. System calls
    /// have the machine's layout.
    var layoutFlags: [String] {
        switch self {
        case .chip: ["-malign-double"]
        case .machine: []
        }
    }

    /// The C library's functions are bound at program start: lazy binding would use the stack of the first task that
    /// calls one.
    var linkFlags: [String] {
        switch self {
        case .chip: ["-m32", "-no-pie", "-Wl,-z,now", "-Wl,-Ttext-segment=" + Self.programAddress]
        case .machine: ["-pie"]
        }
    }

    /// A remark on builds with another data model; `nil` with the chip's.
    var remark: String? {
        switch self {
        case .chip: return nil
        case .machine:
            let sizes = "remark: the sketch is compiled 64-bit: long, size_t and pointers have 8 bytes, on the chip 4"
            #if os(Linux) && arch(x86_64)
                return sizes + "; for the chip's sizes: sudo apt-get install g++-multilib"
            #else
                return sizes + "; only on x86-64 Linux it has the chip's sizes"
            #endif
        }
    }
}
