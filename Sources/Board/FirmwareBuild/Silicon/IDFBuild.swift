public import ESPChips
import ESPImage
import FoundationEssentials

/// A build folder of ESP-IDF, with `flasher_args.json` ("Build System", ESP-IDF programming guide: the arguments for
/// esptool).
public struct IDFBuild: Sendable {
    /// The build folder.
    let folder: String

    private struct Arguments: Decodable {
        struct Settings: Decodable {
            let mode: String?
            let frequency: String?
            let size: String?

            enum CodingKeys: String, CodingKey {
                case mode = "flash_mode"
                case frequency = "flash_freq"
                case size = "flash_size"
            }
        }
        struct Place: Decodable {
            let offset: String?
            let file: String?
            let encrypted: String?
        }
        struct Extra: Decodable {
            let chip: String?
        }
        let settings: Settings?
        let files: [String: String]
        let bootloader: Place?
        let app: Place?
        let table: Place?
        let extra: Extra?

        enum CodingKeys: String, CodingKey {
            case settings = "flash_settings"
            case files = "flash_files"
            case bootloader
            case app
            case table = "partition-table"
            case extra = "extra_esptool_args"
        }
    }

    private struct Project: Decodable {
        let name: String?
        let elf: String?

        enum CodingKeys: String, CodingKey {
            case name = "project_name"
            case elf = "app_elf"
        }
    }

    private static let file = "flasher_args.json"

    /// The build at `path`: the file `flasher_args.json`, its folder, or a project with it in `build/`; `nil` when
    /// there is none.
    public init?(_ path: String) {
        let full = SketchPlace.absolute(path)
        if full.fileName == Self.file, FileTree.isFile(full) {
            folder = full.folderPath
        } else if let found = [full, full + "/build"].first(where: { FileTree.isFile("\($0)/\(Self.file)") }) {
            folder = found
        } else {
            return nil
        }
    }

    /// The files of the build.
    ///
    /// - Parameter chip: the chip it must be for; `nil`: any.
    /// - Throws: ``FirmwareBuildError`` with code `unexpectedOutput`, `incompleteBuild` or `wrongChip`.
    public func firmware(for chip: Chip? = nil) throws(FirmwareBuildError) -> SiliconFirmware {
        let path = "\(folder)/\(Self.file)"
        let arguments: Arguments = try Self.decoded(path)
        let project: Project? = try? Self.decoded("\(folder)/project_description.json")
        let named = try arguments.extra?.chip.map { (name) throws(FirmwareBuildError) in
            guard let known = Chip.named(name) else {
                throw FirmwareBuildError(
                    .wrongChip,
                    "\(path): expected a chip of \(Chip.all.map(\.identifier).joined(separator: ", ")), got '\(name)'")
            }
            return known
        }
        var parts: [SiliconFirmware.Part] = []
        for (address, file) in arguments.files {
            guard let offset = FlashAddress(address)?.value else {
                throw FirmwareBuildError(
                    .unexpectedOutput, "\(path): expected addresses such as 0x1000 in flash_files, got '\(address)'")
            }
            let name =
                switch file {
                case arguments.bootloader?.file: "bootloader"
                case arguments.table?.file: "partition table"
                case arguments.app?.file: "application"
                default: file.fileName
                }
            parts.append(.init(name: name, offset: offset, path: file.hasPrefix("/") ? file : "\(folder)/\(file)"))
        }
        if [arguments.bootloader, arguments.app, arguments.table].contains(where: { $0?.encrypted == "true" }) {
            throw FirmwareBuildError(
                .unexpectedOutput,
                "\(path): the project is built for flash encryption, which espbench does not write: use 'idf.py encrypted-flash'"
            )
        }
        if let chip, let named, chip != named {
            throw FirmwareBuildError(
                .wrongChip, "\(path): expected a build for the \(chip.name), got the \(named.name)'s")
        }
        let settings = arguments.settings
        let name = project?.name ?? folder.folderPath.fileName
        return try SiliconFirmware(
            name, for: chip ?? named, parts, elf: project?.elf.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" },
            settings: { (chip) throws(ImageError) in
                // "detect" and "keep" are for the flasher to decide.
                let size = settings?.size.flatMap { $0 == "detect" ? nil : $0 }
                return try FlashSettingsChange(
                    mode: settings?.mode, frequency: settings?.frequency, size: size, of: chip)
            })
    }

    private static func decoded<Value: Decodable>(_ path: String) throws(FirmwareBuildError) -> Value {
        let bytes = try FileTree.contents(of: path)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw FirmwareBuildError(.unexpectedOutput, "\(path): expected ESP-IDF's JSON of a build: \(error)")
        }
    }
}
