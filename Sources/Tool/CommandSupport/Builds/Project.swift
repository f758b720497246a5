import BenchProject
import BenchSuites
import ESPImage
import FirmwareBuild

/// A sketch, and the location of its libraries.
package struct ProjectSketch: Sendable {
    package let found: FoundSketch
    package let sketch: Sketch
    package let libraries: LibraryFolders
    /// The NimBLE library that its project chooses.
    package let nimble: NimBLEChoice?

    package var name: String { sketch.name }
    /// The sketch's folder, which identifies the sketch.
    package var folder: String { sketch.folder }
}

/// The project of a command: finds and builds its sketches.
package struct Project: Sendable {
    package private(set) var finder: ProjectFinder
    private let environment: Environment
    /// The NimBLE library that the user chose for this command.
    private var nimble: NimBLEChoice?
    /// True if sketches are built with sanitizers.
    private let isSanitized: Bool

    /// The project that `options` select, or the nearest one above the working folder.
    package init(
        _ options: ProjectOptions, isSanitized: Bool = false, _ environment: Environment
    ) throws(CommandFailure) {
        try self.init(path: options.path, isSanitized: isSanitized, environment)
        nimble = options.nimble
    }

    private init(
        path: String?, isSanitized: Bool = false, _ environment: Environment
    ) throws(CommandFailure) {
        self.environment = environment
        self.isSanitized = isSanitized
        guard let folder = environment.workingFolder else {
            throw CommandFailure(
                .nothingRan, "the working folder does not exist any more: go to another one", code: "project.noFolder")
        }
        finder = try Self.converting { () throws(ProjectError) in
            try ProjectFinder(files: SystemFiles(), workingFolder: folder, project: path)
        }
    }

    /// The project to set up in `folder`, or in the working folder: the project that the folder belongs to, or a new
    /// one in it.
    package init(settingUp folder: String?, _ environment: Environment) throws(CommandFailure) {
        try self.init(path: nil, environment)
        let finder = finder
        let path = folder.map { finder.absolute($0) } ?? finder.workingFolder
        guard SystemFiles().kind(of: path) == .folder else {
            throw CommandFailure(
                .nothingRan, "no folder '\(folder ?? path)': expected the project's folder at \(path)",
                code: "project.noFolderToSetUp")
        }
        self.finder = try Self.converting { () throws(ProjectError) in
            try ProjectFinder(
                files: SystemFiles(), workingFolder: finder.workingFolder,
                project: finder.projectRoot(above: path) ?? path)
        }
    }

    /// The sketch that a command's argument names; without argument, the sketch of the working folder or the project's
    /// only one.
    package func sketch(_ argument: String?) throws(CommandFailure) -> ProjectSketch {
        try located(Self.converting { () throws(ProjectError) in try finder.sketch(argument) })
    }

    /// The sketches of a suite's boards, in their order.
    ///
    /// - Throws: ``CommandFailure`` with each sketch that is not found.
    package func sketches(of suite: Suite) throws(CommandFailure) -> [ProjectSketch] {
        var sketches: [ProjectSketch] = []
        var failures: [CommandFailure] = []
        for reference in suite.sketchReferences {
            do throws(CommandFailure) {
                sketches.append(
                    try located(
                        Self.converting { () throws(ProjectError) in
                            try finder.sketch(reference, ofSuite: suite.file)
                        }))
            } catch {
                failures.append(error)
            }
        }
        if let failure = CommandFailure(all: failures) { throw failure }
        return sketches
    }

    private func located(_ found: LocatedSketch) throws(CommandFailure) -> ProjectSketch {
        let libraries = try Self.converting { () throws(ProjectError) in try found.project.libraryFolders(SystemFiles())
        }
        do throws(FirmwareBuildError) {
            return ProjectSketch(
                found: found.sketch, sketch: try Sketch(found.sketch.folder, firmwareFolder: found.sketch.folder),
                libraries: LibraryFolders(
                    project: libraries, user: ArduinoUserFolder.libraries(environment.variables).map { [$0] } ?? []),
                nimble: found.project.file?.nimble)
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }

    /// The suites that a command's arguments name; without arguments, all suites of the project. Paths are as the user
    /// wrote them, or relative to the working folder.
    package func suiteFiles(_ arguments: [String]) throws(CommandFailure) -> [String] {
        try Self.converting { () throws(ProjectError) in try finder.suites(arguments) }
    }

    /// The files of the suites beside a sketch, relative to the working folder where they are below it.
    package func suiteFiles(of sketch: ProjectSketch) throws(CommandFailure) -> [String] {
        try Self.converting { () throws(ProjectError) in try finder.suites(beside: sketch.found).map(finder.shown) }
    }

    /// The key that seals this user's images.
    package static func sealingKey(_ environment: Environment) throws(CommandFailure) -> HostProgramKey {
        do throws(FirmwareBuildError) {
            return try SealingKey.load(path: try environment.folders.sealingKey)
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }

    /// Builds `sketch`, reports it, and shows the compiler's warnings.
    package func build(_ sketch: ProjectSketch, _ output: Output) async throws(CommandFailure) -> BuiltFirmware {
        let key = try Self.sealingKey(environment)
        do throws(FirmwareBuildError) {
            let cache = try environment.folders.builds
            let toolchain = try await HostToolchain(
                hostCore: try environment.hostCore(), cache: cache, isSanitized: isSanitized)
            let builder = FirmwareBuilder(toolchain: toolchain, key: key, cache: cache)
            let options = BuildOptions(
                nimble: nimble ?? sketch.nimble, nimbleFolder: environment.variables[BuildOptions.nimbleVariable])
            let built = try await builder.build(
                sketch.sketch, libraries: sketch.libraries, options: options, progress: BuildNotes(output).show)
            if !built.compiled.warnings.isEmpty { output.note(built.compiled.warnings) }
            // The host core's own NimBLE is not mentioned.
            let used = built.usesNimBLELibrary ? ", with \(built.nimble)" : ""
            output.remark((built.compiled.isCached ? "\(sketch.name) is up to date" : "built \(sketch.name)") + used)
            return built
        } catch {
            throw CommandFailure(error, .buildFailed)
        }
    }

    /// The text of the suite in the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read.
    package static func suiteText(_ path: String) throws(CommandFailure) -> String {
        do throws(FileFault) {
            return try SystemFiles().text(of: path)
        } catch {
            throw CommandFailure(.nothingRan, "the suite \(path) could not be read: \(error)")
        }
    }

    private static func converting<Value>(
        _ body: () throws(ProjectError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(ProjectError) {
            return try body()
        } catch {
            throw CommandFailure(error, .nothingRan)
        }
    }
}
