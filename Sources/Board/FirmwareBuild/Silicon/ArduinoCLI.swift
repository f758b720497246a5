public import ESPChips
import ESPImage
import FoundationEssentials

/// Builds sketches for real chips with arduino-cli.
public struct ArduinoCLI: Sendable {
    /// The program's path.
    public let program: String

    /// How to install it.
    static let installation = """
        install arduino-cli, which builds sketches for real chips:
          curl -fsSL https://raw.githubusercontent.com/arduino/arduino-cli/master/install.sh | BINDIR=$HOME/.local/bin sh
        or on macOS:
          brew install arduino-cli
        It fetches the platform and the libraries that the profile of sketch.yaml pins at the first build.
        """

    /// The program in PATH, or at a path.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `arduinoCLINotFound`, with the commands that install it.
    public init(program: String = "arduino-cli") async throws(FirmwareBuildError) {
        guard let tool = await CommandLineTool.find([program]), FileTree.isFile(tool.path) else {
            throw FirmwareBuildError(
                .arduinoCLINotFound, "'\(program)' was not found in PATH", compilerOutput: Self.installation)
        }
        self.program = tool.path
    }

    /// Builds `sketch` for `chip` with the profile that `sketch.yaml` pins, or without one for the chip's generic board.
    ///
    /// - Parameters:
    ///   - folder: the folder for the build's files, reused by the next build of the same sketch.
    ///   - announce: called once with a description of the build.
    /// - Throws: ``FirmwareBuildError``.
    public func build(
        _ sketch: Sketch, for chip: Chip, in folder: String, announce: (String) -> Void = { _ in }
    ) async throws(FirmwareBuildError) -> SiliconFirmware {
        let profile = try SketchProfiles(folder: sketch.folder).profile(for: chip)
        let selection =
            profile.map { ["--profile", $0.name] } ?? ["--fqbn", "esp32:esp32:\(chip.identifier)"]
        let profileText = profile.map { "profile \($0.name)" } ?? "no profile in sketch.yaml"
        announce("building \(sketch.name) for the \(chip.name) with arduino-cli (\(profileText))")
        try FileTree.makeFolder(folder)
        let tool = CommandLineTool(path: program)
        let outcome = try await tool.run(["compile", "--json"] + selection + ["--build-path", folder, sketch.folder])
        let result = try ArduinoBuildResult(outcome.output, program: program, standardError: outcome.standardError)
        guard outcome.isSuccess, result.isSuccess != false else {
            let reason = result.error.map { ": \($0)" } ?? ""
            let messages = [result.errors, result.output].compactMap { $0 }.filter { !$0.allSatisfy(\.isWhitespace) }
            throw FirmwareBuildError(
                .compilationFailed, "\(sketch.name) does not build for the \(chip.name)\(reason)",
                compilerOutput: (messages.first ?? outcome.standardError).replacing(sketch.folder + "/", with: ""))
        }
        return try firmware(sketch, chip, result, result.result?.buildPath ?? folder)
    }

    /// The files of a finished build (arduino-esp32, `platform.txt`: the recipes `objcopy` and `upload`).
    private func firmware(
        _ sketch: Sketch, _ chip: Chip, _ result: ArduinoBuildResult, _ folder: String
    ) throws(FirmwareBuildError) -> SiliconFirmware {
        let base = "\(folder)/\(result.property("build.project_name") ?? "\(sketch.name).ino")"
        let table = base + ".partitions.bin"
        guard FileTree.isFile(table) else {
            throw FirmwareBuildError(
                .incompleteBuild,
                "the build of \(sketch.name) is not complete: expected the partition table at \(table)")
        }
        let places = try SiliconFirmware.Places(table: table)
        let bootloader =
            result.property("build.bootloader_addr").flatMap(FlashAddress.init)?.value ?? chip.bootloaderOffset
        var parts = [
            SiliconFirmware.Part(name: "bootloader", offset: bootloader, path: base + ".bootloader.bin"),
            SiliconFirmware.Part(name: "partition table", offset: PartitionTable.offset, path: table),
            SiliconFirmware.Part(name: "application", offset: places.application, path: base + ".bin"),
        ]
        var remarks: [String] = []
        if let offset = places.choice {
            let platform =
                result.property("runtime.platform.path") ?? result.property("build.board.platform.path")
                ?? result.result?.platform?.installDirectory
            if let path = platform.map({ $0 + "/tools/partitions/boot_app0.bin" }), FileTree.isFile(path) {
                parts.append(SiliconFirmware.Part(name: "boot choice", offset: offset, path: path))
            } else {
                remarks.append(
                    "boot_app0.bin was not found in \(platform ?? "the output of arduino-cli"): a board that was updated over the air keeps its choice of application"
                )
            }
        }
        if let size = result.result?.sections?.first(where: { $0.name == "text" }), let used = size.size,
            let maximum = size.maximum, maximum > 0
        {
            remarks.append("the sketch uses \(used) of \(maximum) bytes (\(used * 100 / maximum) %)")
        }
        return try SiliconFirmware(sketch.name, for: chip, parts, elf: base + ".elf", remarks: remarks)
    }
}

/// The output of `arduino-cli compile --json` (arduino-cli 1.x; its field `builder_result` is `BuilderResult` of
/// cc/arduino/cli/commands/v1/compile.proto).
struct ArduinoBuildResult: Decodable {
    struct Result: Decodable {
        struct Platform: Decodable {
            let id: String?
            let version: String?
            let installDirectory: String?

            enum CodingKeys: String, CodingKey {
                case id
                case version
                case installDirectory = "install_dir"
            }
        }

        struct Section: Decodable {
            let name: String
            let size: Int?
            let maximum: Int?

            enum CodingKeys: String, CodingKey {
                case name
                case size
                case maximum = "max_size"
            }
        }

        let buildPath: String?
        let properties: [String]?
        let platform: Platform?
        let sections: [Section]?

        enum CodingKeys: String, CodingKey {
            case buildPath = "build_path"
            case properties = "build_properties"
            case platform = "board_platform"
            case sections = "executable_sections_size"
        }
    }

    let output: String?
    let errors: String?
    let result: Result?
    let isSuccess: Bool?
    let error: String?

    enum CodingKeys: String, CodingKey {
        case output = "compiler_out"
        case errors = "compiler_err"
        case result = "builder_result"
        case isSuccess = "success"
        case error
    }

    /// Reads the output.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `compilerNotFound` when it is not the output of arduino-cli 1.x.
    init(_ bytes: [UInt8], program: String, standardError: String) throws(FirmwareBuildError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            let found =
                String(decoding: bytes.prefix(200), as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
            throw FirmwareBuildError(
                .unexpectedOutput, "\(program) compile --json: expected JSON of arduino-cli 1.x, got '\(found)'",
                compilerOutput: standardError)
        }
    }

    /// The value of a build property, such as `build.mcu`.
    func property(_ name: String) -> String? {
        result?.properties?.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
