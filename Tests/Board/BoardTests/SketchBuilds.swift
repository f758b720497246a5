import ESPImage
import FirmwareBuild
import Foundation
import Testing

/// NimBLE-Arduino as the judge: a folder with the unmodified library, which is no part of the repository.
enum NimBLELibrary {
    /// What `ESPBENCH_NIMBLE` names.
    static let folder = ProcessInfo.processInfo.environment[BuildOptions.nimbleVariable]
}

extension Trait where Self == ConditionTrait {
    /// Skips a test with the library where there is none.
    static var needsNimBLELibrary: Self {
        .enabled(
            if: NimBLELibrary.folder != nil,
            "\(BuildOptions.nimbleVariable) does not name a folder with NimBLE-Arduino")
    }
}

/// Builds sketches for the tests, each once and one after another: they share the compiled host core.
actor SketchBuilds {
    static let shared = SketchBuilds()

    private struct Subject: Hashable {
        var name: String
        var nimble: NimBLEChoice
    }

    private var builds: [Subject: Task<BuiltFirmware, any Error>] = [:]
    private var last: Task<BuiltFirmware, any Error>?

    /// The key that seals images, and the cache of builds that tests in several targets share: with another one each would
    /// compile the host core anew.
    func key() throws -> HostProgramKey {
        try #require(HostProgramKey(Array("The key of espbench's own tests.".utf8)))
    }

    /// The sketch called `name`, of `Tests/Board/Sketches` or `Firmware`, with the built-in host or the library
    /// (``NimBLELibrary``).
    func build(_ name: String, nimble: NimBLEChoice = .builtIn) async throws -> BuiltFirmware {
        let subject = Subject(name: name, nimble: nimble)
        if let build = builds[subject] { return try await build.value }
        let build = queue(subject, try key())
        builds[subject] = build
        return try await build.value
    }

    private func queue(_ subject: Subject, _ key: HostProgramKey) -> Task<BuiltFirmware, any Error> {
        let former = last
        let build = Task {
            _ = await former?.result
            return try await Self.build(subject, key)
        }
        last = build
        return build
    }

    private static func build(_ subject: Subject, _ key: HostProgramKey) async throws -> BuiltFirmware {
        let name = subject.name
        let isTestSketch = FileManager.default.fileExists(atPath: "\(Repository.sketches)/\(name)")
        let folder = isTestSketch ? Repository.sketches : Repository.firmware
        let cache = Repository.root + "/.build/test-builds/espbench/builds"
        let toolchain = try await HostToolchain(hostCore: Repository.firmware + "/Host", cache: cache)
        let builder = FirmwareBuilder(toolchain: toolchain, key: key, cache: cache)
        let options = BuildOptions(nimble: subject.nimble, nimbleFolder: NimBLELibrary.folder)
        return try await builder.build(try Sketch(name, firmwareFolder: folder), options: options)
    }
}
