import ArgumentParser
import CommandSupport
import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild

/// `espbench image`.
struct Image: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "image",
        abstract: "Show images, merge them into one, or make them from ELF files.",
        subcommands: [ImageInfo.self, ImageMerge.self, ImageMake.self])
}

/// `espbench image info`.
struct ImageInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what an image or a partition table is, and whether checksum and digest are right.",
        discussion: """
            Of a whole flash, the partition table and all images are shown. Exits with \
            \(ExitReason.badInput.rawValue) when one is broken.
            """,
        aliases: ["image-info"])

    @Flag(help: "Print a JSON object for each image and partition table, a line each.")
    var json = false

    @Argument(help: "Applications, bootloaders, partition tables, whole flashes.", completion: .file())
    var files: [String]

    func run() throws {
        let output = Output(Environment.process)
        let command = self
        try CommandRunner.finish(output) {
            var failure: CommandFailure?
            for path in command.files {
                var faults: [CommandFailure]
                do {
                    let contents = try ImageContents(path)
                    output.data(command.json ? try contents.json() : contents.text)
                    faults = contents.faults
                } catch {
                    faults = [CommandFailure(error, .benchFault)]
                }
                // The first fault ends the command after all files have been shown.
                if failure == nil, !faults.isEmpty { failure = faults.removeFirst() }
                for fault in faults { output.note("error: \(fault.message)") }
            }
            if let failure { throw failure }
            return .passed
        }
    }
}

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
            "The chip: \(BuildTarget.chipNames).", valueName: "chip"),
        completion: .list(BuildTarget.chips))
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

    @Option(
        name: .customLong("elf-sha256-offset"),
        help: ArgumentHelp(
            "Put the SHA-256 digest of the ELF file there; 0xb0 is its place in an application.", valueName: "offset"))
    var digestOffset: String?

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
            if let output { try DataFile.checkIsBinary(output, "an image has no address") }
            guard let chip = try Self.chip(chip) else { return .usage }
            let bytes = try InputFile.read(file)
            let image = try FlashImageFile.image(
                ofELF: bytes, file, for: chip, try settings.change(for: chip),
                revisions: minimumRevision...maximumRevision, digestOffset: try offset())
            let path = output ?? (file.lowercased().hasSuffix(".elf") ? String(file.dropLast(4)) : file) + ".bin"
            try ReportFile.write(image, to: path, option: "--output", notes)
            notes.note("wrote \(image.count) bytes for the \(chip.name) into \(path)")
            return .passed
        }
    }

    private func offset() throws(CommandFailure) -> Int? {
        guard let digestOffset else { return nil }
        guard let offset = FlashAddress(digestOffset) else {
            throw CommandFailure(
                .usage, "--elf-sha256-offset: expected an offset such as 0xb0, got '\(digestOffset)'",
                code: "usage.address")
        }
        return Int(offset.value)
    }

    /// The chip called `name`; `nil` without a name.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`.
    static func chip(_ name: String?) throws(CommandFailure) -> Chip? {
        guard let name else { return nil }
        return try chip(named: name)
    }

    /// The chip called `name`, as espbench or Espressif write it.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`.
    static func chip(named name: String) throws(CommandFailure) -> Chip {
        guard let chip = Chip.named(name) ?? Chip.named(name.lowercased().filter { $0 != "-" }) else {
            throw CommandFailure(
                .usage,
                "--chip: expected one of \(BuildTarget.chipNames), got '\(name)'",
                code: "usage.chip")
        }
        return chip
    }
}

/// `espbench image merge`.
struct ImageMerge: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge images into one file for the whole flash.",
        discussion: "Files are given as for 'espbench flash'. Gaps are filled with FF.", aliases: ["merge-bin"])

    @Option(name: .shortAndLong, help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var output: String

    @Option(help: "raw or hex (Intel HEX, without the gaps). (default: by the name of the file, else raw)")
    var format: DataFile.Form?

    @Option(help: ArgumentHelp("The chip, where no file says it.", valueName: "chip"))
    var chip: String?

    @Option(
        name: .customLong("target-offset"),
        help: ArgumentHelp("The address at which the file will be written.", valueName: "address"))
    var start = "0"

    @Option(
        name: .customLong("pad-to-size"),
        help: ArgumentHelp("Fill with FF up to the size of the flash, e.g. 4MB.", valueName: "size"))
    var size: String?

    @OptionGroup var content: FlashContentOptions

    @Argument(
        help: ArgumentHelp(
            """
            Files: ADDRESS=FILE, ADDRESS FILE, or a file that contains or implies its address; or a build folder of \
            ESP-IDF.
            """,
            valueName: "files"), completion: .file())
    var words: [String]

    var unusedOptions: [UnusedOptions] {
        let isHex = (try? DataFile.form(of: output, format)) == .hex
        return [FlashContentOptions.building]
            + (isHex ? [UnusedOptions(["--pad-to-size"], "Intel HEX is written without the gaps")] : [])
    }

    func run() throws {
        let notes = Output(Environment.process)
        let command = self
        try CommandRunner.run(notes) { _ in
            let form = try DataFile.form(of: command.output, command.format)
            let work: FlashWork
            var chip = try ImageMake.chip(command.chip)
            if command.words.count == 1, let build = try SiliconBuilds.idf(command.words[0], for: chip, notes) {
                work = try command.content.work(.build(build))
                chip = build.chip
            } else {
                let inputs = try FlashArguments(command.words, allowsProject: false).inputs(isRaw: command.content.raw)
                work = try command.content.work(.files(inputs))
                chip = chip ?? inputs.lazy.compactMap(\.chip).first
                for input in inputs {
                    guard let own = input.chip, let chip, own != chip else { continue }
                    throw CommandFailure(
                        .refused, "\(input.path): expected an image for the \(chip.name), got the \(own.name)'s",
                        code: "image.wrongChip")
                }
            }
            guard let chip else {
                throw CommandFailure(.usage, "expected --chip, since no file specifies the chip", code: "usage.chip")
            }
            let layout = try await work.content(for: .known(chip)).layout
            let bytes: [UInt8]
            do throws(ImageError) {
                bytes = try layout.merged(from: try command.startAddress(), size: try command.flashSize())
            } catch {
                throw CommandFailure(.badInput, "\(error)", code: "flash.overlap")
            }
            let content = form == .hex ? Array(IntelHex.text(layout).utf8) : bytes
            try ReportFile.write(content, to: command.output, option: "--output", notes)
            for region in layout.regions {
                notes.note("0x\(String(region.offset, radix: 16))  \(region.name), \(region.bytes.count) bytes")
            }
            notes.note("wrote \(content.count) bytes into \(command.output)")
            guard !command.content.raw else { return .passed }
            let merged = FlashLayout.Region(name: command.output, offset: try command.startAddress(), bytes: bytes)
            let whole = try FlashLayout(form == .hex ? [] : [merged])
            for line in FlashWarnings.lines(layout, for: chip) + FlashWarnings.lines(whole, for: chip) {
                notes.note("warning: \(line)")
            }
            return .passed
        }
    }

    private func startAddress() throws(ImageError) -> UInt32 {
        guard let address = FlashAddress(start) else {
            throw ImageError(.syntax, "--target-offset", "expected an address such as 0x1000, got '\(start)'")
        }
        return address.value
    }

    private func flashSize() throws(ImageError) -> UInt64? {
        guard let size else { return nil }
        guard let code = FlashSettings.sizeNames.firstIndex(where: { $0.lowercased() == size.lowercased() }) else {
            throw ImageError(
                .syntax, "--pad-to-size",
                "expected one of \(FlashSettings.sizeNames.joined(separator: ", ")), got '\(size)'")
        }
        return 1 << (20 + UInt64(code))
    }
}

/// Files with data for a flash, in a form that their name says.
enum DataFile {
    /// The form of a file.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case raw
        case hex
    }

    private static let hexEndings = [".hex", ".ihex", ".ihx"]

    /// The form for a file at `path`: `given`, or the one that the name says.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage` when the name says another form.
    static func form(of path: String, _ given: Form? = nil) throws(CommandFailure) -> Form {
        let isHex = hexEndings.contains { path.lowercased().hasSuffix($0) }
        guard !path.lowercased().hasSuffix(".uf2"), given != .raw || !isHex else {
            let form = isHex ? "Intel HEX" : "UF2, which espbench does not write"
            throw CommandFailure(
                .usage, "--output \(path): expected the name of a binary file, got that of \(form)", code: "usage.form")
        }
        return given ?? (isHex ? .hex : .raw)
    }

    /// Throws for a name that says Intel HEX or UF2.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`.
    static func checkIsBinary(_ path: String, _ reason: String) throws(CommandFailure) {
        guard try form(of: path) == .hex else { return }
        throw CommandFailure(
            .usage, "--output \(path): expected the name of a binary file, since \(reason), got that of Intel HEX",
            code: "usage.form")
    }
}
