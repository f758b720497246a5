import Foundation

/// The handling of a closed reader of standard output, as of `head -1`: by default SIGPIPE ends the program at any
/// point.
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
