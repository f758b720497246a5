import ESPImage
import FirmwareBuild
import Foundation

/// Builds sketches for the tests, each once and one after another: they share the compiled host core.
actor SketchBuilds {
    static let shared = SketchBuilds()

    private var builds: [String: Task<BuiltFirmware, any Error>] = [:]
    private var last: Task<BuiltFirmware, any Error>?
    private var folder: TestFolder?

    /// The key that seals images in this run.
    func key() throws -> HostProgramKey {
        try SealingKey.load(path: try ownFolder() + "/key")
    }

    private func ownFolder() throws -> String {
        if let folder { return folder.path }
        let made = try TestFolder()
        folder = made
        return made.path
    }

    /// The sketch called `name`, of `Tests/Board/Sketches` or `Firmware`.
    func build(_ name: String) async throws -> BuiltFirmware {
        if let build = builds[name] { return try await build.value }
        let build = queue(name, try key())
        builds[name] = build
        return try await build.value
    }

    /// The same sketch, sealed with another key.
    func build(_ name: String, sealedWith key: HostProgramKey) async throws -> BuiltFirmware {
        try await queue(name, key).value
    }

    private func queue(_ name: String, _ key: HostProgramKey) -> Task<BuiltFirmware, any Error> {
        let former = last
        let build = Task {
            _ = await former?.result
            return try await Self.build(name, key)
        }
        last = build
        return build
    }

    private static func build(_ name: String, _ key: HostProgramKey) async throws -> BuiltFirmware {
        let isTestSketch = FileManager.default.fileExists(atPath: "\(Repository.sketches)/\(name)")
        let folder = isTestSketch ? Repository.sketches : Repository.firmware
        let cache = Repository.root + "/.build/board-tests"
        let toolchain = try await HostToolchain(hostCore: Repository.firmware + "/Host", cache: cache)
        let builder = FirmwareBuilder(toolchain: toolchain, key: key, cache: cache)
        return try await builder.build(try Sketch(name, firmwareFolder: folder))
    }
}
