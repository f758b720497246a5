extension SketchCompiler {
    /// Compiles the missing files of the host core, and its precompiled headers. If another build compiles them
    /// already, this build waits for it.
    ///
    /// - Returns: the folder of the precompiled headers; `nil` when the compiler does not support them.
    func hostCore() async throws(FirmwareBuildError) -> String? {
        let folder = folders.core(toolchain.fingerprint)
        let headers = folder + "/headers" + nimble.suffix
        try FileTree.makeFolder(headers)
        FileTree.touch(folder)
        let missing = try missingTasks(headers).count
        if missing > 0 {
            let lock = try await FileLock(folder + "/lock") {
                progress?(BuildProgress(.otherBuild, completed: 0, of: missing))
            }
            defer { lock.release() }
            // Only tasks that no other build has completed meanwhile.
            try await runAll(try missingTasks(headers))
        }
        return toolchain.isGCC ? headers : nil
    }

    /// The compilations that are missing; writes the text of headers to be compiled to the folder `headers`.
    private func missingTasks(
        _ headers: String
    ) throws(FirmwareBuildError) -> [(arguments: [String], output: String)] {
        var tasks: [(arguments: [String], output: String)] = []
        for (source, object) in zip(toolchain.files.sources(nimble), coreObjects) where !seals.isGenuine(object) {
            let flags = toolchain.flags.core(source, hasSystemCalls: toolchain.files.isPlatform(source))
            let folders = toolchain.files.includeFolders(core: source).flatMap { ["-I", $0] }
            tasks.append((flags + folders + ["-w", "-c", source], object))
        }
        if toolchain.isGCC {
            for header in PrecompiledHeader.allCases where header.isOffered(toolchain, nimble) {
                // Written under the name by which it is included: the compiler reads this text when the precompiled
                // header does not match, and when a file includes it again.
                let source = "\(headers)/\(header.include)"
                if (try? FileTree.text(of: source)) == header.text, seals.isGenuine(source + ".gch") { continue }
                try FileTree.write(header.text, to: source)
                tasks.append((headerArguments + [source], source + ".gch"))
            }
        }
        return tasks
    }

    var coreObjects: [String] {
        let folder = folders.core(toolchain.fingerprint)
        return toolchain.files.sources(nimble).map { source in
            let name = source.dropFirst(toolchain.hostCore.count + 1).replacing("/", with: "-")
            return "\(folder)/\(name).o"
        }
    }

    private var headerArguments: [String] {
        toolchain.flags.header + ["-w"] + toolchain.files.includeFolders(nimble).flatMap { ["-I", $0] }
    }

    private func runAll(_ tasks: [(arguments: [String], output: String)]) async throws(FirmwareBuildError) {
        guard !tasks.isEmpty else { return }
        progress?(BuildProgress(.hostCore, completed: 0, of: tasks.count))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                var completed = 0
                for (number, task) in tasks.enumerated() {
                    if number >= Self.parallel, try await group.next() != nil {
                        completed += 1
                        progress?(BuildProgress(.hostCore, completed: completed, of: tasks.count))
                    }
                    group.addTask { try await run(task.arguments, task.output) }
                }
                while try await group.next() != nil {
                    completed += 1
                    progress?(BuildProgress(.hostCore, completed: completed, of: tasks.count))
                }
            }
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            throw FirmwareBuildError(.compilationFailed, "the compilation was cancelled: \(error)")
        }
    }

    private func run(_ arguments: [String], _ output: String) async throws(FirmwareBuildError) {
        let temporary = FileTree.temporaryPath(for: output)
        defer { FileTree.remove(temporary) }
        let outcome = try await toolchain.compiler.run(arguments + ["-o", temporary])
        guard outcome.isSuccess else {
            throw FirmwareBuildError(
                .compilationFailed, "\(toolchain.compiler.path) could not compile the host core",
                compilerOutput: outcome.standardError)
        }
        try seals.move(temporary, to: output)
    }
}

/// The files of the host core, by the programs that contain them.
///
/// `NimBLE/` and `Settings/` belong to the host core's own NimBLE, `Library/` to builds with the user's library; the
/// other files are common to both. Files in folders called `Settings` are compiled for each sketch.
struct HostCoreFiles: Sendable {
    /// The program that a file belongs to.
    private enum Part {
        case common, builtInNimBLE, libraryNimBLE
    }

    /// The folder with one header for each known header that the host core does not have: including it is an error that
    /// names it.
    private static let refusedFolder = "Refused"

    private let folder: String
    /// All files but the host core's tests, in order of path.
    let all: [String]
    private let headerFolders: [String]

    /// The host core in `folder`.
    ///
    /// - Throws: ``FirmwareBuildError`` when a folder cannot be read.
    init(_ folder: String) throws(FirmwareBuildError) {
        self.folder = folder
        all = try FileTree.filesBelow(folder).filter { !$0.hasPrefix(folder + "/Tests/") }
        let refusals = "\(folder)/\(Self.refusedFolder)"
        headerFolders = Set(all.filter { !SourceFiles.isCompiled($0) }.map(\.folderPath))
            .filter { $0 != refusals && !$0.hasPrefix(refusals + "/") }.sorted()
    }

    /// The folder of the headers that are refused.
    var refusals: String { "\(folder)/\(Self.refusedFolder)" }

    /// True if the host core has the file at `path`, relative to its folder.
    func contains(_ path: String) -> Bool { all.contains("\(folder)/\(path)") }

    /// True if the file has system calls.
    func isPlatform(_ file: String) -> Bool { file.hasPrefix(folder + "/Platform/") }

    /// The files that are compiled once, for programs with `nimble`.
    func sources(_ nimble: NimBLE) -> [String] { compiled(nimble).filter { !Self.isSettings($0) } }

    /// The files that are compiled with the flags of each sketch, for programs with `nimble`.
    func settings(_ nimble: NimBLE) -> [String] { compiled(nimble).filter(Self.isSettings) }

    /// The include folders for a file of the host core: the headers of the file's NimBLE come before the headers that
    /// they replace.
    func includeFolders(core file: String) -> [String] {
        let own = part(file)
        let folders = headerFolders.filter { [.common, own].contains(part($0)) }
        return folders.filter { part($0) != .common } + folders.filter { part($0) == .common }
    }

    /// The include folders for sketches and libraries, in order.
    func includeFolders(_ nimble: NimBLE) -> [String] {
        let own = folder + (nimble.library == nil ? "/NimBLE/include" : "/Library/include")
        return [own].filter(headerFolders.contains) + [folder + "/include"]
    }

    private func compiled(_ nimble: NimBLE) -> [String] {
        let parts: [Part] = [.common, nimble.library == nil ? .builtInNimBLE : .libraryNimBLE]
        return all.filter { SourceFiles.isCompiled($0) && parts.contains(part($0)) }
    }

    private static func isSettings(_ file: String) -> Bool { file.folderPath.fileName == "Settings" }

    private func part(_ path: String) -> Part {
        switch path.dropFirst(folder.count + 1).prefix(while: { $0 != "/" }) {
        case "NimBLE", "Settings": .builtInNimBLE
        case "Library": .libraryNimBLE
        default: .common
        }
    }
}
