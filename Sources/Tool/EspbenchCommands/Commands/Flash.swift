import ArgumentParser
import ESPImage
import FirmwareBuild
import SerialPort

/// `espbench flash`.
struct Flash: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Build a sketch and flash it into a board.",
        discussion: """
            Writes compressed blocks, verifies them by MD5, and restarts the board.
            """)

    @OptionGroup var project: ProjectOptions
    @OptionGroup var board: BoardOptions

    @Option(
        help: ArgumentHelp(
            "Flash this file instead: an application image, or an image of the whole flash.", valueName: "file"))
    var image: String?

    @Argument(help: ArgumentHelp("A folder, an .ino file, or a name under Firmware/.", valueName: "sketch"))
    var sketch: String?

    func validate() throws {
        guard (sketch == nil) != (image == nil) else {
            throw ValidationError("Give a sketch, or an image with --image.")
        }
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let (firmware, sketch, image, board) = (project.firmware, sketch, image, board)
        try CommandRunner.run(output) { executor in
            let layout =
                if let image {
                    try ImageFile.layout(image)
                } else {
                    try await Self.build(sketch ?? "", firmware, environment, output)
                }
            if let address = board.port {
                try await BoardFlashing.flash(layout, at: address, output)
            } else {
                let local = try LocalBoard(
                    flashFile: board.flash.flashFile, seed: environment.randomSeed(), executor, environment)
                try await local.flash(layout, output)
                try await local.end()
            }
            return .passed
        }
    }

    private static func build(_ sketch: String, _ firmware: String?, _ environment: Environment, _ output: Output)
        async throws -> FlashLayout
    {
        let project = try Project(firmware: firmware, environment)
        return try await project.build(try project.sketch(sketch), output).layout
    }
}
