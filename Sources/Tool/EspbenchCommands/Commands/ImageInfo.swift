import ArgumentParser
import ESPChips
import ESPImage
import FirmwareBuild

/// `espbench image info`.
struct ImageInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what an image is, and whether its checksum and digest are right.",
        discussion: """
            Of a whole flash, all images and the partition table are shown. Exits with \
            \(ExitReason.badInput.rawValue) when an image is broken.
            """,
        aliases: ["image-info"])

    @Flag(help: "Print a JSON object for each file, a line each.")
    var json = false

    @Argument(help: "Images: applications, bootloaders, whole flashes.", completion: .file())
    var files: [String]

    func run() throws {
        let output = Output(Environment.process)
        let command = self
        try CommandRunner.finish(output) {
            var failure: CommandFailure?
            for path in command.files {
                do throws(CommandFailure) {
                    let records = try ImageRecord.records(path)
                    if command.json {
                        for record in records { output.data(try Self.json(record)) }
                    } else {
                        output.data(records.map(\.text).joined(separator: "\n"))
                    }
                    if let broken = records.first(where: { !$0.isValid }) { throw broken.failure }
                } catch {
                    if failure != nil || command.files.count > 1 { output.note("error: \(error.message)") }
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return .passed
        }
    }

    private static func json(_ record: ImageRecord) throws(CommandFailure) -> String {
        do {
            return try PortRecord.json(record) + "\n"
        } catch {
            throw CommandFailure(error, .benchFault)
        }
    }
}
