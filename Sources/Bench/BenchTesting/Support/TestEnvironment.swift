import Bench
import BenchProject
import ESPImage
import FirmwareBuild
import Foundation

#if canImport(BenchVirtual)
    import BenchVirtual
#endif

/// The test process's environment: the only part of the target that reads it.
enum TestEnvironment {
    /// The kind of bench to run on.
    static var benchName: String { ProcessInfo.processInfo.environment["ESPBENCH_BENCH"] ?? "virtual" }

    static var folders: UserFolders { get throws { try UserFolders(ProcessInfo.processInfo.environment) } }

    /// The `Firmware` folder of espbench's sources, with the host core of this version.
    private static let firmwareFolder = {
        var url = URL(filePath: #filePath)
        for _ in ["TestEnvironment.swift", "Support", "BenchTesting", "Bench", "Sources"] {
            url.deleteLastPathComponent()
        }
        return url.appending(path: "Firmware").path
    }()

    /// The folder for temporary files, without a slash at its end.
    static var temporaryFolder: String { FileManager.default.temporaryDirectory.standardized.path }

    /// The sketch that a test names.
    static func sketch(_ name: String, testFile: String) throws -> Sketch {
        if name.hasPrefix("/") { return try Sketch(name, firmwareFolder: "/") }
        for folder in folders(above: testFile) {
            if let sketch = try? Sketch(folder.appending(path: name).path, firmwareFolder: folder.path) {
                return sketch
            }
        }
        throw TestSetupError(
            "no sketch '\(name)': expected a folder with an .ino file of its name, as seen from \(testFile) or a folder "
                + "above it")
    }

    /// A file that a test names.
    static func file(_ name: String, testFile: String) throws -> URL {
        let candidates =
            name.hasPrefix("/")
            ? [URL(filePath: name)] : folders(above: testFile).map { $0.appending(path: name) }
        guard let file = candidates.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw TestSetupError("no file '\(name)', as seen from \(testFile) or a folder above it")
        }
        return file
    }

    /// The folder of a file and all folders above it, the nearest first.
    private static func folders(above file: String) -> [URL] {
        var folders = [URL(filePath: file).deletingLastPathComponent()]
        while let folder = folders.last, folder.path != "/" { folders.append(folder.deletingLastPathComponent()) }
        return folders.dropLast()
    }

    /// Builds a sketch, with the libraries of its project and of the Arduino user folder.
    static func build(_ sketch: Sketch) async throws -> FlashLayout {
        let folders = try folders
        let toolchain = try await HostToolchain(hostCore: firmwareFolder + "/Host", cache: folders.builds)
        let builder = FirmwareBuilder(
            toolchain: toolchain, key: try SealingKey.load(path: folders.sealingKey), cache: folders.builds)
        let options = BuildOptions(
            nimble: try project(of: sketch).file?.nimble,
            nimbleFolder: ProcessInfo.processInfo.environment[BuildOptions.nimbleVariable])
        return try await builder.build(sketch, libraries: try libraries(of: sketch), options: options).layout
    }

    private static func project(of sketch: Sketch) throws -> ProjectFolder {
        try ProjectFinder(files: SystemFiles(), workingFolder: sketch.folder).current()
    }

    /// The folders of the libraries that a sketch may use.
    private static func libraries(of sketch: Sketch) throws -> LibraryFolders {
        LibraryFolders(
            project: try project(of: sketch).libraryFolders(SystemFiles()),
            user: ArduinoUserFolder.libraries(ProcessInfo.processInfo.environment).map { [$0] } ?? [])
    }
}

extension BenchRegistry {
    /// The benches that this machine can provide.
    ///
    /// - Throws: when the key under which the virtual bench's images are sealed cannot be read or made.
    public static func ofThisMachine() throws -> BenchRegistry {
        var registry = BenchRegistry()
        #if canImport(BenchVirtual)
            registry.add(VirtualBench.kind(key: try SealingKey.load(path: try TestEnvironment.folders.sealingKey)))
        #endif
        return registry
    }
}
