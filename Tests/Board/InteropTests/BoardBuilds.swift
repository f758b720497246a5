import BLERadio
import ESPImage
import FirmwareBuild
import Foundation
import Testing
import VirtualBoard

/// Boards that run the project's sketches; each is built once, one after another.
actor BoardBuilds {
    static let shared = BoardBuilds()

    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized.path

    private let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-interop-\(UUID().uuidString)")
    private var builds: [String: Task<FlashLayout, any Error>] = [:]
    private var last: Task<FlashLayout, any Error>?

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// That of all tests that share the cache of builds.
    private func key() throws -> HostProgramKey {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try #require(HostProgramKey(Array("The key of espbench's own tests.".utf8)))
    }

    private func build(_ name: String) async throws -> FlashLayout {
        if let build = builds[name] { return try await build.value }
        let former = last
        let key = try key()
        let build = Task {
            _ = await former?.result
            let toolchain = try await HostToolchain(hostCore: Self.root + "/Firmware/Host")
            let builder = FirmwareBuilder(
                toolchain: toolchain, key: key, cache: Self.root + "/.build/test-builds/espbench/builds")
            return try await builder.build(try Sketch(name, firmwareFolder: Self.root + "/Firmware")).layout
        }
        builds[name] = build
        last = build
        return try await build.value
    }

    /// A board without power on the radio of `bench`, its flash written with the sketch called `sketch`.
    func board(_ sketch: String, number: UInt32 = 1, on bench: InteropBench) async throws -> VirtualBoard {
        let image = try await build(sketch).merged()
        let path = "\(folder.path)/flash-\(UUID().uuidString)"
        try Data(image + [UInt8](repeating: 0xFF, count: (4 << 20) - image.count)).write(to: URL(filePath: path))
        let configuration = VirtualBoard.Configuration(
            name: "board \(number)", flashPath: path, number: number, key: try key(), seed: UInt64(number))
        return try VirtualBoard(configuration, on: bench.radio, bench.executor)
    }
}
