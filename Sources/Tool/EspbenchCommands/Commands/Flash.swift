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
            "Flash this file instead: an application image, or an image of the whole flash.", valueName: "file"),
        completion: .file(extensions: ["bin"]))
    var image: String?

    @Argument(help: ProjectOptions.sketchHelp, completion: .directory)
    var sketch: String?

    func validate() throws {
        if let sketch, let image {
            throw ValidationError("Give a sketch or an image, got the sketch '\(sketch)' and the image '\(image)'.")
        }
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let (options, sketch, image, board) = (project, sketch, image, board)
        try CommandRunner.run(output) { executor in
            let layout =
                if let image {
                    try ImageFile.layout(image)
                } else {
                    try await Self.build(sketch, options, environment, output)
                }
            if let address = try await board.address(environment, output) {
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

    private static func build(
        _ sketch: String?, _ options: ProjectOptions, _ environment: Environment, _ output: Output
    ) async throws -> FlashLayout {
        let project = try Project(options, environment)
        return try await project.build(try project.sketch(sketch), output).layout
    }
}
