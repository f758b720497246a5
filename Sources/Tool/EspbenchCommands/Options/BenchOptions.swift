import ArgumentParser

/// The bench, and what is expected of it.
struct BenchOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The seed of all random numbers of the bench.", valueName: "number"))
    var seed: UInt64 = 0

    @Option(help: ArgumentHelp("The bench to run on.", valueName: "name"))
    var bench = "virtual"

    @Flag(help: "Fail cases that need an ability the bench lacks, instead of skipping them.")
    var requireAll = false
}
