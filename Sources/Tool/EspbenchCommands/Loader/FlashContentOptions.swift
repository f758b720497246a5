import ArgumentParser
import ESPImage

/// What is written to or compared with a flash, beside the files.
struct FlashContentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The partition table: CSV or binary; instead of that of the build.", valueName: "file"),
        completion: .file(extensions: ["csv", "bin"]))
    var partitions: String?

    @OptionGroup var settings: FlashSettingsOptions

    @Flag(help: "Take the files as they are: no ELF is converted, no image is checked.")
    var raw = false

    @Option(
        help: ArgumentHelp("The environment of a PlatformIO project.", valueName: "name"))
    var environment: String?

    /// Whether nothing was asked for.
    var isDefault: Bool {
        partitions == nil && !raw && [settings.mode, settings.frequency, settings.size].allSatisfy { $0 == "keep" }
    }

    /// The work with data of `source`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` when the partition table cannot be used, `usage` when there
    ///   are two.
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
