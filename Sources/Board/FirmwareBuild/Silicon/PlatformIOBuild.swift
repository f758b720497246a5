import ESPImage
import FoundationEssentials
public import ESPChips

/// A build of PlatformIO: the files of `.pio/build/ENV/`.
///
/// `idedata.json` there names the images besides the application, with their addresses (platform-espressif32,
/// `FLASH_EXTRA_IMAGES`); without it the files have their usual names.
public struct PlatformIOBuild: Sendable {
    /// The project's folder.
    let folder: String
    /// The folder of the environment's build.
    let build: String
    /// The environment.
    public let environment: String

    private struct Data: Decodable {
        struct Extra: Decodable {
            struct Image: Decodable {
                let offset: String
                let path: String
            }
            let images: [Image]?
            let applicationOffset: String?

            enum CodingKeys: String, CodingKey {
                case images = "flash_images"
                case applicationOffset = "application_offset"
            }
        }
        let program: String?
        let extra: Extra?

        enum CodingKeys: String, CodingKey {
            case program = "prog_path"
            case extra
        }
    }

    /// The build of the project in `folder`: of the environment called `environment`, or of the default one.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `invalidPlatformIO`.
    public init(folder: String, environment: String? = nil) throws(FirmwareBuildError) {
        let project = try PlatformIOProject(folder: folder, environment: environment)
        self.folder = folder
        self.environment = project.environmentName
        build = "\(project.buildFolder)/\(project.environmentName)"
    }

    /// Runs PlatformIO, if it is installed.
    ///
    /// - Returns: whether PlatformIO ran; otherwise only the files of the last build are available.
    /// - Throws: ``FirmwareBuildError`` with code `compilationFailed`.
    public func run(program: String = "pio", announce: (String) -> Void = { _ in }) async throws(FirmwareBuildError)
        -> Bool
    {
        guard let tool = await CommandLineTool.find([program, "platformio"]) else { return false }
        announce("building \(folder.fileName) with PlatformIO (environment \(environment))")
        let outcome = try await tool.run(["run", "--project-dir", folder, "--environment", environment])
        guard outcome.isSuccess else {
            throw FirmwareBuildError(
                .compilationFailed, "\(folder.fileName) does not build with PlatformIO",
                compilerOutput: outcome.standardError.isEmpty ? outcome.standardOutput : outcome.standardError)
        }
        return true
    }

    /// The files of the build.
    ///
    /// - Throws: ``FirmwareBuildError`` with code `incompleteBuild` when it has not been built, or `wrongChip`.
    public func firmware(for chip: Chip? = nil) throws(FirmwareBuildError) -> SiliconFirmware {
        let application = build + "/firmware.bin"
        guard FileTree.isFile(application) else {
            throw FirmwareBuildError(
                .incompleteBuild,
                "\(folder.fileName) is not built: expected \(application); run 'pio run -e \(environment)' (install PlatformIO: python3 -m pip install platformio)"
            )
        }
        let data = try ideData()
        var parts: [SiliconFirmware.Part] = []
        for image in data?.extra?.images ?? [] {
            guard let offset = FlashAddress(image.offset)?.value else {
                throw FirmwareBuildError(
                    .unexpectedOutput,
                    "\(build)/idedata.json: expected an address such as 0x1000, got '\(image.offset)'")
            }
            parts.append(
                SiliconFirmware.Part(
                    name: Self.name(image.path), offset: offset,
                    path: image.path.hasPrefix("/") ? image.path : "\(folder)/\(image.path)"))
        }
        let table = parts.first { $0.name == "partition table" }?.path ?? build + "/partitions.bin"
        guard FileTree.isFile(table) else {
            throw FirmwareBuildError(
                .incompleteBuild,
                "the build of \(folder.fileName) is not complete: expected the partition table at \(table)")
        }
        let places = try SiliconFirmware.Places(table: table)
        if parts.isEmpty {
            let bytes = try FileTree.contents(of: application)
            guard let built = try? FirmwareImage.chip(of: bytes[...]) else {
                throw FirmwareBuildError(.incompleteBuild, "\(application): expected the image of an application")
            }
            parts = [
                .init(name: "bootloader", offset: built.bootloaderOffset, path: build + "/bootloader.bin"),
                .init(name: "partition table", offset: PartitionTable.offset, path: table),
            ]
            if let offset = places.choice, FileTree.isFile(build + "/boot_app0.bin") {
                parts.append(.init(name: "boot choice", offset: offset, path: build + "/boot_app0.bin"))
            }
        }
        let offset = data?.extra?.applicationOffset.flatMap(FlashAddress.init)?.value ?? places.application
        parts.append(.init(name: "application", offset: offset, path: application))
        return try SiliconFirmware(
            folder.fileName, for: chip, parts, elf: data?.program ?? build + "/firmware.elf")
    }

    private func ideData() throws(FirmwareBuildError) -> Data? {
        let path = build + "/idedata.json"
        guard FileTree.isFile(path) else { return nil }
        let bytes = try FileTree.contents(of: path)
        do {
            return try JSONDecoder().decode(Data.self, from: FoundationEssentials.Data(bytes))
        } catch {
            throw FirmwareBuildError(.unexpectedOutput, "\(path): expected PlatformIO's JSON of a project: \(error)")
        }
    }

    private static func name(_ path: String) -> String {
        let file = path.fileName
        if file.contains("bootloader") { return "bootloader" }
        if file.contains("partitions") { return "partition table" }
        return file.contains("boot_app0") || file.contains("ota_data") ? "boot choice" : file
    }
}
