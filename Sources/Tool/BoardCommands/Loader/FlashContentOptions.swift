import ArgumentParser
import CommandSupport
import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild

/// The options for contents that are written to or compared with a flash, beside the files.
struct FlashContentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The partition table (CSV or binary) to use instead of the build's table.", valueName: "file"),
        completion: .file(extensions: ["csv", "bin"]))
    var partitions: String?

    @OptionGroup var settings: FlashSettingsOptions

    @Flag(help: "Take the files as they are: no ELF is converted, no image is checked.")
    var raw = false

    @Option(
        help: ArgumentHelp("The environment of a PlatformIO project.", valueName: "name"))
    var environment: String?

    /// The options without effect in commands that build nothing.
    static let building = UnusedOptions(["--environment"], "files are given, and no project is built")

    func validate() throws {
        guard raw, !settings.keepsAll else { return }
        throw ValidationError(
            "--raw takes the files as they are: leave --raw out, or --flash-mode, --flash-freq and --flash-size.")
    }

    /// True if no option was given.
    var isDefault: Bool { partitions == nil && !raw && settings.keepsAll }

    /// The work with data of `source`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` when the partition table cannot be used, `usage` when two
    ///   tables are given.
    func work(_ source: FlashWork.Source) throws(CommandFailure) -> FlashWork {
        var table: (table: PartitionTable, path: String)?
        if let partitions {
            let read = try PartitionFile.read(partitions)
            _ = try PartitionFile.bytes(of: read, partitions)
            if case .files(let inputs) = source, let other = inputs.first(where: \.isForTable) {
                throw CommandFailure(
                    .usage, "expected one partition table, got \(other.path) and --partitions \(partitions)",
                    code: "usage.files")
            }
            table = (read, partitions)
        }
        return FlashWork(source: source, table: table, settings: settings, isRaw: raw)
    }
}

/// The options for the flash settings of a bootloader or an image.
struct FlashSettingsOptions: ParsableArguments {
    @Option(
        name: .customLong("flash-mode"),
        help: ArgumentHelp("keep, qio, qout, dio or dout: the mode in the bootloader's header.", valueName: "mode"))
    var mode = "keep"

    @Option(
        name: .customLong("flash-freq"),
        help: ArgumentHelp("keep, or the frequency in the bootloader's header, e.g. 80m.", valueName: "frequency"))
    var frequency = "keep"

    @Option(
        name: .customLong("flash-size"),
        help: ArgumentHelp(
            "keep, detect, or the size in the bootloader's header, e.g. 4MB.", valueName: "size"))
    var size = "keep"

    /// True if no setting is changed.
    var keepsAll: Bool { [mode, frequency, size].allSatisfy { $0.lowercased() == "keep" } }

    func validate() throws {
        try Self.check(mode, "--flash-mode", ["keep"] + FlashSettings.modeNames)
        try Self.check(size, "--flash-size", ["keep", "detect"] + FlashSettings.sizeNames)
    }

    private static func check(_ value: String, _ option: String, _ names: [String]) throws {
        guard names.contains(where: { $0.lowercased() == value.lowercased() }) else {
            throw ValidationError("\(option): expected \(names.joined(separator: ", ")), got '\(value)'")
        }
    }

    /// The change of settings for `board`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`; `refused` for a size larger than the board's flash, with
    ///   which the board would not start.
    func change(for board: ConnectedBoard) throws(CommandFailure) -> FlashSettingsChange {
        if let real = board.flashSize, let code = try change(for: board.chip).sizeCode, UInt64(1 << 20) << code > real {
            throw CommandFailure(
                .refused,
                "--flash-size \(size): expected at most the \(real >> 20) MB of the board's flash; nothing was changed",
                code: "flash.sizeOption")
        }
        guard size.lowercased() == "detect" else { return try change(for: board.chip) }
        guard let code = board.flashSize.flatMap(FlashSettings.sizeCode(ofBytes:)) else {
            throw CommandFailure(
                .flashFailed, "--flash-size detect: the size of the board's flash is not known", code: "flash.noFlash")
        }
        var change = try Self.change(mode, frequency, nil, board.chip)
        change.sizeCode = code
        return change
    }

    /// The change of settings for a chip without a board; "detect" changes nothing.
    ///
    /// - Throws: ``CommandFailure`` with exit code `usage`.
    func change(for chip: Chip) throws(CommandFailure) -> FlashSettingsChange {
        try Self.change(mode, frequency, size.lowercased() == "detect" ? nil : size, chip)
    }

    private static func change(
        _ mode: String, _ frequency: String, _ size: String?, _ chip: Chip
    ) throws(CommandFailure) -> FlashSettingsChange {
        do throws(ImageError) {
            return try FlashSettingsChange(mode: mode, frequency: frequency, size: size, of: chip)
        } catch {
            throw CommandFailure(.usage, "\(error)", code: "usage.flashSettings")
        }
    }
}

/// The files of a command line: `ADDRESS=FILE`, `ADDRESS FILE` as esptool has them, the same with a partition's name,
/// or a file that contains its address.
struct FlashArguments {
    /// The files, in order.
    private(set) var files: [(path: String, address: UInt32?, partition: String?)] = []
    /// The sketch or project; `nil` when files are given, or no arguments.
    private(set) var project: String?

    /// - Throws: ``CommandFailure`` with exit code `usage`.
    init(_ words: [String], allowsProject: Bool = true) throws(CommandFailure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if let equals = word.firstIndex(of: "="), let address = FlashAddress(String(word[..<equals])) {
                files.append((String(word[word.index(after: equals)...]), address.value, nil))
            } else if let named = Self.named(word) {
                files.append((named.path, nil, named.partition))
            } else if let path = rest.first, Self.isName(word), FileTree.isFile(path), Self.isImage(path) {
                files.append((path, nil, word))
                rest.removeFirst()
            } else if let equals = word.firstIndex(of: "="), !FileTree.isFile(word) {
                let (place, path) = (String(word[..<equals]), word[word.index(after: equals)...])
                // The word is a partition's name, and no file of that name exists.
                if Self.isName(place), !path.isEmpty { _ = try InputFile.read(String(path)) }
                throw CommandFailure(
                    .usage,
                    "expected an address or a partition, a = and a file, such as 0x10000=app.bin or nvs=nvs.bin, got '\(place)=…'",
                    code: "usage.address")
            } else if FlashAddress.isNumber(word), FlashAddress(word) == nil, !FileTree.isFile(word) {
                throw CommandFailure(.usage, "expected an address, got '\(word)'", code: "usage.address")
            } else if let address = FlashAddress(word), !FileTree.isFile(word) {
                guard let path = rest.popFirst() else {
                    throw CommandFailure(.usage, "expected a file behind the address \(word)", code: "usage.noFile")
                }
                files.append((path, address.value, nil))
            } else if Self.isImage(word) || !allowsProject {
                files.append((word, nil, nil))
            } else if let project {
                throw CommandFailure(
                    .usage, "expected one sketch, or files, got '\(project)' and '\(word)'", code: "usage.files")
            } else {
                project = word
            }
        }
        if let project, let file = files.first {
            throw CommandFailure(
                .usage, "expected a sketch or files, got the sketch '\(project)' and the file '\(file.path)'",
                code: "usage.files")
        }
    }

    /// The parts of `NAME=FILE`, if there is such a file.
    private static func named(_ word: String) -> (partition: String, path: String)? {
        guard let equals = word.firstIndex(of: "="), !FileTree.isFile(word) else { return nil }
        let (name, path) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
        return isName(name) && FileTree.isFile(path) ? (name, path) : nil
    }

    /// True if `word` may be a partition's name: neither a number nor a path nor a file.
    private static func isName(_ word: String) -> Bool {
        !word.isEmpty && !FlashAddress.isNumber(word) && !word.contains { "./=".contains($0) } && !FileTree.isFile(word)
    }

    /// True if `word` is a file that belongs neither to a sketch nor to a build of ESP-IDF.
    private static func isImage(_ word: String) -> Bool {
        let isSource = [".ino", ".pde", ".json", ".ini", ".cpp", ".c"].contains { word.lowercased().hasSuffix($0) }
        if FileTree.isFile(word) { return !isSource }
        return [".bin", ".elf", ".csv", ".hex", ".ihex", ".ihx", ".uf2"].contains { word.lowercased().hasSuffix($0) }
    }

    /// The contents of the files; with `isRaw`, unchanged.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` or `usage`.
    func inputs(isRaw: Bool) throws(CommandFailure) -> [FlashInput] {
        var result: [FlashInput] = []
        for file in files {
            result.append(try FlashInput(file.path, at: file.address, in: file.partition, isRaw: isRaw))
        }
        return result
    }
}
