import ArgumentParser

/// How a run goes on.
struct RunControlOptions: ParsableArguments {
    @Flag(help: "End the run after the first failure.")
    var failFast = false
}
