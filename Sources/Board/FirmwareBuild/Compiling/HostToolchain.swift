/// The machine's C++ compiler with the host core, which compile a sketch for the virtual board.
public struct HostToolchain: Sendable {
    /// The host core's folder (`Firmware/Host`).
    public let hostCore: String
    /// Whether programs check themselves with AddressSanitizer and UndefinedBehaviorSanitizer.
    public let isSanitized: Bool
    let compiler: CommandLineTool
    /// Removes debug information; `nil` when it is not installed.
    let strip: CommandLineTool?
    /// Whether the compiler is GCC: the way of precompiled headers is its own.
    let isGCC: Bool
    /// The host core's files.
    let files: HostCoreFiles
    /// What the programs have of the chip's data model.
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
    ///   - cache: the folder of cached builds, where it is remembered what the compiler can.
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
        func flags(_ model: DataModel, isSanitized: Bool = false) -> CompilerFlags {
            CompilerFlags(model: model, isGCC: probe.isGCC, counts: counts, isSanitized: isSanitized)
        }
        model = try await probe.makesPrograms(flags(.chip)) ? .chip : .machine
        self.flags = flags(model, isSanitized: isSanitized)
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
