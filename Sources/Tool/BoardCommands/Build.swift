import ArgumentParser
import CommandSupport
import ESPChips
import ESPImage
import FirmwareBuild

/// `espbench build`.
struct Build: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build a sketch for the virtual ESP32, or for a real chip.",
        discussion: """
            Prints the flash offset and the path of each part of the flash image. For real chips arduino-cli builds, with \
            the profile of sketch.yaml for that chip; PlatformIO builds its projects.
            """)

    @OptionGroup var project: ProjectOptions

    @Option(
        help: ArgumentHelp("Build for: virtual, \(BuildTarget.chipNames).", valueName: "target"),
        completion: .list(["virtual"] + BuildTarget.chips), transform: Self.target)
    var target = BuildTarget.virtual

    @Option(help: ArgumentHelp("The environment of a PlatformIO project.", valueName: "name"))
    var environment: String?

    @Flag(help: "Print a JSON object with the chip, the parts and the program with symbols.")
    var json = false

    @Argument(help: ProjectOptions.sketchHelp, completion: Completions.sketches)
    var sketch: String?

    private static func target(_ text: String) throws -> BuildTarget {
        guard let target = BuildTarget(text), target != .board else {
            throw ValidationError("Expected virtual, \(BuildTarget.chipNames), got '\(text)'.")
        }
        return target
    }

    var unusedOptions: [UnusedOptions] {
        guard case .chip = target else {
            return [
                UnusedOptions(
                    ["--environment"],
                    "builds for the virtual board do not know PlatformIO's environments yet, --target CHIP does")
            ]
        }
        return [UnusedOptions(["--nimble"], "arduino-cli and PlatformIO choose the library of a real chip's build")]
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CommandRunner.run(output) { _ in
            let record = try await command.build(environment, output)
            output.data(command.json ? try JSONLine.text(record) + "\n" : record.text)
            return .passed
        }
    }

    private func build(_ environment: Environment, _ output: Output) async throws -> BuildRecord {
        guard case .chip(let chip) = target else {
            let project = try Project(self.project, environment)
            let built = try await project.build(try project.sketch(sketch), output)
            return BuildRecord(
                chip: "virtual", elf: nil,
                parts: zip(built.layout.regions, built.files).map {
                    .init(name: $0.name, offset: $0.offset, file: $1, size: $0.bytes.count)
                })
        }
        let firmware: SiliconFirmware
        if let build = try SiliconBuilds.idf(sketch, for: chip, output) {
            firmware = build
        } else {
            let project = try Project(self.project, environment)
            let builds = SiliconBuilds(environment: environment, output: output, pioEnvironment: self.environment)
            firmware = try await builds.build(try project.sketch(sketch), for: chip)
        }
        return BuildRecord(
            chip: firmware.chip.identifier, elf: firmware.elf,
            parts: zip(firmware.layout.regions, firmware.parts).map {
                .init(name: $0.name, offset: $0.offset, file: $1.path, size: $0.bytes.count)
            })
    }
}

/// A build, as `espbench build` prints it.
struct BuildRecord: Codable, Hashable, Sendable {
    /// A part of the flash image.
    struct Part: Codable, Hashable, Sendable {
        var name: String
        var offset: UInt32
        var file: String
        var size: Int
    }

    var chip: String
    /// The program with its symbols.
    var elf: String?
    var parts: [Part]

    /// A line for each part.
    var text: String {
        parts.map { "0x\(String($0.offset, radix: 16))  \($0.file)\n" }.joined()
    }
}
