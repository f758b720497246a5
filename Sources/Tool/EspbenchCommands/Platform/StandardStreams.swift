import Foundation

/// Standard input, output and error as whoever started the program left them.
enum StandardStreams {
    /// Gives streams that are closed a place, in which reading and writing fail: the next file that is opened would
    /// take it, and be written into.
    static func fillClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Opened the wrong way round, so that its use is an error as before. `open` takes the lowest free number.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Lets a write beyond the limit on the size of files fail instead of ending the program.
    static func ignoreFileSizeSignal() {
        signal(SIGXFSZ, SIG_IGN)
    }
}
