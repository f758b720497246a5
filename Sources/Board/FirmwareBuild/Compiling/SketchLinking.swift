import ESPImage

extension SketchCompiler {
    /// Links the objects of `outcomes` with the host core, or reports why they cannot be linked.
    func link(
        _ outcomes: [Outcome], _ record: BuildRecord, _ conditions: String
    ) async throws(FirmwareBuildError) -> CompiledSketch {
        if let error = BuildFailures(outcomes, sketch, index, RefusedNames(refusals: toolchain.files.refusals)).error {
            throw error
        }
        let objects = outcomes.compactMap(\.object)
        var identity = ContentHash()
        identity.add(toolchain.fingerprint)
        objects.forEach { identity.add($0.identity) }
        let name = "\(sketch.name)-\(identity.text)"
        var built = record.compiled(name)
        let libraries = Set(outcomes.flatMap(\.unit.libraries).map(\.library)).sorted { $0.folder < $1.folder }
        built.libraries = libraries.map { CompiledSketch.UsedLibrary(title: $0.title, folder: $0.folder) }
        if !seals.isGenuine(built.program) || !FileTree.hasContent(built.symbols) {
            try FileTree.makeFolder(built.program.folderPath)
            let own = objects.map(\.path)
            let data = try staticData(outcomes)
            let core = try await coreObjects(for: own)
            do throws(FirmwareBuildError) {
                try await link(own + core, built, data)
            } catch {
                // A name that the host core's text does not show, because macros make it.
                let all = try await coreObjects(for: own, all: true)
                guard error.code == .compilationFailed, all.count > core.count else { throw error }
                try await link(own + all, built, data)
            }
        }
        try record.store(conditions, program: name, libraries, inputs: inputs(objects))
        let remarks =
            (modelRemarks + [nimble.library?.remark].compactMap { $0 } + self.remarks
            + sketch.remarks + libraries.flatMap { [Self.remark($0)].compactMap { $0 } + $0.unused })
            .map { $0 + "\n" }.joined()
        built.warnings =
            CompilerMessages(
                outcomes.map(\.messages), sketch: sketch.folder, libraries: libraries.map(\.folder)
            ).warnings + remarks
        if built.warnings.hasSuffix("\n") { built.warnings.removeLast() }
        return built
    }

    /// The host core's file that lets the heap begin where the static data end.
    private static let heapRegions = "Runtime/HeapRegions.cpp"

    /// The static data of the sketch and its libraries but NimBLE, which ``StaticData`` counts with the core.
    private func staticData(_ outcomes: [Outcome]) throws(FirmwareBuildError) -> StaticData {
        var data = StaticData()
        let core: [CompileUnit.Owner] = [.hostCore] + (nimble.library.map { [.library($0.library)] } ?? [])
        for outcome in outcomes where !core.contains(outcome.unit.owner) {
            guard let object = outcome.object else { continue }
            let file = try FileTree.contents(of: object.path)
            do throws(ImageError) {
                let source = outcome.unit.source
                try data.add(
                    file, at: object.path, source: source.hasSuffix(".ino.cpp") ? "\(sketch.name).ino" : source.fileName
                )
            } catch {
                throw FirmwareBuildError(.fileSystem, "\(object.path) cannot be read: \(error)")
            }
        }
        return data
    }

    /// The differences between a 64-bit build and the chip.
    private var modelRemarks: [String] {
        guard let remark = toolchain.model.remark else { return [] }
        let files = sketch.inoFiles + sketch.sourceFiles + sketch.headerFiles
        let payloads = files.flatMap { path in
            (try? FileTree.contents(of: path)).map { LongPayloads($0, path: path).warnings } ?? []
        }
        return [remark] + payloads
    }

    private func inputs(_ built: [ObjectCache.Object]) -> [String: String] {
        var inputs: [String: String] = [:]
        for path in sketch.inoFiles + sketch.sourceFiles { inputs[path] = objects.hashes.hash(of: path) }
        for object in built {
            for input in object.inputs { inputs[input.path] = input.hash }
            for needed in object.libraries {
                for path in (try? needed.library.sourceFiles()) ?? [] { inputs[path] = objects.hashes.hash(of: path) }
            }
        }
        return inputs
    }

    /// arduino-cli's remark on a library for other chips.
    private static func remark(_ library: Library) -> String? {
        let architecture = LibraryIndex.architecture
        guard !library.isCompatible(with: architecture) else { return nil }
        return
            "warning: library \(library.title) says that it is for \(library.architectures.joined(separator: ", ")), "
            + "not for \(architecture) (\(library.folder)/library.properties)"
    }

    /// The names of symbols in the source, such as `setup()::buffer`; the symbols themselves without binutils' `c++filt`.
    private static func sourceNames(of symbols: [String]) async throws(FirmwareBuildError) -> [String] {
        guard let filter = await CommandLineTool.find(["c++filt"]) else { return symbols }
        let names = try await filter.run(symbols).standardOutput.split(separator: "\n").map(String.init)
        return names.count == symbols.count ? names : symbols
    }

    private func link(
        _ objects: [String], _ built: CompiledSketch, _ data: StaticData
    ) async throws(FirmwareBuildError) {
        let symbols = FileTree.temporaryPath(for: built.symbols)
        let program = FileTree.temporaryPath(for: built.program)
        defer {
            FileTree.remove(symbols)
            FileTree.remove(program)
        }
        /// Links a program whose heap begins behind `data`, and returns the linker's messages.
        func link(_ data: StaticData) async throws(FirmwareBuildError) -> (flags: [String], messages: String) {
            let end = "-Wl,--defsym=espbench_static_end=espbench_static_start+\(data.total)"
            let flags = toolchain.flags.link + (toolchain.files.contains(Self.heapRegions) ? [end] : [])
            let outcome = try await toolchain.compiler.run(
                flags + ["-Wl,--print-gc-sections", "-o", symbols] + objects)
            guard outcome.isSuccess else {
                throw LinkerMessages(outcome.standardError).error(sketch, nimble.library)
            }
            return (flags, outcome.standardError)
        }
        var (flags, messages) = try await link(data)
        let remaining = data.remaining(messages)
        guard remaining.overflow == 0 else {
            let names = try await Self.sourceNames(of: remaining.largest.map(\.symbol))
            throw FirmwareBuildError(
                .staticDataTooLarge, "\(sketch.name) does not link: its static data do not fit in the chip's memory",
                compilerOutput: remaining.messages(sketch.name, names: names))
        }
        if remaining.total != data.total { (flags, messages) = try await link(remaining) }
        let stripped =
            if let strip = toolchain.strip {
                try await strip.run(["-o", program, symbols])
            } else {
                try await toolchain.compiler.run(flags + ["-s", "-o", program] + objects)
            }
        guard stripped.isSuccess else {
            throw FirmwareBuildError(
                .compilationFailed, "the debug information of \(sketch.name) could not be removed",
                compilerOutput: stripped.standardError)
        }
        try FileTree.move(symbols, to: built.symbols)
        // Moved into place last, so that an existing program is complete.
        try seals.move(program, to: built.program)
    }
}

/// A sketch compiled for this machine.
public struct CompiledSketch: Sendable {
    /// A library that the sketch was built with.
    public struct UsedLibrary: Hashable, Sendable {
        /// Name and version.
        public var title: String
        /// Its folder.
        public var folder: String
    }

    /// The stripped program, for the app image.
    public var program: String
    /// The same program with debug information, for decoding backtraces.
    public var symbols: String
    /// The compiler's warnings and remarks on libraries; empty when there are none, or when nothing was compiled.
    public var warnings: String
    /// True if an earlier build of the same sources was used.
    public var isCached: Bool
    /// The NimBLE in it, with version and kind: `NimBLE-Arduino 2.5.1 (built-in)`, or `(library)`.
    public var nimble: String
    /// The libraries, in order of folder.
    public var libraries: [UsedLibrary]
}
