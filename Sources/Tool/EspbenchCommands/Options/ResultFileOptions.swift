import ArgumentParser
import Foundation

/// The results for programs, and the files that a run writes.
struct ResultFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write all events to this file, as JSON Lines.", valueName: "file"),
        completion: .file())
    var timeline: String?

    @Option(
        help: ArgumentHelp(
            "Write all HCI packets to this file, for Wireshark; each suite begins on January 1st, 1970.",
            valueName: "file"),
        completion: .file())
    var btsnoop: String?

    @Flag(help: "Print the results as one JSON object, even if there are none.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Write the results to this file as JUnit XML, for GitLab, Jenkins and others; also those of a run that fails early.",
            valueName: "file"),
        completion: .file())
    var junit: String?

    @Flag(help: "With --json or --junit: list every instance of every case, not only their number.")
    var instances = false

    /// How the names of files end that a run reads: they must not be written over by mistake.
    private static let sources = [
        ".yaml", ".yml", ".ino", ".h", ".hpp", ".hh", ".c", ".cc", ".cpp", ".cxx", ".s", ".ini", ".properties",
    ]

    func validate() throws {
        if instances, !json, junit == nil { throw ValidationError("--instances needs --json or --junit.") }
        var options: [String: String] = [:]
        for (option, file) in [("--timeline", timeline), ("--btsnoop", btsnoop), ("--junit", junit)] {
            guard let file else { continue }
            if [".yaml", ".yml"].contains(where: file.hasSuffix) {
                throw ValidationError("\(option) takes the file to write, got the suite '\(file)'.")
            }
            let path = URL(filePath: file).standardizedFileURL.resolvingSymlinksInPath().path
            if Self.sources.contains(where: path.lowercased().hasSuffix) {
                throw ValidationError("\(option) takes the file to write, got '\(file)', which is a source.")
            }
            if let other = options.updateValue(option, forKey: path), !path.hasPrefix("/dev/") {
                throw ValidationError("\(other) and \(option) name the same file '\(file)': give each its own.")
            }
        }
    }
}
