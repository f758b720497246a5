import ESPImage

extension SketchCompiler {
    /// Compiles what is missing of the host core's precompiled headers and of the files that every program contains.
    ///
    /// - Returns: the folder of the precompiled headers; `nil` when the compiler does not support them.
    func hostCore() async throws(FirmwareBuildError) -> String? {
        let folder = folders.core(toolchain.fingerprint)
        let headers = folder + "/headers" + nimble.suffix
        try FileTree.makeFolder(headers)
        FileTree.touch(folder)
        let sources = toolchain.files.sources(nimble).filter { !toolchain.files.isOnDemand($0) }
        try await compile(Compiling()) { () throws(FirmwareBuildError) in
            let tasks = tasks(sources)
            return try headerTasks(headers) + (tasks.isEmpty ? [] : standardHeaderTasks()) + tasks
        }
        return toolchain.isGCC ? headers : nil
    }

    /// The host core's objects for a program with `objects`, in order of path; or `all` of them. Compiles those that are
    /// missing.
    func coreObjects(for objects: [String], all: Bool = false) async throws(FirmwareBuildError) -> [String] {
        let sources = toolchain.files.sources(nimble)
        var texts: [(path: String, text: [UInt8])] = []
        for source in sources where toolchain.files.isOnDemand(source) {
            texts.append((source, try FileTree.contents(of: source)))
        }
        var demand = CoreDemand(texts)
        for object in objects { try add(object, to: &demand) }
        let compiling = Compiling()
        var present: Set<String> = []
        var new = Set(sources.filter { all || !toolchain.files.isOnDemand($0) })
        while !new.isEmpty {
            let wanted = new.sorted()
            if !tasks(wanted).isEmpty {
                if !compiling.hasStandardHeader { try await compile(compiling, standardHeaderTasks) }
                compiling.hasStandardHeader = true
                try await compile(compiling) { tasks(wanted) }
            }
            for source in wanted { try add(coreObject(source), to: &demand) }
            present.formUnion(new)
            new = demand.needed(besides: present)
        }
        return present.sorted().map(coreObject)
    }

    private func add(_ path: String, to demand: inout CoreDemand) throws(FirmwareBuildError) {
        let object = try FileTree.contents(of: path)
        do throws(ImageError) {
            try demand.add(object)
        } catch {
            throw FirmwareBuildError(.fileSystem, "\(path) cannot be read: \(error)")
        }
    }

    private typealias Compilation = (arguments: [String], output: String)

    /// The compilations of one build. While it compiles, no other build does.
    private final class Compiling {
        var completed = 0
        /// True once ``standardHeader`` is known to be as it was compiled.
        var hasStandardHeader = false
        var lock: FileLock?

        deinit { lock?.release() }
    }

    /// Runs the compilations that `missing` returns. If another build compiles the host core already, this one waits.
    private func compile(
        _ compiling: Compiling, _ missing: () throws(FirmwareBuildError) -> [Compilation]
    ) async throws(FirmwareBuildError) {
        let count = try missing().count
        guard count > 0 else { return }
        if compiling.lock == nil {
            compiling.lock = try await FileLock(folders.core(toolchain.fingerprint) + "/lock") {
                progress?(BuildProgress(.otherBuild, completed: 0, of: count))
            }
        }
        // Only what no other build has compiled meanwhile.
        let tasks = try missing()
        try await runAll(tasks, after: compiling.completed)
        compiling.completed += tasks.count
    }

    /// The compilations of those of `sources` whose objects are missing.
    private func tasks(_ sources: [String]) -> [Compilation] {
        sources.filter { !seals.isGenuine(coreObject($0)) }.map { source in
            var flags = toolchain.flags.core(source, hasSystemCalls: toolchain.files.isPlatform(source))
            if toolchain.isGCC, toolchain.files.usesStandardHeader(source) { flags += ["-include", standardHeader] }
            let folders = toolchain.files.includeFolders(core: source).flatMap { ["-I", $0] }
            return (flags + folders + ["-w", "-c", source], coreObject(source))
        }
    }

    /// The compilations of the missing precompiled headers for sketches, in the folder `headers`.
    private func headerTasks(_ headers: String) throws(FirmwareBuildError) -> [Compilation] {
        let arguments = toolchain.flags.header + toolchain.files.includeFolders(nimble).flatMap { ["-I", $0] }
        var tasks: [Compilation] = []
        for header in PrecompiledHeader.allCases where header.isOffered(toolchain, nimble) {
            tasks += try headerTasks("\(headers)/\(header.include)", header.text, arguments)
        }
        return tasks
    }

    /// The C++ library's headers that most files of the host core include, precompiled: they are most of their text.
    private var standardHeader: String { folders.core(toolchain.fingerprint) + "/standard.h" }

    private func standardHeaderTasks() throws(FirmwareBuildError) -> [Compilation] {
        guard toolchain.files.sources(nimble).contains(where: toolchain.files.usesStandardHeader) else { return [] }
        let headers = ["algorithm", "cmath", "functional", "string", "vector"]
        return try headerTasks(
            standardHeader, headers.map { "#include <\($0)>\n" }.joined(), toolchain.flags.coreHeader)
    }

    /// The compilation of a precompiled header if it is missing; writes its text to `path`.
    private func headerTasks(
        _ path: String, _ text: String, _ arguments: [String]
    ) throws(FirmwareBuildError) -> [Compilation] {
        // The compiler reads the text when the precompiled header does not match, and when a file includes it again.
        guard toolchain.isGCC, (try? FileTree.text(of: path)) != text || !seals.isGenuine(path + ".gch") else {
            return []
        }
        try FileTree.write(text, to: path)
        return [(arguments + ["-w", path], path + ".gch")]
    }

    private func coreObject(_ source: String) -> String {
        let name = source.dropFirst(toolchain.hostCore.count + 1).replacing("/", with: "-")
        return "\(folders.core(toolchain.fingerprint))/\(name).o"
    }

    private func runAll(_ tasks: [Compilation], after others: Int) async throws(FirmwareBuildError) {
        guard !tasks.isEmpty else { return }
        let total = others + tasks.count
        progress?(BuildProgress(.hostCore, completed: others, of: total))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                var completed = others
                for (number, task) in tasks.enumerated() {
                    if number >= Self.parallel, try await group.next() != nil {
                        completed += 1
                        progress?(BuildProgress(.hostCore, completed: completed, of: total))
                    }
                    group.addTask { try await run(task.arguments, task.output) }
                }
                while try await group.next() != nil {
                    completed += 1
                    progress?(BuildProgress(.hostCore, completed: completed, of: total))
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

    /// The folders whose files are compiled and linked only when something refers to what they define. In others are files
    /// that are needed though nothing names them: they replace functions of the C library or of the sanitizers.
    private static let onDemand: Set<Substring> = ["Arduino", "Buses", "FreeRTOS", "NimBLE"]

    /// True if a program has the file only when it refers to what the file defines.
    func isOnDemand(_ file: String) -> Bool { Self.onDemand.contains(topFolder(file)) }

    /// True if to compile the file takes less time with the precompiled headers of the C++ library than without.
    func usesStandardHeader(_ file: String) -> Bool { ["Arduino", "NimBLE"].contains(topFolder(file)) }

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
        switch topFolder(path) {
        case "NimBLE", "Settings": .builtInNimBLE
        case "Library": .libraryNimBLE
        default: .common
        }
    }

    private func topFolder(_ path: String) -> Substring {
        path.dropFirst(folder.count + 1).prefix { $0 != "/" }
    }
}
