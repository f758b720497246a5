import Foundation

/// Standard input without line editing and echo. The terminal is restored by ``leave()`` and on every signal that ends
/// the program, including crashes. Does nothing if standard input is not a terminal.
package struct RawTerminal {
    /// Signals that end a program by default.
    static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE]
    /// Signals of a shell that stops the program, and lets it continue.
    static let jobSignals = [SIGTSTP, SIGCONT]
    /// Signals of a crash.
    static let crashSignals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    // SAFETY: both are written by `init()` before the handlers that read them are installed, and not again while they
    // are; a process has one raw terminal. Signals have numbers from 1 to 31.
    nonisolated(unsafe) private static var former = termios()
    // SAFETY: as above.
    nonisolated(unsafe) private static var raw = termios()
    // SAFETY: as above.
    nonisolated(unsafe) private static let formerActions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
    // SAFETY: set when `former` is valid; handlers only read it.
    nonisolated(unsafe) private static var isActive = false

    /// True if standard input is a terminal that this program may read, that is, it is in the foreground.
    package static var isInForeground: Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        let foreground = tcgetpgrp(STDIN_FILENO)
        // A terminal that is not the controlling terminal has no job control.
        return foreground == -1 || foreground == getpgrp()
    }

    private let isRaw: Bool

    /// Sets the terminal to raw mode.
    ///
    /// - Parameter takesFlowControl: whether Ctrl-S and Ctrl-Q are typed bytes, and do not stop the terminal's output.
    package init(takesFlowControl: Bool = false) {
        isRaw = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &Self.former) == 0
        guard isRaw else { return }
        Self.isActive = true
        for number in Self.endingSignals + Self.crashSignals + Self.jobSignals {
            sigaction(number, nil, Self.formerActions + Int(number))
        }
        for number in Self.crashSignals { signal(number, Self.restoreAndCrash) }
        for number in Self.endingSignals { signal(number, Self.restoreAndEnd) }
        Self.raw = Self.former
        // Ctrl-C still ends the program, Enter still sends a line feed, and output is still translated.
        Self.raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        if takesFlowControl { Self.raw.c_iflag &= ~tcflag_t(IXON) }
        Self.stopHandler = Self.restoreAndStop
        signal(SIGTSTP, Self.restoreAndStop)
        signal(SIGCONT, Self.makeRawAgain)
        tcsetattr(STDIN_FILENO, TCSANOW, &Self.raw)
    }

    /// Restores the terminal, and the former signal actions unless another part of the program handles the signals.
    package func leave(restoresSignals: Bool = true) {
        guard isRaw else { return }
        signal(SIGCONT, SIG_DFL)
        Self.restore()
        Self.isActive = false
        guard restoresSignals else { return }
        for number in Self.endingSignals + Self.crashSignals + Self.jobSignals {
            sigaction(number, Self.formerActions + Int(number), nil)
        }
    }

    /// Restores the terminal's mode if it is raw; may be called by a signal handler.
    package static func restore() {
        if isActive { tcsetattr(STDIN_FILENO, TCSANOW, &former) }
    }

    private static let restoreAndEnd: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
        signal(number, SIG_DFL)
        raise(number)
    }

    /// At Ctrl-Z: restores the terminal for the shell, then stops the program.
    private static let restoreAndStop: @convention(c) (Int32) -> Void = { number in
        let formerError = errno
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
        signal(number, SIG_DFL)
        raise(number)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        // The raised signal stops the program here.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        signal(number, stopHandler)
        errno = formerError
    }

    // SAFETY: written once, before a signal whose handler reads it can arrive. Needed because a handler cannot refer to
    // itself.
    nonisolated(unsafe) private static var stopHandler: @convention(c) (Int32) -> Void = { _ in }

    /// Makes the terminal raw again in the foreground; in the background it belongs to the shell.
    private static let makeRawAgain: @convention(c) (Int32) -> Void = { _ in
        let formerError = errno
        if tcgetpgrp(STDIN_FILENO) == getpgrp() { tcsetattr(STDIN_FILENO, TCSANOW, &raw) }
        errno = formerError
    }

    /// Restores the terminal; then Swift's own handler prints a backtrace.
    private static let restoreAndCrash: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
        sigaction(number, formerActions + Int(number), nil)
        raise(number)
    }
}
