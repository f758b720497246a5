import Foundation
import Synchronization
import Testing

/// A script of the folder `Bumble`, run as a child process with the Python that `Scripts/test` installs.
final class BumbleScript: Sendable {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    private static let python = tests.appending(path: "../../../.venv/bin/python").standardized.path

    /// Whether Bumble is installed.
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    private struct State {
        var text = ""
        var read = 0
        var hasEnded = false
        var isOverdue = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let name: String
    private let process = Process()
    private let input = Pipe()
    private let state = Mutex(State())

    /// Starts the script called `name`; it is killed after `limit` seconds, before the test times out.
    init(_ name: String, _ arguments: [String], within limit: Int = 540) throws {
        self.name = name
        let output = Pipe()
        process.executableURL = URL(filePath: Self.python)
        process.arguments = ["-u", Self.tests.appending(path: "Bumble/\(name).py").path] + arguments
        process.environment = ["PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // Not with `readabilityHandler`: Foundation closes the descriptor before its source is removed from dispatch's
        // epoll set, and while another child that is just being started still has it, a late event finds freed memory.
        let handle = output.fileHandleForReading
        Thread { [weak self] in
            var data = handle.availableData
            while !data.isEmpty {
                self?.append(data)
                data = handle.availableData
            }
            self?.append(data)
        }.start()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) { [weak self] in
            guard let self, process.isRunning else { return }
            state.withLock { $0.isOverdue = true }
            process.terminate()
        }
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    private func append(_ data: Data) {
        let waiter = state.withLock { state in
            state.text += String(decoding: data, as: UTF8.self)
            state.hasEnded = data.isEmpty
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// The next line of output; `nil` when it has ended.
    func line() async -> String? {
        while true {
            let (line, hasEnded) = state.withLock { state -> (String?, Bool) in
                let rest = state.text.utf8.dropFirst(state.read)
                guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return (nil, state.hasEnded) }
                let line = rest[..<end]
                state.read += line.count + 1
                return (String(Substring(line)), false)
            }
            if line != nil || hasEnded { return line }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    let hasLine = state.text.utf8.dropFirst(state.read).contains(UInt8(ascii: "\n"))
                    if hasLine || state.hasEnded { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// Waits for a line that begins with `prefix`, skipping others; returns the rest of it.
    func next(_ prefix: String) async throws -> String {
        while let line = await line() {
            if line.hasPrefix(prefix) { return String(line.dropFirst(prefix.count)) }
        }
        throw Failure(description: "\(name): expected the line \"\(prefix)\"; \(ending)")
    }

    /// Waits for the line `text`, skipping others.
    func wait(for text: String) async throws {
        while try await !next(text).isEmpty {}
    }

    /// Writes a line to its input.
    func send(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits until it ends.
    ///
    /// - Throws: its whole output, unless it exited with 0.
    func finish() async throws {
        try? input.fileHandleForWriting.close()
        while await line() != nil {}
        let process = process
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                process.waitUntilExit()
                continuation.resume()
            }
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Failure(description: "\(name): \(ending)")
        }
    }

    private var ending: String {
        let (text, isOverdue) = state.withLock { ($0.text, $0.isOverdue) }
        return (isOverdue ? "it did not end in time" : "it failed") + " and printed:\n\(text)"
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
