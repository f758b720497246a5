import Foundation

/// Another reader and writer of PNG files, from PyPI.
enum Pillow {
    private static let venv = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../.venv")
        .standardized

    static let absence = "there is no Pillow in .venv: Scripts/test installs it"

    static let isInstalled: Bool =
        FileManager.default.enumerator(atPath: venv.appending(path: "lib").path)?.contains {
            ($0 as? String)?.hasSuffix("/PIL/Image.py") == true
        } ?? false

    /// The lines that a script prints; its arguments are in `sys.argv[1:]`.
    static func run(_ script: String, _ arguments: [String]) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = venv.appending(path: "bin/python")
        process.arguments = ["-c", "import sys\nfrom PIL import Image\n" + script] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
