import CommandSupport
import EspbenchCommands
import ESPChips
import ESPImage
import Foundation
import Testing

/// `Scripts/flash` from the sketch to the board: the script, the program and the board's loader are real, arduino-cli
/// is a stand-in that prints and leaves what its documentation says.
@Suite("Scripts/flash", .ownThreads, .timeLimit(.minutes(10)))
struct SiliconFlashTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    private func write(_ bytes: some Sequence<UInt8>, _ path: String, in folder: URL) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// The sketch's image, for the ESP32-C3.
    private func writeProject(in folder: URL) throws -> [UInt8] {
        var builder = ImageBuilder(for: .esp32c3)
        builder.addMapped([UInt8](repeating: 7, count: 30_000)[...])
        let image = try builder.build()
        try write("void setup() {}\nvoid loop() {}\n".utf8, "Lamp/Lamp.ino", in: folder)
        try write("profiles:\n  esp32c3:\n    fqbn: esp32:esp32:esp32c3\n".utf8, "Lamp/sketch.yaml", in: folder)
        try write(image, "made/app", in: folder)
        try write(PartitionTable.arduino4MB.bytes(), "made/table", in: folder)
        try write([UInt8](repeating: 0x5A, count: 0x2000), "platform/tools/partitions/boot_app0.bin", in: folder)
        try write(
            """
            #!/bin/sh
            while [ $# -gt 1 ]; do [ "$1" = --build-path ] && out=$2; shift; done
            cp '\(folder.path)/made/app' "$out/Lamp.ino.bin"
            cp '\(folder.path)/made/app' "$out/Lamp.ino.bootloader.bin"
            cp '\(folder.path)/made/table' "$out/Lamp.ino.partitions.bin"
            cat <<END
            {"compiler_out": "", "compiler_err": "", "success": true, "builder_result": {"build_path": "$out",
              "build_properties": ["build.bootloader_addr=0x0", "build.project_name=Lamp.ino",
                "runtime.platform.path=\(folder.path)/platform"]}}
            END
            """.utf8, "bin/arduino-cli", in: folder)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.appending(path: "bin/arduino-cli").path)
        return image
    }

    /// Runs the script with the built program and `path` before the system's programs.
    private func script(
        _ arguments: [String], path: String, in folder: URL
    ) throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = Self.root.appending(path: "Scripts/flash")
        process.arguments = arguments
        process.environment = [
            "HOME": folder.path, "PATH": "\(path)/usr/bin:/bin", "ESPBENCH": EspbenchProcess.executable.path,
        ]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test("builds with arduino-cli, flashes all parts, and explains what is missing")
    func flash() throws {
        try withTemporaryFolder { folder in
            let image = try writeProject(in: folder)
            let served = EspbenchProcess(
                ["serve", "--socket", "0", "--chip", "esp32c3"], folder: folder, input: .nullDevice)
            try served.process.run()
            defer {
                served.process.terminate()
                served.process.waitUntilExit()
            }
            let line = served.waitForData(lines: 1)
            let port = try #require(line.split(separator: " ").first.map(String.init), "\(line)")
            let target = ["--port", port, "--target", "esp32c3"]
            let flashed = try script(["Lamp"] + target, path: folder.path + "/bin:", in: folder)
            #expect(flashed.code == 0, "\(flashed.output)")
            #expect(
                flashed.output.contains("building Lamp for the ESP32-C3 with arduino-cli (profile esp32c3)\n"),
                "\(flashed.output)")
            let read = try EspbenchProcess(
                ["read", "0", "0x20000", "-o", "flash.bin", "--port", port], folder: folder, input: .nullDevice
            ).run()
            #expect(read.code == 0, "\(read.errors)")
            let flash = [UInt8](try Data(contentsOf: folder.appending(path: "flash.bin")))
            for (offset, bytes) in [
                (0, image), (0x8000, try PartitionTable.arduino4MB.bytes()),
                (0xE000, [UInt8](repeating: 0x5A, count: 0x2000)), (0x1_0000, image),
            ] {
                #expect(Array(flash[offset..<(offset + bytes.count)]) == bytes, "at \(offset)")
            }
            let missing = try script(["Lamp"] + target, path: "", in: folder)
            #expect(missing.code == ExitReason.buildFailed.rawValue)
            #expect(
                missing.output.contains("curl -fsSL https://raw.githubusercontent.com/arduino"), "\(missing.output)")
            let none = try script([], path: "", in: folder)
            #expect(none.code == ExitReason.usage.rawValue)
        }
    }
}
