import Foundation

/// Espressif's generator of NVS partitions, as a child process. `Scripts/test` installs it.
enum NVSGenerator {
    private static let venv = Esptool.executable.deletingLastPathComponent().deletingLastPathComponent()

    static let absence = "there is no esp-idf-nvs-partition-gen in .venv: Scripts/test installs it"

    static let isInstalled =
        FileManager.default.enumerator(atPath: venv.appending(path: "lib").path)?.contains {
            ($0 as? String)?.hasSuffix("/esp_idf_nvs_partition_gen") == true
        } == true

    /// The partition of `size` bytes that it generates from the lines `key,type,encoding,value`.
    static func partition(_ lines: [String], files: [String: [UInt8]] = [:], size: Int, version: Int = 2) throws
        -> [UInt8]
    {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, bytes) in files { try Data(bytes).write(to: directory.appending(path: name)) }
        let text = (["key,type,encoding,value"] + lines).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: directory.appending(path: "in.csv"))
        let process = Process()
        process.executableURL = venv.appending(path: "bin/python")
        process.arguments = [
            "-m", "esp_idf_nvs_partition_gen", "generate", "--version", "\(version)", "in.csv", "out.bin", "\(size)",
        ]
        process.currentDirectoryURL = directory
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(output: String(decoding: output, as: UTF8.self)) }
        return [UInt8](try Data(contentsOf: directory.appending(path: "out.bin")))
    }

    struct Failure: Error {
        var output: String
    }
}
