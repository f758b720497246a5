import Foundation

/// What happens when the reader of standard output closes its end, as `head -1` does: by default SIGPIPE ends the
/// program in the middle of whatever it does.
enum ClosedPipe {
    /// Lets such a write fail, so that the command can complete its files before it ends. The handler, unlike an ignored
    /// signal, is not inherited by programs that are started.
    static func letWritesFail() {
        var former = sigaction()
        sigaction(SIGPIPE, nil, &former)
        guard !isIgnored(former) else { return }
        signal(SIGPIPE) { _ in }
    }

    /// Ends the program as the signal would have, without a word; returns if the signal is ignored.
    static func end() {
        var former = sigaction()
        sigaction(SIGPIPE, nil, &former)
        guard !isIgnored(former) else { return }
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Glibc)
            // SAFETY: a handler is a pointer, of which only the bits are compared: SIG_IGN is 1.
            unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        #else
            // SAFETY: as above.
            unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
        #endif
    }
}
