import ArgumentParser
import ESPChips
import ESPImage
import FirmwareBuild

/// `espbench image make`.
struct ImageMake: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make the image of an ELF file.",
        discussion: """
            The result equals that of esptool's elf2image, also where flash settings are kept: QIO, the frequency with \
            code 0 (40 MHz for most chips), 1 MB. The bootloader's settings count, not those of an application.
            """, aliases: ["elf2image"])

    @Option(
        help: ArgumentHelp(
            "The chip: \(Chip.all.map(\.identifier).joined(separator: ", ")).", valueName: "chip"))
    var chip: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The image. (default: the ELF file's name with .bin)", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        name: .customLong("min-rev-full"),
        help: ArgumentHelp("The lowest revision of the chip, major × 100 + minor.", valueName: "revision"))
    var minimumRevision: UInt16 = 0

    @Option(
        name: .customLong("max-rev-full"),
        help: ArgumentHelp("The highest revision of the chip, major × 100 + minor.", valueName: "revision"))
    var maximumRevision = UInt16.max

    @OptionGroup var settings: FlashSettingsOptions

    @Argument(help: ArgumentHelp("The ELF file.", valueName: "file"), completion: .file(extensions: ["elf"]))
    var file: String

    func validate() throws {
        guard minimumRevision <= maximumRevision else {
            throw ValidationError(
                "--min-rev-full: expected at most --max-rev-full \(maximumRevision), got \(minimumRevision).")
        }
    }

    func run() throws {
        let notes = Output(Environment.process)
        try CommandRunner.finish(notes) {
            guard let chip = try Self.chip(chip) else { return .usage }
            let bytes = try InputFile.read(file)
            let image = try FlashImageFile.image(
                ofELF: bytes, file, for: chip, try settings.change(for: chip),
                revisions: minimumRevision...maximumRevision)
            let path = output ?? (file.lowercased().hasSuffix(".elf") ? String(file.dropLast(4)) : file) + ".bin"
            try ReportFile.write(image, to: path, option: "--output", notes)
            notes.note("wrote \(image.count) bytes for the \(chip.name) into \(path)")
            return .passed
        }
    }

    /// The chip called `name`; `nil` without a name.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`.
    static func chip(_ name: String?) throws(CommandFailure) -> Chip? {
        guard let name else { return nil }
        guard let chip = Chip.named(name) ?? Chip.named(name.lowercased().filter { $0 != "-" }) else {
            throw CommandFailure(
                .usage,
                "--chip: expected one of \(Chip.all.map(\.identifier).joined(separator: ", ")), got '\(name)'",
                code: "usage.chip")
        }
        return chip
    }
}
