import Dispatch
import Foundation
import Synchronization
import Testing

/// A child process whose output is read line by line, on a thread of its own.
final class ChildProcess: Sendable {
    private let process: Mutex<Process>
    private let input = Pipe()
    private let output = Pipe()
    private let unread = Mutex<[UInt8]>([])
    private let queue = DispatchQueue(label: "child process")

    /// Starts `executable`; what it prints on standard error is lost, or among its output.
    init(
        _ executable: URL, _ arguments: [String], environment: [String: String] = [:], mergesErrors: Bool = false
    ) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        if mergesErrors { process.standardError = output } else { process.standardError = FileHandle.nullDevice }
        try process.run()
        self.process = Mutex(process)
    }

    /// Sends a line.
    func send(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// The next line; `nil` at the end of the output.
    func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.readLine()) }
        }
    }

    private func readLine() -> String? {
        unread.withLock { unread in
            while true {
                if let end = unread.firstIndex(of: 0x0A) {
                    defer { unread.removeFirst(end + 1) }
                    return String(decoding: unread[..<end], as: UTF8.self)
                }
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { return nil }
                unread += more
            }
        }
    }

    /// The lines until the end of the output.
    func lines() async -> [String] {
        var result: [String] = []
        while let line = await nextLine() { result.append(line) }
        return result
    }

    /// Ends its input, and waits for its end.
    ///
    /// - Returns: the exit code.
    @discardableResult
    func finish() async -> Int32 {
        try? input.fileHandleForWriting.close()
        while await nextLine() != nil {}
        return await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: self.process.withLock {
                        $0.waitUntilExit()
                        return $0.terminationStatus
                    })
            }
        }
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        process.withLock { _ = kill($0.processIdentifier, number) }
    }

    deinit {
        process.withLock { if $0.isRunning { $0.terminate() } }
    }
}
