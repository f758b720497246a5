import FoundationEssentials

/// A sketch as a program of this machine.
public struct CompiledSketch: Sendable {
    /// The program, stripped: what goes into the app image.
    public var program: String
    /// The same program with debug information, for decoding backtraces.
    public var symbols: String
    /// What the compiler warned of; empty when nothing, or when nothing was compiled.
    public var warnings: String
    /// Whether an earlier build of the same sources was used.
    public var isCached: Bool
}

extension HostToolchain {
    /// Compiles `sketch` with the host core, or takes the result of an earlier build from `cache`.
    ///
    /// - Throws: ``FirmwareBuildError``, with code `compilationFailed` and the compiler's messages when it refuses.
    func compile(_ sketch: Sketch, cache: String) async throws(FirmwareBuildError) -> CompiledSketch {
        var hash = ContentHash()
        hash.add(fingerprint)
        for file in sketch.inoFiles + sketch.sourceFiles + sketch.headerFiles { try hash.add(contentsOf: file) }
        let folder = "\(cache)/\(sketch.name)-\(hash.text)"
        var result = CompiledSketch(
            program: folder + "/program", symbols: folder + "/program.elf", warnings: "", isCached: true)
        if FileManager.default.fileExists(atPath: result.program) { return result }

        try FileTree.makeFolder(folder)
        let coreFolder = "\(cache)/core-\(fingerprint)"
        try FileTree.makeFolder(coreFolder)
        try await compileEach(
            Self.objects(of: sources, in: coreFolder).filter { !FileManager.default.fileExists(atPath: $0.object) })

        let unit = "\(folder)/\(sketch.name).ino.cpp"
        try FileTree.write(try Self.translationUnit(of: sketch), to: unit)
        let own = Self.objects(of: [unit] + sketch.sourceFiles, in: folder)
        let options = sketch.buildOptions.map { ["@" + $0] } ?? []
        result.warnings = try await compileEach(
            own, extraFlags: options + ["-I", sketch.folder, "-I", sketch.folder + "/src"])
        result.isCached = false

        let objects = (own + Self.objects(of: sources, in: coreFolder)).map(\.object)
        try await link(objects, to: result.symbols, flags: [])
        // Moved into place last: a program that is there is complete.
        try await link(objects, to: result.program + ".new", flags: ["-s"])
        try FileTree.move(result.program + ".new", to: result.program)
        return result
    }

    private static func translationUnit(of sketch: Sketch) throws(FirmwareBuildError) -> String {
        var sources: [SketchPreprocessor.Source] = []
        for path in sketch.inoFiles {
            sources.append(SketchPreprocessor.Source(path: path, text: try FileTree.text(of: path)))
        }
        return SketchPreprocessor.translationUnit(sources)
    }

    private struct Compilation: Sendable {
        var source: String
        var object: String
    }

    private static func objects(of sources: [String], in folder: String) -> [Compilation] {
        sources.enumerated().map { number, source in
            Compilation(source: source, object: "\(folder)/\(number)-\(URL(filePath: source).lastPathComponent).o")
        }
    }

    /// Compiles each file, two at a time; returns the warnings in the order of the files.
    @discardableResult
    private func compileEach(
        _ compilations: [Compilation], extraFlags: [String] = []
    ) async throws(FirmwareBuildError) -> String {
        do {
            return try await withThrowingTaskGroup(of: (Int, String).self) { group in
                var messages = Array(repeating: "", count: compilations.count)
                for (number, compilation) in compilations.enumerated() {
                    if number >= 2, let (finished, text) = try await group.next() { messages[finished] = text }
                    group.addTask { (number, try await compile(compilation, extraFlags)) }
                }
                for try await (finished, text) in group { messages[finished] = text }
                return messages.joined()
            }
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            throw FirmwareBuildError(.compilationFailed, "the compilation was cancelled: \(error)")
        }
    }

    private func compile(_ compilation: Compilation, _ extraFlags: [String]) async throws(FirmwareBuildError) -> String
    {
        let temporary = compilation.object + ".new"
        let outcome = try await compiler.run(flags + extraFlags + ["-c", compilation.source, "-o", temporary])
        guard outcome.isSuccess else {
            let file = URL(filePath: compilation.source).lastPathComponent
            throw FirmwareBuildError(
                .compilationFailed, "\(compiler.path) refused \(file)", compilerOutput: outcome.standardError)
        }
        try FileTree.move(temporary, to: compilation.object)
        return outcome.standardError
    }

    private func link(_ objects: [String], to output: String, flags: [String]) async throws(FirmwareBuildError) {
        let outcome = try await compiler.run(["-pie", "-o", output] + objects + flags)
        guard outcome.isSuccess else {
            throw FirmwareBuildError(
                .compilationFailed, "\(compiler.path) could not link the sketch", compilerOutput: outcome.standardError)
        }
    }
}
