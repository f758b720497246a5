import Foundation
import Testing

/// The backend on CoreBluetooth, checked by the compiler against a stub of the framework: it cannot run here.
@Suite(.timeLimit(.minutes(10))) struct TypeCheckTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let stub = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Stub/CoreBluetooth.swift")
    private static let sources = root.appending(path: "Sources/Bluetooth/BLECentralCoreBluetooth")
    /// The modules that this test was built with.
    private static let modules = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Modules")

    /// Type-checks the target's sources, with `addition`; returns the compiler's messages, and whether it has accepted them.
    private func check(_ addition: String = "") throws -> (isAccepted: Bool, messages: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stub = try compile([
            "-emit-module", "-module-name", "CoreBluetooth", "-parse-as-library", "-swift-version", "5",
            "-emit-module-path", folder.appending(path: "CoreBluetooth.swiftmodule").path, Self.stub.path,
        ])
        try #require(stub.isAccepted, "\(stub.messages)")
        let extra = folder.appending(path: "Extra.swift")
        try Data(addition.utf8).write(to: extra)
        let enumerator = FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)
        let files = (enumerator?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        try #require(files.count > 5)
        // As in Package.swift.
        let settings = [
            "-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
            "-enable-upcoming-feature", "MemberImportVisibility", "-warnings-as-errors",
        ]
        return try compile(
            ["-typecheck", "-module-name", "BLECentralCoreBluetooth", "-parse-as-library"] + settings
                + ["-I", folder.path, "-I", Self.modules.path] + files.map(\.path) + [extra.path])
    }

    private func compile(_ arguments: [String]) throws -> (isAccepted: Bool, messages: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swiftc"] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: data, as: UTF8.self))
    }

    @Test func theBackendHasTheTypesOfTheFramework() throws {
        let result = try check()
        #expect(result.isAccepted, "\(result.messages)")
    }

    /// Without this the other test could pass because nothing is compiled.
    @Test(arguments: [
        ("let central: any CentralBackend = 1", "does not conform to specified type"),
        ("let filter = CoreBluetoothCentral().filter", "actor-isolated"),
    ])
    func anErrorIsSeen(line: String, message: String) throws {
        let result = try check("import BLECentral\nimport CoreBluetooth\nfunc planted() {\n\(line)\n}\n")
        #expect(!result.isAccepted)
        #expect(result.messages.contains(message), "\(result.messages)")
    }
}
