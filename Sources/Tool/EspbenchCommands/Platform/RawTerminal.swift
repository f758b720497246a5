import Foundation

/// Standard input without line editing and echo, and always back again: when left, and on every signal that ends the
/// program, a crash included. Does nothing where standard input is no terminal.
struct RawTerminal {
    /// Signals that end a program which does not handle them.
    static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE]
    /// Signals of a program's own faults.
    static let crashSignals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    // SAFETY: both are written by `init()` before the handlers that read them are installed, and not again while they
    // are; a process has one raw terminal. Signals have numbers from 1 to 31.
    nonisolated(unsafe) private static var former = termios()
    // SAFETY: as above.
    nonisolated(unsafe) private static let formerActions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)

    /// Whether standard input is a terminal that this program may read: not one that another job has.
    static var isOurs: Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        let foreground = tcgetpgrp(STDIN_FILENO)
        // A terminal that does not control this program has no jobs.
        return foreground == -1 || foreground == getpgrp()
    }

    private let isRaw: Bool

    /// Makes the terminal raw.
    init() {
        isRaw = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &Self.former) == 0
        guard isRaw else { return }
        for number in Self.crashSignals {
            sigaction(number, nil, Self.formerActions + Int(number))
            signal(number, Self.restoreAndCrash)
        }
        for number in Self.endingSignals { signal(number, Self.restoreAndEnd) }
        var raw = Self.former
        // Ctrl-C still ends the program; Enter still sends a line feed; output is still translated.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    }

    /// Makes the terminal what it was.
    func leave() {
        guard isRaw else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &Self.former)
        for number in Self.endingSignals { signal(number, SIG_DFL) }
        for number in Self.crashSignals { sigaction(number, Self.formerActions + Int(number), nil) }
    }

    private static let restoreAndEnd: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Swift's own handler, which prints where the program crashed, goes on.
    private static let restoreAndCrash: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
        sigaction(number, formerActions + Int(number), nil)
        raise(number)
    }
}
