import Foundation

/// What happens when the reader of standard output closes its end, as `head -1` does: by default SIGPIPE ends the
/// program in the middle of whatever it does.
package enum ClosedPipe {
    /// Lets such a write fail, so that the command can complete its files before it ends. The handler, unlike an ignored
    /// signal, is not inherited by programs that are started.
    package static func letWritesFail() {
        guard !SignalPipe.isIgnored(SIGPIPE) else { return }
        signal(SIGPIPE) { _ in }
    }

    /// Ends the program as the signal would have, without a word; returns if the signal is ignored.
    package static func end() {
        guard !SignalPipe.isIgnored(SIGPIPE) else { return }
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }
}
