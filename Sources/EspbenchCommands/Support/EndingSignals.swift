import Dispatch
import Foundation

/// The signals that ask a program to end.
enum EndingSignals {
    /// Lets them through: whoever started the program may have left them blocked.
    static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Waits for the first Ctrl-C, SIGTERM or SIGHUP; a second one ends the program at once.
    static func wait() async {
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            return (number, DispatchSource.makeSignalSource(signal: number))
        }
        let signals = AsyncStream<Void> { continuation in
            for (_, source) in sources {
                source.setEventHandler { continuation.finish() }
                source.resume()
            }
        }
        for await _ in signals {}
        for (number, source) in sources {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}
