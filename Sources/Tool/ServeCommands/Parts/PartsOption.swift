import ArgumentParser
import CommandSupport

/// The option for the parts of virtual boards.
struct PartsOption: ParsableArguments {
    /// The value for a board without parts.
    static let none = "none"

    @Option(
        name: .customLong("parts"),
        help: ArgumentHelp(
            """
            The parts wired to a virtual board: a suite, a file with the mapping of a suite's 'parts', a diagram of Wokwi \
            (diagram.json), or none. Once per board. By default those of the sketch's suites, where all that have parts have the same.
            """,
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var files: [String] = []

    /// Checks the number of files.
    ///
    /// - Throws: `ValidationError`.
    func check(boardCount: Int) throws {
        guard files.count > boardCount else { return }
        throw ValidationError(
            "--parts is given \(files.count) times for \(boardCount) board\(boardCount == 1 ? "" : "s") with a sketch.")
    }
}
