import Foundation

/// Standard input without line editing and echo. The terminal is restored by ``leave()`` and on every signal that ends
/// the program, including crashes. Does nothing if standard input is no terminal.
struct RawTerminal {
    /// Signals that end a program by default.
    static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE]
    /// Signals of a crash.
    static let crashSignals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    // SAFETY: both are written by `init()` before the handlers that read them are installed, and not again while they
    // are; a process has one raw terminal. Signals have numbers from 1 to 31.
    nonisolated(unsafe) private static var former = termios()
    // SAFETY: as above.
    nonisolated(unsafe) private static let formerActions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)

    /// Whether standard input is a terminal that this program may read, that is, it is in the foreground.
    static var isInForeground: Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        let foreground = tcgetpgrp(STDIN_FILENO)
        // A terminal that is not the controlling terminal has no jobs.
        return foreground == -1 || foreground == getpgrp()
    }

    private let isRaw: Bool

    /// Sets the terminal to raw mode.
    init() {
        isRaw = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &Self.former) == 0
        guard isRaw else { return }
        for number in Self.endingSignals + Self.crashSignals {
            sigaction(number, nil, Self.formerActions + Int(number))
        }
        for number in Self.crashSignals { signal(number, Self.restoreAndCrash) }
        for number in Self.endingSignals { signal(number, Self.restoreAndEnd) }
        var raw = Self.former
        // Ctrl-C still ends the program; Enter still sends a line feed; output is still translated.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    }

    /// Restores the terminal, and what the signals did before.
    func leave() {
        guard isRaw else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &Self.former)
        for number in Self.endingSignals + Self.crashSignals {
            sigaction(number, Self.formerActions + Int(number), nil)
        }
    }

    private static let restoreAndEnd: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Then Swift's own handler runs, which prints a backtrace.
    private static let restoreAndCrash: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
        sigaction(number, formerActions + Int(number), nil)
        raise(number)
    }
}
