/// The files of a build: those of the sketch, and of each library from the moment that a file needs it.
struct CompileQueue {
    private var units: [CompileUnit]
    private var results: [SketchCompiler.Outcome?]
    private var begun = 0
    private var libraries: Set<Library> = []
    /// True if the build fails for a header that the host core refuses: no more files of libraries are compiled.
    private var isRefused = false
    /// The folder of the refused headers.
    private let refusals: String
    private let sketch: Sketch
    private let progress: (@Sendable (BuildProgress) -> Void)?

    init(
        _ units: [CompileUnit], sketch: Sketch, refusals: String, _ progress: (@Sendable (BuildProgress) -> Void)?
    ) {
        self.units = units
        self.refusals = refusals
        results = units.map { _ in nil }
        self.sketch = sketch
        self.progress = progress
        report(.sketch)
    }

    /// The next file to compile, with its number.
    mutating func next() -> (Int, CompileUnit)? {
        while begun < units.count {
            defer { begun += 1 }
            if isRefused, case .library = units[begun].owner { continue }
            return (begun, units[begun])
        }
        return nil
    }

    /// True if a source file has the name of a refused header in an `#include`, perhaps for another chip only.
    private func mayBeRefused(_ source: String) -> Bool {
        guard let bytes = try? FileTree.contents(of: source) else { return false }
        // A library may have megabytes of source: only directives become text.
        return bytes.split(separator: UInt8(ascii: "\n")).contains { bytes in
            guard bytes.first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "#") else { return false }
            let line = String(decoding: bytes, as: UTF8.self)
            guard let start = line.firstRange(of: "include")?.upperBound else { return false }
            let header = line[start...].drop { " <\"".contains($0) }.prefix { !"> \"".contains($0) }
            return !header.isEmpty && FileTree.isFile("\(refusals)/\(header)")
        }
    }

    /// Stores the result of file `number`, and queues the libraries that it needs.
    mutating func finish(_ number: Int, _ outcome: SketchCompiler.Outcome) throws(FirmwareBuildError) {
        results[number] = outcome
        if outcome.isRefused { isRefused = true }
        report(outcome.unit.owner)
        for needed in outcome.unit.libraries where libraries.insert(needed.library).inserted {
            let library = needed.library
            let headers = try library.headerFiles()
            // Files that may fail at once come first: a library may have hundreds.
            let sources = try library.sourceFiles()
            let doubtful = Set(sources.filter(mayBeRefused))
            for source in sources.filter(doubtful.contains) + sources.filter({ !doubtful.contains($0) }) {
                units.append(
                    CompileUnit(
                        source: source, owner: .library(library),
                        includeFolders: library.includeFolders + [library.utilityFolder].compactMap { $0 },
                        flags: sketch.flags, surroundings: headers))
                results.append(nil)
            }
            report(.library(library))
        }
    }

    private func report(_ owner: CompileUnit.Owner) {
        // One small file of the host core does not deserve a progress line.
        guard let progress, owner != .hostCore else { return }
        let numbers = units.indices.filter { units[$0].owner == owner }
        let subject: BuildProgress.Subject =
            switch owner {
            case .sketch: .sketch(sketch.name)
            case .library(let library): .library(library.name)
            case .hostCore: .hostCore
            }
        let completed = numbers.count { results[$0] != nil }
        if !numbers.isEmpty { progress(BuildProgress(subject, completed: completed, of: numbers.count)) }
    }

    /// The results: the sketch's files, then the libraries' in order of path, so that equal sources give equal
    /// programs.
    var outcomes: [SketchCompiler.Outcome] {
        let finished = results.compactMap { $0 }
        return finished.filter { $0.unit.owner == .sketch }
            + finished.filter { $0.unit.owner != .sketch }.sorted { $0.unit.source < $1.unit.source }
    }
}

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
    /// The other files of its sketch or library. A new file may take precedence over another, or `__has_include` may
    /// find it.
    var surroundings: [String] = []
    /// Libraries whose headers are known to be needed.
    var libraries: [NeededLibrary] = []
    /// True if it is the unit of the `.ino` files, which the build writes itself.
    var isWritten = false
    /// True if a header is included that the host core refuses.
    var needsRefusals = false
    /// True if the unit begins with the precompiled header.
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
