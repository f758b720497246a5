import Foundation

/// The signals that request the end of the program.
enum EndingSignals {
    /// Unblocks these signals, and those of a shell, which may be inherited as blocked.
    static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in RawTerminal.endingSignals + RawTerminal.crashSignals + RawTerminal.jobSignals {
            sigaddset(&signals, number)
        }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Calls `action` at the first Ctrl-C, SIGTERM or SIGHUP, on any thread; a second one ends the program at once. One
    /// action at a time: ``end()`` restores the default effect.
    static func watch(_ action: @escaping @Sendable (_ name: String) -> Void) {
        SignalPipe.watch { number in
            let names = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]
            action(names[number] ?? "signal \(number)")
        }
    }

    /// Restores the default effect of the signals.
    static func end() {
        SignalPipe.end()
    }
}
