import Dispatch
import Foundation
import Synchronization

/// Runs scripts with the Python that `Scripts/test` sets up (`.venv`, with pyserial), as child processes.
enum Python {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The interpreter.
    static let path = root.appending(path: ".venv/bin/python").path

    /// Whether it is there.
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// A running script.
    final class Script: Sendable {
        private let process = Mutex(Process())
        private let output: FileHandle

        init(_ text: String, _ arguments: [String] = []) throws {
            let pipe = Pipe()
            output = pipe.fileHandleForReading
            try process.withLock {
                $0.executableURL = URL(filePath: Python.path)
                $0.arguments = ["-c", text] + arguments
                $0.standardOutput = pipe
                $0.standardError = pipe
                try $0.run()
            }
        }

        /// The next output; empty at the end.
        func next() async -> String {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: String(decoding: self.output.availableData, as: UTF8.self))
                }
            }
        }

        /// The remaining output.
        func rest() async -> String {
            var text = ""
            while true {
                let more = await next()
                if more.isEmpty { return text }
                text += more
            }
        }
    }
}
