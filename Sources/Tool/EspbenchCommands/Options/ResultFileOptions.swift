import ArgumentParser

/// The results for programs, and the files that a run writes.
struct ResultFileOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write all events to this file, as JSON Lines.", valueName: "file"))
    var timeline: String?

    @Option(
        help: ArgumentHelp(
            "Write all HCI packets to this file, for Wireshark; each suite begins on January 1st, 1970.",
            valueName: "file"))
    var btsnoop: String?

    @Flag(help: "Print the results as one JSON object, even if there are none.")
    var json = false

    @Flag(help: "With --json: list every instance of every case, not only their number.")
    var instances = false

    func validate() throws {
        if instances, !json { throw ValidationError("--instances needs --json.") }
        for (option, file) in [("--timeline", timeline), ("--btsnoop", btsnoop)] {
            guard let file, [".yaml", ".yml"].contains(where: file.hasSuffix) else { continue }
            throw ValidationError("\(option) takes the file to write, got the suite '\(file)'.")
        }
    }
}
