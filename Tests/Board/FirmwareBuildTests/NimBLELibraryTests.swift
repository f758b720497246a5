import FirmwareBuild
import Foundation
import Testing

/// The real library with the real host core, where `ESPBENCH_NIMBLE` names it.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment[BuildOptions.nimbleVariable] != nil,
        "ESPBENCH_NIMBLE does not name a folder with NimBLE-Arduino"))
struct NimBLELibraryTests {
    private static let root = {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.path
    }()

    private func build(_ sketch: Sketch) async throws -> BuiltFirmware {
        let folder = ProcessInfo.processInfo.environment[BuildOptions.nimbleVariable]
        let cache = Self.root + "/.build/library-tests"
        let builder = FirmwareBuilder(
            toolchain: try await HostToolchain(hostCore: Self.root + "/Firmware/Host", cache: cache),
            key: try SealingKey.load(path: cache + "/key"), cache: cache)
        return try await builder.build(sketch, options: BuildOptions(nimble: .library, nimbleFolder: folder))
    }

    @Test(arguments: ["Calculator", "ServoLock"])
    func ourSketchesAreBuiltWithIt(name: String) async throws {
        let built = try await build(try Sketch(name, firmwareFolder: Self.root + "/Firmware"))
        #expect(built.usesNimBLELibrary && built.nimble.hasSuffix(" (library)"))
        #expect(built.compiled.libraries.count == 1 && built.compiled.libraries[0].title.hasPrefix("NimBLE-Arduino"))
        #expect(built.compiled.warnings == "")
        let program = try Data(contentsOf: URL(filePath: built.compiled.symbols))
        // A function of the C host, and the text of the settings.
        #expect(program.range(of: Data("ble_hs_hci_acl_tx_now".utf8)) != nil)
        #expect(program.range(of: Data(built.nimble.dropLast(" (library)".count).utf8)) != nil)
        #expect(try await build(built.sketch).compiled.isCached)
    }

    @Test func anEditDoesNotCompileTheLibraryAgain() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-edit-\(UUID().uuidString)/Edited")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        let clock = ContinuousClock()
        var times: [Duration] = []
        for number in 0..<2 {
            let text =
                "#include <NimBLEDevice.h>\nvoid setup() { NimBLEDevice::init(\"\(number)\"); }\nvoid loop() {}\n"
            try text.write(to: folder.appending(path: "Edited.ino"), atomically: true, encoding: .utf8)
            let sketch = try Sketch(folder.path, firmwareFolder: folder.path)
            times.append(try await clock.measure { _ = try await build(sketch) })
        }
        // The library's files take minutes of processor time.
        print("with the library: first build \(times[0]), after an edit \(times[1])")
        #expect(times[1] < .seconds(30), "\(times)")
    }
}
