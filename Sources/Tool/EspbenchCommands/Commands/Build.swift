import ArgumentParser
import ESPImage
import FirmwareBuild

/// `espbench build`.
struct Build: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Build a sketch for the virtual ESP32.",
        discussion: "Prints the flash offset and the path of each part of the flash image.")

    @OptionGroup var project: ProjectOptions

    @Argument(help: ProjectOptions.sketchHelp, completion: .directory)
    var sketch: String?

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let (options, name) = (project, sketch)
        try CommandRunner.run(output) { _ in
            let project = try Project(options, environment)
            let built = try await project.build(try project.sketch(name), output)
            for (region, file) in zip(built.layout.regions, built.files) {
                output.data("0x\(String(region.offset, radix: 16))  \(file)\n")
            }
            return .passed
        }
    }
}
