import Foundation

/// Standard input without line editing and echo, and always back again: when left, and on every signal that ends the
/// program. Does nothing where standard input is no terminal.
struct RawTerminal {
    private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE]

    // SAFETY: written by `init()` before the handlers that read it are installed, and not again while they are; a
    // process has one monitor.
    nonisolated(unsafe) private static var former = termios()

    private let isRaw: Bool

    /// Makes the terminal raw.
    init() {
        isRaw = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &Self.former) == 0
        guard isRaw else { return }
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
    }

    private static let restoreAndEnd: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
        signal(number, SIG_DFL)
        raise(number)
    }
}
