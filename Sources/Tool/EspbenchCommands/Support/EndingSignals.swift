import Foundation

/// The signals that request the end of the program.
enum EndingSignals {
    private static let watched = [SIGINT, SIGTERM, SIGHUP]

    /// Unblocks these signals, and those of a shell, which may be inherited as blocked.
    ///
    /// - Parameter holdsEnd: whether those that request the end wait until a command watches them: one with results to
    ///   report has not read its command line yet.
    static func unblock(holdsEnd: Bool) {
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

    /// Requests `interruption` at the first Ctrl-C, SIGTERM or SIGHUP. A command that has not ended 10 s later, or at the next
    /// signal that is not the same request, writes its last words and is aborted. One at a time: ``end()`` restores the default
    /// effect.
    static func watch(_ interruption: Interruption) {
        SignalPipe.watch(
            SignalPipe.Reaction(
                request: { interruption.request(name(of: $0)) }, lastWords: { interruption.takeLastWords() }))
        change(SIG_UNBLOCK, watched)
    }

    /// Calls `action` in place of an interruption, on any thread.
    static func watch(_ action: @escaping @Sendable (_ name: String) -> Void) {
        SignalPipe.watch(SignalPipe.Reaction(request: { action(name(of: $0)) }))
    }

    private static func name(of number: Int32) -> String {
        [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][number] ?? "signal \(number)"
    }

    /// Restores the default effect of the signals.
    static func end() {
        SignalPipe.end()
    }
}
