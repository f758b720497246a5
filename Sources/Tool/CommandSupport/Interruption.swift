import Foundation
import Synchronization

/// A request to end a command early.
package final class Interruption: Sendable {
    private struct State {
        var reason: String?
        var action: (@Sendable () -> Void)?
        var streams: [AsyncStream<Never>.Continuation] = []
        var lastWords: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The reason of the request; `nil` without a request.
    package var reason: String? { state.withLock { $0.reason } }

    /// True if Ctrl-C requests the end; false if the terminal was closed, or a program such as a service manager ends
    /// the command.
    package var isByCtrlC: Bool { reason == EndingSignals.ctrlC }

    /// Requests the end; only the first reason is kept. Safe from any thread.
    package func request(_ reason: String) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.reason == nil else { return nil }
            state.reason = reason
            return state.action.take()
        }
        action?()
        let streams = state.withLock { $0.streams }
        for stream in streams { stream.finish() }
    }

    /// Sets the actions that write the results so far if the command does not end after the request and is aborted;
    /// each action runs on its own thread.
    package func setLastWords(_ words: [@Sendable () -> Void]) { state.withLock { $0.lastWords = words } }

    /// The actions to run now; returns them only once.
    package func takeLastWords() -> [@Sendable () -> Void] {
        state.withLock { state in
            defer { state.lastWords = [] }
            return state.lastWords
        }
    }

    /// A stream that ends with the request; there may be any number of streams.
    package func requests() -> AsyncStream<Never> {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let isDue = state.withLock { state in
            state.streams.append(continuation)
            return state.reason != nil
        }
        if isDue { continuation.finish() }
        return stream
    }

    /// Sets the action that ends the current work: called once, on any thread; at once if the end has been requested.
    /// Replaces the previous action.
    package func whenRequested(_ action: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.action = state.reason == nil ? action : nil
            return state.reason != nil
        }
        if isDue { action() }
    }

    /// Runs `body`; a request cancels the task of `body`, and runs `action` while that task ends.
    package func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result, action: () async -> Void = {}
    ) async throws -> Result {
        let (requests, continuation) = AsyncStream.makeStream(of: Never.self)
        whenRequested { continuation.finish() }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in requests {}
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
                group.cancelAll()
                await action()
            }
            throw CancellationError()
        }
    }
}

/// The signals that request the end of the program.
package enum EndingSignals {
    private static let watched = [SIGINT, SIGTERM, SIGHUP]
    /// The name of Ctrl-C's signal.
    fileprivate static let ctrlC = "SIGINT"

    /// Unblocks these signals and a shell's job-control signals, which may be inherited as blocked.
    ///
    /// - Parameter holdsEnd: whether signals that request the end stay blocked until a command watches them, because
    ///   the command line has not been read yet.
    package static func unblock(holdsEnd: Bool) {
        if holdsEnd { change(SIG_BLOCK, watched) }
        let held = holdsEnd ? watched : []
        let all = RawTerminal.endingSignals + RawTerminal.crashSignals + RawTerminal.jobSignals
        change(SIG_UNBLOCK, all.filter { !held.contains($0) })
    }

    private static func change(_ how: Int32, _ numbers: [Int32]) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        pthread_sigmask(how, &signals, nil)
    }

    /// Requests `interruption` at the first Ctrl-C, SIGTERM or SIGHUP. A command that has not ended 10 s later, or at
    /// the next separate signal, writes its results so far and is aborted. One command at a time: ``end()`` restores
    /// the default effect.
    package static func watch(_ interruption: Interruption) {
        SignalPipe.watch(
            SignalPipe.Reaction(
                request: { interruption.request(name(of: $0)) }, lastWords: { interruption.takeLastWords() }))
        change(SIG_UNBLOCK, watched)
    }

    /// Calls `action` instead of an interruption, on any thread.
    package static func watch(_ action: @escaping @Sendable (_ name: String) -> Void) {
        SignalPipe.watch(SignalPipe.Reaction(request: { action(name(of: $0)) }))
    }

    /// Ends the program with ``ExitReason/interrupted`` at Ctrl-C, SIGTERM or SIGHUP, until a command watches these
    /// signals itself. A signal that is ignored, as in the background of a shell script, stays ignored.
    package static func endByDefault(_ output: Output) {
        let reaction = SignalPipe.Reaction(request: { number in
            RawTerminal.restore()
            output.note("error: interrupted by \(name(of: number))")
            _exit(ExitReason.interrupted.rawValue)
        })
        SignalPipe.watch(reaction, keepsIgnored: true)
    }

    private static func name(of number: Int32) -> String {
        [SIGINT: ctrlC, SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][number] ?? "signal \(number)"
    }

    /// Restores the default effect of the signals.
    package static func end() {
        SignalPipe.end()
    }
}
