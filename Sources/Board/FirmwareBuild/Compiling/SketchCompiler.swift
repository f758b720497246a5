import FoundationEssentials

/// Compiles and links one sketch with the libraries that it includes.
///
/// A file is compiled with its own include folders. When a header is missing, the library that offers it is added and
/// the file compiled again, and the library's own files are compiled in the same way (as arduino-cli detects libraries,
/// but by compiling). Objects are cached, so an edit recompiles only the affected files.
struct SketchCompiler: Sendable {
    let toolchain: HostToolchain
    let sketch: Sketch
    let index: LibraryIndex
    let folders: BuildFolders
    let seals: CacheSeals
    let nimble: NimBLE
    let progress: (@Sendable (BuildProgress) -> Void)?
    let objects: ObjectCache
    /// Remarks on the project, a line each.
    var remarks: [String] = []

    init(
        _ toolchain: HostToolchain, _ sketch: Sketch, _ index: LibraryIndex, _ folders: BuildFolders,
        _ seals: CacheSeals, _ progress: (@Sendable (BuildProgress) -> Void)?
    ) {
        self.toolchain = toolchain
        self.sketch = sketch
        self.index = index
        self.folders = folders
        self.seals = seals
        self.progress = progress
        nimble = index.nimble
        objects = ObjectCache(
            folder: folders.objects, fingerprint: toolchain.fingerprint, nimble: index.nimble, hashes: FileHashes(),
            seals: seals,
            excluded: [toolchain.hostCore, folders.core(toolchain.fingerprint)])
    }

    /// The program, from the cache if nothing has changed since the last build of this sketch.
    func compile() async throws(FirmwareBuildError) -> CompiledSketch {
        let record = BuildRecord(
            folder: folders.folder(of: sketch, variant: variant), programs: folders.programs, nimble: nimble,
            seals: seals)
        let conditions = conditions
        if let built = record.current(conditions, objects.hashes, index) { return built }
        try FileTree.makeFolder(record.folder)

        let precompiled = try await hostCore()
        for _ in 0..<Self.mostAttempts {
            try objects.hashes.begin(in: record.folder)
            // Hashed before the files are read: a file that is changed meanwhile then differs from the recorded hash.
            for path in sketch.inoFiles + sketch.sourceFiles { _ = objects.hashes.hash(of: path) }
            let unit = try await sketch.inoFiles.isEmpty ? nil : sketchUnit(record.folder, precompiled)
            let others = sketch.sourceFiles.map { source in
                CompileUnit(
                    source: source, owner: .sketch, includeFolders: sketch.includeFolders,
                    flags: sketch.flags + sketch.sourceFlags, surroundings: sketch.headerFiles)
            }
            let outcomes = try await compileAll([unit].compactMap { $0 } + others + settingsUnits, precompiled)
            if objects.hashes.unsettled == nil { return try await link(outcomes, record, conditions) }
        }
        throw FirmwareBuildError(
            .fileSystem,
            "\(objects.hashes.unsettled ?? sketch.folder) was changed while it was compiled, \(Self.mostAttempts) times: what writes it?"
        )
    }

    /// The largest number of attempts when files are changed during compilation.
    private static let mostAttempts = 4

    /// The suffix that distinguishes the cached builds of one sketch.
    var variant: String { nimble.suffix + (toolchain.isSanitized ? "-sanitized" : "") }

    /// The units of NimBLE's settings. Only flags may change them, so all sketches without flags share the objects.
    private var settingsUnits: [CompileUnit] {
        // A flag may include a file of the sketch.
        let folders = sketch.flags.isEmpty ? [] : sketch.includeFolders
        let title = nimble.library.map { ["-DESPBENCH_NIMBLE_LIBRARY=\"\($0.title)\""] } ?? []
        return toolchain.files.settings(nimble).map { source in
            CompileUnit(
                source: source, owner: .hostCore, includeFolders: folders, flags: sketch.flags + title,
                surroundings: folders.isEmpty ? [] : sketch.headerFiles, mayUsePrecompiled: false)
        }
    }

    /// The inputs of a build besides the contents of the files that were read.
    private var conditions: String {
        var hash = ContentHash()
        hash.add(toolchain.fingerprint)
        hash.add(nimble.title)
        hash.add(nimble.library?.library.folder ?? "")
        (sketch.inoFiles + sketch.sourceFiles + sketch.headerFiles).forEach { hash.add($0) }
        hash.add(flags: sketch.flags)
        hash.add(flags: sketch.sourceFlags)
        index.libraries.forEach {
            hash.add($0.folder)
            hash.add($0.name)
            $0.architectures.forEach { hash.add($0) }
            $0.headers.sorted().forEach { hash.add($0) }
        }
        return hash.text
    }

    // MARK: The unit of the .ino files

    /// The `.ino` files with prototypes, written to the sketch's folder in the cache.
    private func sketchUnit(
        _ folder: String, _ precompiled: String?
    ) async throws(FirmwareBuildError) -> CompileUnit {
        var tabs: [SketchPreprocessor.Tab] = []
        for path in sketch.inoFiles {
            tabs.append(SketchPreprocessor.Tab(path: path, bytes: try FileTree.contents(of: path)))
        }
        let header = PrecompiledHeader.suitable(for: tabs.first?.text ?? [], toolchain, nimble).include
        let preprocessor = SketchPreprocessor(tabs, header: precompiled == nil ? "Arduino.h" : header)
        let path = "\(folder)/\(sketch.name).ino.cpp"
        let merged = FileTree.temporaryPath(for: path) + ".cpp"
        defer { FileTree.remove(merged) }
        try FileTree.write(preprocessor.merged, to: merged)
        var unit = CompileUnit(
            source: merged, owner: .sketch, includeFolders: sketch.includeFolders,
            flags: sketch.flags + sketch.sourceFlags, surroundings: sketch.headerFiles)
        let preprocessing = (toolchain.isGCC ? ["-fpch-preprocess"] : []) + ["-w", "-E", merged]
        while true {
            let arguments = unit.arguments(toolchain, nimble, precompiled: precompiled) + preprocessing
            let outcome = try await toolchain.compiler.run(arguments, for: "\(sketch.name).ino")
            // A header that is not found anywhere is reported when the unit is compiled.
            if !outcome.isSuccess, let missing = MissingHeader(outcome.standardError),
                resolve(missing.header, for: &unit)
            {
                continue
            }
            unit.source = path
            unit.isWritten = true
            try FileTree.write(preprocessor.translationUnit(preprocessed: outcome.output), to: path)
            return unit
        }
    }

    /// Adds the library or refusals that offer `header` to the unit; `false` if there are none, or if the unit has them
    /// already.
    private func resolve(_ header: String, for unit: inout CompileUnit) -> Bool {
        switch index.answer(for: header) {
        case .library(let library):
            guard !unit.libraries.contains(where: { $0.library == library }), unit.owner != .library(library) else {
                return false
            }
            unit.libraries.append(CompileUnit.NeededLibrary(header: header, library: library))
            return true
        case .refused:
            guard !unit.needsRefusals else { return false }
            unit.needsRefusals = true
            return true
        case .nothing: return false
        }
    }

    // MARK: Compiling

    /// The result of compiling one file.
    struct Outcome: Sendable {
        var unit: CompileUnit
        var object: ObjectCache.Object?
        var messages: String
        var missing: MissingHeader?
        /// True if the file includes a header that the host core refuses; the messages name all such headers.
        var isRefused = false
    }

    /// Compiles `units` and the files of the libraries that they need, as many at a time as the machine has cores.
    private func compileAll(
        _ units: [CompileUnit], _ precompiled: String?
    ) async throws(FirmwareBuildError) -> [Outcome] {
        var queue = CompileQueue(units, sketch: sketch, refusals: toolchain.files.refusals, progress)
        do {
            try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
                var running = 0
                while true {
                    while running < Self.parallel, let (number, unit) = queue.next() {
                        running += 1
                        group.addTask { (number, try await compile(unit, precompiled)) }
                    }
                    guard running > 0, let (number, outcome) = try await group.next() else { break }
                    running -= 1
                    try queue.finish(number, outcome)
                }
            }
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            throw FirmwareBuildError(.compilationFailed, "the compilation was cancelled: \(error)")
        }
        return queue.outcomes
    }

    static var parallel: Int { max(2, ProcessInfo.processInfo.activeProcessorCount) }

    private func compile(
        _ first: CompileUnit, _ precompiled: String?
    ) async throws(FirmwareBuildError) -> Outcome {
        var unit = first
        let key = try objects.key(first)
        if let object = objects.object(key, index) {
            unit.libraries = object.libraries
            return Outcome(unit: unit, object: object, messages: "", missing: nil)
        }
        let output = FileTree.temporaryPath(for: "\(folders.objects)/\(key)")
        try FileTree.makeFolder(folders.objects)
        defer {
            FileTree.remove(output)
            FileTree.remove(output + ".d")
        }
        while true {
            if unit.needsRefusals { return try await refusal(of: unit, precompiled) }
            let outcome = try await toolchain.compiler.run(
                unit.arguments(toolchain, nimble, precompiled: precompiled)
                    + ["-MMD", "-MF", output + ".d", "-c", unit.source, "-o", output],
                for: unit.isWritten ? "\(sketch.name).ino" : unit.source)
            if outcome.isSuccess {
                guard try objects.areSettled(unit, dependencies: output + ".d") else {
                    return Outcome(unit: unit, object: nil, messages: "", missing: nil)
                }
                // If the folder cannot be written, this fails with the folder's name.
                let object = try objects.store(
                    key, object: output, dependencies: output + ".d", unit, index)
                return Outcome(unit: unit, object: object, messages: outcome.standardError, missing: nil)
            }
            guard let missing = MissingHeader(outcome.standardError) else {
                return Outcome(unit: unit, object: nil, messages: outcome.standardError, missing: nil)
            }
            if !resolve(missing.header, for: &unit) {
                return Outcome(unit: unit, object: nil, messages: outcome.standardError, missing: missing)
            }
        }
    }

    /// The result for a file with a refused header: only the preprocessor reads it, which reports all refused headers
    /// without the errors that follow from them.
    private func refusal(of first: CompileUnit, _ precompiled: String?) async throws(FirmwareBuildError) -> Outcome {
        var unit = first
        while true {
            let outcome = try await toolchain.compiler.run(
                unit.arguments(toolchain, nimble, precompiled: precompiled)
                    + ["-w", "-E", unit.source, "-o", "/dev/null"],
                for: unit.isWritten ? "\(sketch.name).ino" : unit.source)
            let missing = MissingHeader(outcome.standardError)
            guard let missing, resolve(missing.header, for: &unit) else {
                // The preprocessor stops at a header that is not found.
                let messages = outcome.standardError.split(separator: "\n", omittingEmptySubsequences: false)
                    .prefix { !$0.contains(": fatal error: ") }.joined(separator: "\n")
                return Outcome(unit: unit, object: nil, messages: messages, missing: missing, isRefused: true)
            }
        }
    }
}
