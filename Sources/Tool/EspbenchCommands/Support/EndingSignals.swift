import Foundation

/// The signals that ask a program to end.
enum EndingSignals {
    /// Lets them through: whoever started the program may have left them blocked.
    static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in RawTerminal.endingSignals + RawTerminal.crashSignals { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Calls `action` at the first Ctrl-C, SIGTERM or SIGHUP, on any thread; a second one ends the program at once.
    /// One at a time: ``end()`` gives the signals their usual effect back.
    static func watch(_ action: @escaping @Sendable (_ name: String) -> Void) {
        SignalPipe.watch { number in
            let names = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]
            action(names[number] ?? "signal \(number)")
        }
    }

    /// Gives the signals their usual effect back.
    static func end() {
        SignalPipe.end()
    }
}
