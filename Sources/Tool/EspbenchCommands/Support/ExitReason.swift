import ArgumentParser

/// What a command's exit code says; scripts may rely on the numbers.
package enum ExitReason: Int32, CaseIterable {
    /// All that was asked was done, and every case passed.
    case passed = 0
    /// A case failed because the firmware did something else, or the link or the central's stack failed.
    case testsFailed = 1
    /// No case was run: no suite was found, a suite's file is faulty, or none has the name asked for.
    case nothingRan = 2
    /// The sketch was not found or does not build.
    case buildFailed = 3
    /// The board could not be reached or flashed.
    case flashFailed = 4
    /// A case failed because the firmware crashed or hung.
    case panic = 5
    /// The bench itself failed, or the machine: a file or standard output cannot be written.
    case benchFault = 6
    /// Ctrl-C, SIGTERM or SIGHUP ended the work before it was done.
    case interrupted = 7
    /// The command line is wrong.
    case usage = 64

    /// The status as the argument parser ends the program with it.
    package var exitCode: ExitCode { ExitCode(rawValue) }

    /// The lines of `espbench --help` about exit codes.
    static let help = """
        EXIT CODES
          0   passed
          1   a case failed
          2   nothing ran: no suite, a faulty suite, or no case of that name
          3   the sketch does not build
          4   the board could not be reached or flashed
          5   the firmware crashed or hung in a case
          6   the bench itself failed, or a file or the output could not be written
          7   interrupted by Ctrl-C, SIGTERM or SIGHUP
          64  the command line is wrong
        """
}
