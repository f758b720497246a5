import Foundation
import Testing

/// The backends on CoreBluetooth, checked by the compiler against a stub of the framework: they cannot run here.
@Suite(.timeLimit(.minutes(10))) struct TypeCheckTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let stub = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Stub/CoreBluetooth.swift")
    private static let (central, peripheral) = ("BLECentralCoreBluetooth", "BLEPeripheralCoreBluetooth")
    /// The modules that this test was built with.
    private static let modules = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Modules")

    /// Type-checks a target's sources, with `addition`; returns the compiler's messages, and whether it has accepted them.
    private func check(_ target: String, _ addition: String = "") throws -> (isAccepted: Bool, messages: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stub = try compile([
            "-emit-module", "-module-name", "CoreBluetooth", "-parse-as-library", "-swift-version", "5",
            "-emit-module-path", folder.appending(path: "CoreBluetooth.swiftmodule").path, Self.stub.path,
        ])
        try #require(stub.isAccepted, "\(stub.messages)")
        if target == Self.peripheral {
            // The module that this test was built with is empty.
            let module = folder.appending(path: "\(Self.central).swiftmodule").path
            let result = try compile(["-emit-module", "-emit-module-path", module] + arguments(Self.central, folder))
            try #require(result.isAccepted, "\(result.messages)")
        }
        let extra = folder.appending(path: "Extra.swift")
        try Data(addition.utf8).write(to: extra)
        return try compile(["-typecheck"] + arguments(target, folder) + [extra.path])
    }

    /// The compiler's arguments for a target, as in Package.swift, and its sources.
    private func arguments(_ target: String, _ folder: URL) throws -> [String] {
        let sources = Self.root.appending(path: "Sources/Bluetooth/\(target)")
        let enumerator = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        let files = (enumerator?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        try #require(files.count > 2)
        return [
            "-module-name", target, "-package-name", "espbench", "-parse-as-library", "-swift-version", "6",
            "-enable-upcoming-feature", "NonisolatedNonsendingByDefault", "-enable-upcoming-feature",
            "MemberImportVisibility", "-warnings-as-errors", "-I", folder.path, "-I", Self.modules.path,
        ] + files.map(\.path)
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

    @Test(arguments: [central, peripheral])
    func theBackendHasTheTypesOfTheFramework(target: String) throws {
        let result = try check(target)
        #expect(result.isAccepted, "\(result.messages)")
    }

    /// Without this the other test could pass because nothing is compiled.
    @Test(arguments: [
        (central, "let central: any CentralBackend = 1", "does not conform to specified type"),
        (central, "let filter = CoreBluetoothCentral().filter", "actor-isolated"),
        (peripheral, "let value: any PeripheralBackend = 1", "does not conform to specified type"),
        (peripheral, "let number = CoreBluetoothPeripheral(executor: 1)", "cannot convert value"),
    ])
    func anErrorIsSeen(target: String, line: String, message: String) throws {
        let module = target == Self.central ? "BLECentral" : "BLEPeripheral"
        let result = try check(target, "import \(module)\nfunc planted() {\n\(line)\n}\n")
        #expect(!result.isAccepted)
        #expect(result.messages.contains(message), "\(result.messages)")
    }
}
