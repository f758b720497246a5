import ArgumentParser

/// `espbench image info`.
struct ImageInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what an image or a partition table is, and whether checksum and digest are right.",
        discussion: """
            Of a whole flash, the partition table and all images are shown. Exits with \
            \(ExitReason.badInput.rawValue) when one is broken.
            """,
        aliases: ["image-info"])

    @Flag(help: "Print a JSON object for each image and partition table, a line each.")
    var json = false

    @Argument(help: "Applications, bootloaders, partition tables, whole flashes.", completion: .file())
    var files: [String]

    func run() throws {
        let output = Output(Environment.process)
        let command = self
        try CommandRunner.finish(output) {
            var failure: CommandFailure?
            for path in command.files {
                var faults: [CommandFailure]
                do {
                    let contents = try ImageContents(path)
                    output.data(command.json ? try contents.json() : contents.text)
                    faults = contents.faults
                } catch {
                    faults = [CommandFailure(error, .benchFault)]
                }
                // The first ends the command, when all files are shown.
                if failure == nil, !faults.isEmpty { failure = faults.removeFirst() }
                for fault in faults { output.note("error: \(fault.message)") }
            }
            if let failure { throw failure }
            return .passed
        }
    }
}
