import Dispatch
import Foundation

/// What a program that the doctor ran has done.
package struct ProgramOutcome: Sendable {
    /// A program that takes longer is ended: it is broken.
    private static let limit = DispatchTimeInterval.seconds(20)

    /// Whether its exit code was 0.
    var isSuccess: Bool
    /// Standard output and standard error, without white space around them.
    var output: String

    /// Its first line.
    var firstLine: String { output.split(whereSeparator: \.isNewline).first.map { String($0) } ?? "" }
    /// Its last line, where programs say what was wrong.
    var lastLine: String { output.split(whereSeparator: \.isNewline).last.map { String($0) } ?? "" }

    /// Runs the program at `path`, which gets `input`.
    static func of(
        _ path: String, _ arguments: [String], variables: [String: String], input: String
    ) async -> ProgramOutcome? {
        await withCheckedContinuation { continuation in
            // Waiting blocks a thread.
            DispatchQueue.global().async {
                continuation.resume(returning: run(path, arguments, variables: variables, input: input))
            }
        }
    }

    private static func run(
        _ path: String, _ arguments: [String], variables: [String: String], input: String
    ) -> ProgramOutcome? {
        let process = Process()
        let (output, source) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = variables.merging(["LC_ALL": "C.UTF-8"]) { _, own in own }
        process.standardInput = source
        process.standardOutput = output
        process.standardError = output
        // Before the program runs: a pipe takes so little, and one that nobody reads any more would end this program.
        try? source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? source.fileHandleForWriting.close()
        guard (try? process.run()) != nil else { return nil }
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        watchdog.cancel()
        return ProgramOutcome(
            isSuccess: process.terminationReason == .exit && process.terminationStatus == 0,
            output: String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
