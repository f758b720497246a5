import ArgumentParser
import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild

/// `espbench image merge`.
struct ImageMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge images into one file for the whole flash.",
        discussion: "Files are given as to 'espbench flash'. Gaps are filled with FF.", aliases: ["merge-bin"])

    @Option(name: .shortAndLong, help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var output: String

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
            "Files: ADDRESS=FILE, ADDRESS FILE, or a file that says its address; or a build folder of ESP-IDF.",
            valueName: "files"), completion: .file())
    var words: [String]

    func run() throws {
        let notes = Output(Environment.process)
        let command = self
        try CommandRunner.run(notes) { _ in
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
                throw CommandFailure(.usage, "expected --chip, since no file says it", code: "usage.chip")
            }
            let layout = try await work.layout(for: ConnectedBoard.known(chip))
            let bytes: [UInt8]
            do throws(ImageError) {
                bytes = try layout.merged(from: try command.startAddress(), size: try command.flashSize())
            } catch {
                throw CommandFailure(.badInput, "\(error)", code: "flash.overlap")
            }
            try ReportFile.write(bytes, to: command.output, option: "--output", notes)
            for region in layout.regions {
                notes.note("0x\(String(region.offset, radix: 16))  \(region.name), \(region.bytes.count) bytes")
            }
            notes.note("wrote \(bytes.count) bytes into \(command.output)")
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
