public import ESPChips
import ESPImage
import FoundationEssentials

/// A build folder of ESP-IDF, with `flasher_args.json` ("Build System", ESP-IDF programming guide: the arguments for
/// esptool).
public struct IDFBuild: Sendable {
    /// The build folder.
    let folder: String

    /// The file's content. Besides the documented keys, the file has a key for each image, the image's name.
    private struct Arguments: Decodable {
        struct Settings: Decodable {
            var mode: String?
            var frequency: String?
            var size: String?

            enum CodingKeys: String, CodingKey {
                case mode = "flash_mode"
                case frequency = "flash_freq"
                case size = "flash_size"
            }

            init(mode: String?, frequency: String?, size: String?) {
                (self.mode, self.frequency, self.size) = (mode, frequency, size)
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
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let settings: Settings
        let files: [String: String]
        let chip: String?
        /// The images by name.
        private(set) var places: [String: Place] = [:]

        /// Readable names of the images that every project has.
        private static let names = [
            "app": "application", "partition-table": "partition table", "otadata": "boot choice",
        ]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            files = try container.decode([String: String].self, forKey: Key(stringValue: "flash_files"))
            let options = (try? container.decode([String].self, forKey: Key(stringValue: "write_flash_args"))) ?? []
            settings =
                try container.decodeIfPresent(Settings.self, forKey: Key(stringValue: "flash_settings"))
                ?? Self.settings(options)
            chip = try? container.decode(Extra.self, forKey: Key(stringValue: "extra_esptool_args")).chip
            for key in container.allKeys {
                places[key.stringValue] = try? container.decode(Place.self, forKey: key)
            }
        }

        /// The settings among esptool's options, which newer versions write with hyphens.
        private static func settings(_ options: [String]) -> Settings {
            func value(_ name: String) -> String? {
                let index = options.firstIndex { $0.replacing("_", with: "-") == name }
                return index.flatMap { $0 + 1 < options.count ? options[$0 + 1] : nil }
            }
            return Settings(
                mode: value("--flash-mode"), frequency: value("--flash-freq"), size: value("--flash-size"))
        }

        /// The readable name of `file`.
        func name(of file: String) -> String {
            guard let key = places.filter({ $0.value.file == file }).keys.min() else { return file.fileName }
            return Self.names[key] ?? key
        }

        /// True if the project encrypts the flash: the bootloader encrypts the plain data at the first start.
        var isEncrypted: Bool { places.values.contains { $0.encrypted == "true" } }
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

    /// The build at `path`: the file `flasher_args.json`, its folder, or a project with it in `build/`; `nil` when none
    /// of these exists.
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
    /// - Parameter chip: the chip that the build must be for; `nil`: any.
    /// - Throws: ``FirmwareBuildError`` with code `unexpectedOutput`, `incompleteBuild` or `wrongChip`.
    public func firmware(for chip: Chip? = nil) throws(FirmwareBuildError) -> SiliconFirmware {
        let path = "\(folder)/\(Self.file)"
        let arguments: Arguments = try Self.decoded(path)
        let project: Project? = try? Self.decoded("\(folder)/project_description.json")
        let named = try arguments.chip.map { (name) throws(FirmwareBuildError) in
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
            let path = file.hasPrefix("/") ? file : "\(folder)/\(file)"
            parts.append(.init(name: arguments.name(of: file), offset: offset, path: path))
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
                // The flasher resolves "detect" and "keep".
                let size = settings.size.flatMap { $0 == "detect" ? nil : $0 }
                return try FlashSettingsChange(
                    mode: settings.mode, frequency: settings.frequency, size: size, of: chip)
            }, remarks: arguments.isEncrypted ? [Self.encryptionRemark] : [])
    }

    private static let encryptionRemark =
        "the project enables flash encryption: the board encrypts its flash at the first start, and then needs 'idf.py encrypted-flash'"

    private static func decoded<Value: Decodable>(_ path: String) throws(FirmwareBuildError) -> Value {
        let bytes = try FileTree.contents(of: path)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw FirmwareBuildError(.unexpectedOutput, "\(path): expected ESP-IDF's JSON of a build: \(error)")
        }
    }
}
