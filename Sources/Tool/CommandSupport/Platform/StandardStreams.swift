import Foundation

/// Standard input, output and error, as inherited.
package enum StandardStreams {
    /// Opens closed streams so that reading and writing fail; otherwise the next opened file would get such a
    /// descriptor, and output would be written to it.
    package static func fillClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Opened in the opposite direction, so that its use stays an error. `open` returns the lowest free
            // descriptor.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Makes a write beyond the file size limit fail instead of ending the program.
    package static func ignoreFileSizeSignal() {
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Makes a write to a pipe without a reader fail instead of ending the program.
    package static func ignoreClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}
