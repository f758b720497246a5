import FoundationEssentials

/// A sketch compiled for this machine.
public struct CompiledSketch: Sendable {
    /// The stripped program, for the app image.
    public var program: String
    /// The same program with debug information, for decoding backtraces.
    public var symbols: String
    /// The compiler's warnings; empty when there are none, or when nothing was compiled.
    public var warnings: String
    /// Whether an earlier build of the same sources was used.
    public var isCached: Bool
}

extension HostToolchain {
    /// Compiles `sketch` with the host core, or reuses the result of an earlier build in `cache`.
    ///
    /// - Throws: ``FirmwareBuildError``, with code `compilationFailed` and the compiler's messages when the compiler
    ///   reports errors.
    func compile(
        _ sketch: Sketch, cache: String, progress: (@Sendable (BuildProgress) -> Void)?
    ) async throws(FirmwareBuildError) -> CompiledSketch {
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
            Self.objects(of: sources, in: coreFolder).filter { !FileManager.default.fileExists(atPath: $0.object) },
            extraFlags: coreFlags, subject: .hostCore, progress: progress)

        let unit = "\(folder)/\(sketch.name).ino.cpp"
        try FileTree.write(try Self.translationUnit(of: sketch), to: unit)
        let own = Self.objects(of: [unit] + sketch.sourceFiles, in: folder)
        let options = sketch.buildOptions.map { ["@" + $0] } ?? []
        result.warnings = try await compileEach(
            own,
            extraFlags: options + sketchFlags(folder: sketch.folder), subject: .sketch(sketch.name), progress: progress)
        result.isCached = false

        let objects = (own + Self.objects(of: sources, in: coreFolder)).map(\.object)
        try await link(objects, to: result.symbols, flags: [])
        // Moved into place last, so that an existing program is complete.
        let program = FileTree.temporaryPath(for: result.program)
        try await link(objects, to: program, flags: ["-s"])
        try FileTree.move(program, to: result.program)
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

    /// Compiles each file, two at a time; returns the warnings, each once, in the order of the files.
    @discardableResult
    private func compileEach(
        _ compilations: [Compilation], extraFlags: [String], subject: BuildProgress.Subject,
        progress: (@Sendable (BuildProgress) -> Void)?
    ) async throws(FirmwareBuildError) -> String {
        func report(_ completed: Int) {
            if !compilations.isEmpty { progress?(BuildProgress(subject, completed: completed, of: compilations.count)) }
        }
        report(0)
        let outcomes: [CommandLineTool.Outcome?]
        do {
            outcomes = try await withThrowingTaskGroup(of: (Int, CommandLineTool.Outcome).self) { group in
                var outcomes = [CommandLineTool.Outcome?](repeating: nil, count: compilations.count)
                var completed = 0
                func note(_ finished: Int, _ outcome: CommandLineTool.Outcome) {
                    outcomes[finished] = outcome
                    completed += 1
                    report(completed)
                }
                for (number, compilation) in compilations.enumerated() {
                    if number >= 2, let (finished, outcome) = try await group.next() { note(finished, outcome) }
                    group.addTask { (number, try await compile(compilation, extraFlags)) }
                }
                for try await (finished, outcome) in group { note(finished, outcome) }
                return outcomes
            }
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            throw FirmwareBuildError(.compilationFailed, "the compilation was cancelled: \(error)")
        }
        let messages = CompilerMessages(outcomes.map { $0?.standardError ?? "" }).text
        let refused = zip(compilations, outcomes).filter { $1?.isSuccess != true }.map { compilation, _ in
            URL(filePath: compilation.source).lastPathComponent
        }
        guard refused.isEmpty else {
            throw FirmwareBuildError(
                .compilationFailed, "\(compiler.path) refused \(refused.joined(separator: ", "))",
                compilerOutput: messages)
        }
        return messages
    }

    private func compile(
        _ compilation: Compilation, _ extraFlags: [String]
    ) async throws(FirmwareBuildError) -> CommandLineTool.Outcome {
        let temporary = FileTree.temporaryPath(for: compilation.object)
        let outcome = try await compiler.run(flags + extraFlags + ["-c", compilation.source, "-o", temporary])
        if outcome.isSuccess { try FileTree.move(temporary, to: compilation.object) }
        return outcome
    }

    private func link(_ objects: [String], to output: String, flags: [String]) async throws(FirmwareBuildError) {
        let outcome = try await compiler.run(["-pie", "-o", output] + objects + flags)
        guard outcome.isSuccess else {
            throw FirmwareBuildError(
                .compilationFailed, "\(compiler.path) could not link the sketch", compilerOutput: outcome.standardError)
        }
    }
}
