import ArgumentParser
internal import BenchExecutor

/// Runs a command, and converts its failure to messages and an exit code.
enum CommandRunner {
    /// Runs `body` on a new executor in real time. A reader of the output that leaves is no failure if
    /// `allowsClosedPipe`.
    static func run(
        _ output: Output, allowsClosedPipe: Bool = false,
        _ body: @escaping @Sendable (BenchExecutor) async throws -> ExitReason
    ) throws {
        try finish(output, allowsClosedPipe: allowsClosedPipe) {
            let executor = BenchExecutor(pace: .real)
            return try executor.run { try await Ports.opened.closing { try await body(executor) } }
        }
    }

    /// Runs `body` on the calling thread. A reader of the output that leaves is no failure if `allowsClosedPipe`.
    static func finish(
        _ output: Output, allowsClosedPipe: Bool = false, _ body: () throws -> ExitReason
    ) throws {
        var status: ExitReason
        do {
            status = try body()
            try output.checkData(allowsClosedPipe: allowsClosedPipe)
        } catch {
            if output.isDataClosed { ClosedPipe.end() }
            let failure = CommandFailure(error, .benchFault)
            output.note("error: \(failure.message)")
            if let hint = Hints.text(for: failure.code) { output.note("hint: \(hint)") }
            output.gitHub?.show(failure, output)
            status = failure.status
        }
        if status != .passed { throw status.exitCode }
    }
}
