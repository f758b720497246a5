import FirmwareBuild
import Foundation

/// A folder with a minimal host core, sketches and libraries: a build of it takes a second instead of half a minute.
final class TrialProject: Sendable {
    let folder: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "espbench-build-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path
        try write("#pragma once\nvoid setup();\n", "Host/include/Arduino.h")
        try write("#pragma once\n#include <Arduino.h>\n", "Host/NimBLE/include/NimBLEDevice.h")
        try write("#include <Arduino.h>\nint main() { setup(); }\n", "Host/Main.cpp")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    func write(_ text: String, _ path: String) throws {
        try write(Array(text.utf8), path)
    }

    func write(_ bytes: [UInt8], _ path: String) throws {
        let file = URL(filePath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/\(path)", withDestinationPath: "\(folder)/\(target)")
    }

    /// Builds the sketch `name` with libraries in `libraries` and in the user's `user/libraries`.
    func build(
        _ name: String = "Lamp", compilers: [String] = HostToolchain.defaultCompilers,
        options: BuildOptions = BuildOptions(), isSanitized: Bool = false, limits: ProgramLimits = ProgramLimits(),
        progress: (@Sendable (BuildProgress) -> Void)? = nil
    ) async throws -> BuiltFirmware {
        let cache = folder + "/cache"
        let builder = FirmwareBuilder(
            toolchain: try await HostToolchain(
                hostCore: folder + "/Host", compilers: compilers, cache: cache, isSanitized: isSanitized,
                limits: limits),
            key: try SealingKey.load(path: folder + "/key"), cache: cache)
        return try await builder.build(
            try Sketch(name, firmwareFolder: folder),
            libraries: LibraryFolders(project: [folder + "/libraries"], user: [folder + "/user/libraries"]),
            options: options, progress: progress)
    }

    /// The error of a build, with paths relative to the folder.
    func failure(
        _ name: String = "Lamp", limits: ProgramLimits = ProgramLimits()
    ) async throws -> FirmwareBuildError? {
        do {
            _ = try await build(name, limits: limits)
            return nil
        } catch var error as FirmwareBuildError {
            error.detail = error.detail.replacing(folder + "/", with: "")
            error.compilerOutput = error.compilerOutput.replacing(folder + "/", with: "")
            return error
        }
    }

    /// A compiler that makes no 32-bit programs, as without g++-multilib.
    func compilerWithoutChipModel() throws -> String {
        try script("compiler64", "for flag; do [ \"$flag\" != -m32 ] || exit 1; done\nexec c++ \"$@\"\n")
    }

    /// Writes an executable shell script; returns its path.
    func script(_ name: String, _ text: String) throws -> String {
        try write("#!/bin/sh\n" + text, name)
        let path = "\(folder)/\(name)"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    /// Runs the program of a build; its exit code.
    static func result(_ built: BuiltFirmware) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: built.compiled.program)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
