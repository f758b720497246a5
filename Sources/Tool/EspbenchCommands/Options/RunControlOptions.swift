import ArgumentParser

/// How a run goes on.
struct RunControlOptions: ParsableArguments {
    @Flag(help: "Print the suites and cases that would run, and run nothing; --json: as one JSON object.")
    var list = false

    @Flag(help: "End the run after the first failure.")
    var failFast = false

    @Flag(
        help: ArgumentHelp(
            "After the run, wait for changes of suites, sketches, libraries and the project's file, and run again what they concern. Enter runs all again, q ends with the exit code of the last run, Ctrl-C with 7."
        ))
    var watch = false

    func validate() throws {
        if list, watch { throw ValidationError("--list runs nothing, and --watch runs again: give one of them.") }
    }
}
