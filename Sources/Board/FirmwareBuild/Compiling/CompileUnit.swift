/// A file to compile.
struct CompileUnit: Sendable {
    enum Owner: Hashable, Sendable {
        case sketch
        case library(Library)
        case hostCore
    }

    /// The file.
    var source: String
    var owner: Owner
    /// Its own include folders, before those of libraries and the host core.
    var includeFolders: [String]
    /// Further flags: those of `build_opt.h` and `platformio.ini`.
    var flags: [String]
    /// The other files of its sketch or library. A new one may take precedence over another, or be asked for with
    /// `__has_include`.
    var surroundings: [String] = []
    /// Libraries whose headers are known to be needed.
    var libraries: [NeededLibrary] = []
    /// Whether it is the unit of the `.ino` files, which the build writes itself.
    var isWritten = false
    /// Whether a header is included that the host core refuses.
    var needsRefusals = false
    /// Whether the unit begins with the precompiled header.
    var mayUsePrecompiled = true

    /// A library and the header that it was found by.
    struct NeededLibrary: Hashable, Sendable {
        var header: String
        var library: Library
    }

    /// The compiler's arguments without input and output, for a program with `nimble`.
    func arguments(_ toolchain: HostToolchain, _ nimble: NimBLE, precompiled: String?) -> [String] {
        var folders = includeFolders
        if mayUsePrecompiled, let precompiled { folders.insert(precompiled, at: 0) }
        for needed in libraries { folders += needed.library.includeFolders }
        folders += toolchain.files.includeFolders(nimble)
        let nimbleLibrary = nimble.library?.library
        let isNimBLE = nimbleLibrary.map { owner == .library($0) } ?? false
        // NimBLE's own code never waits in a loop.
        var arguments = toolchain.flags.sketch(source, isCounted: owner != .hostCore && !isNimBLE)
        if isNimBLE, let nimbleLibrary {
            arguments += toolchain.flags.nimbleLibrary(source, KnownLibraryFault.of(source, nimbleLibrary))
        }
        let isCPP = source.fileExtension != "c" && source.fileExtension != "S"
        arguments += flags
        arguments += owner == .sketch ? (isCPP ? toolchain.flags.warnings : ["-Wreturn-type"]) : ["-w"]
        arguments += folders.flatMap { ["-I", $0] }
        if needsRefusals { arguments += ["-idirafter", toolchain.files.refusals] }
        return arguments
    }
}
