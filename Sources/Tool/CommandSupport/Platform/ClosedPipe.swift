import Foundation

/// The handling of a closed pipe at standard output, e.g. by `head -1`; by default SIGPIPE ends the program at any
/// point.
package enum ClosedPipe {
    /// Makes a write to a closed pipe fail, so that the command can complete its files before it ends. A handler,
    /// unlike an ignored signal, is not inherited by started programs.
    package static func letWritesFail() {
        guard !SignalPipe.isIgnored(SIGPIPE) else { return }
        signal(SIGPIPE) { _ in }
    }

    /// Ends the program as the signal would have done, without a message; returns if the signal is ignored.
    package static func end() {
        guard !SignalPipe.isIgnored(SIGPIPE) else { return }
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }
}
