import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild

/// What is to be flashed, as far as it is known before the board is: files, a build, or a sketch to build for the chip
/// that the board has.
struct FlashWork: Sendable {
    /// Where the data come from.
    enum Source: Sendable {
        case files([FlashInput])
        case build(SiliconFirmware)
        /// Builds for the chip, or for the virtual board.
        case sketch(
            @Sendable (ConnectedBoard) async throws -> SiliconFirmware?,
            virtual: @Sendable () async throws -> FlashLayout)
    }

    var source: Source
    /// The table of `--partitions`.
    var table: (table: PartitionTable, path: String)?
    var settings: FlashSettingsOptions
    var isRaw = false

    /// Whether a file goes to a partition whose place only the board's table says.
    var needsBoardTable: Bool {
        guard table == nil, case .files(let inputs) = source else { return false }
        return inputs.contains { $0.partition != nil } && inputs.allSatisfy { $0.table == nil }
    }

    /// The regions for `board`, whose partition table is `boardTable`, if it is needed.
    ///
    /// - Throws: ``CommandFailure``.
    func layout(for board: ConnectedBoard, boardTable: PartitionTable? = nil) async throws -> FlashLayout {
        try await content(for: board, boardTable: boardTable).layout
    }

    /// The regions for `board`, and the program with their symbols, if it is known.
    ///
    /// - Throws: ``CommandFailure``.
    func content(for board: ConnectedBoard, boardTable: PartitionTable? = nil) async throws -> (
        layout: FlashLayout, elf: String?
    ) {
        var elf: String?
        var change = try settings.change(for: board)
        var regions: [FlashLayout.Region]
        switch source {
        case .files(let inputs):
            regions = []
            elf = inputs.first(where: \.isELF)?.path
            let table = table?.table ?? inputs.lazy.compactMap(\.table).first ?? boardTable
            for input in inputs {
                regions += try input.regions(for: board, table: table, settings: change, isRaw: isRaw)
            }
        case .build(let firmware):
            regions = firmware.layout.regions
            elf = firmware.elf
            if change == .none { change = firmware.settings }
        case .sketch(let build, let virtual):
            if board.isVirtual {
                regions = try await virtual().regions
            } else if let firmware = try await build(board) {
                regions = firmware.layout.regions
                elf = firmware.elf
                if change == .none { change = firmware.settings }
            } else {
                regions = []
            }
        }
        if let table {
            regions.removeAll { $0.offset == PartitionTable.offset }
            regions.append(
                FlashLayout.Region(
                    name: "partition table", offset: PartitionTable.offset,
                    bytes: try PartitionFile.bytes(of: table.table, table.path, flashSize: board.flashSize ?? 1 << 32)))
        }
        if !isRaw {
            try apply(change, to: &regions, board.chip)
            try Self.checkApplications(regions)
        }
        do throws(ImageError) {
            return (try FlashLayout(regions), elf)
        } catch {
            throw CommandFailure(.badInput, "\(error)", code: "flash.overlap")
        }
    }

    /// Changes the flash settings of the bootloader, if it is among the regions.
    private func apply(
        _ change: FlashSettingsChange, to regions: inout [FlashLayout.Region], _ chip: Chip
    ) throws(CommandFailure) {
        guard change != .none else { return }
        for index in regions.indices
        where regions[index].offset == chip.bootloaderOffset && regions[index].bytes.first == ImageHeader.magic {
            do throws(ImageError) {
                regions[index].bytes = try change.applied(to: regions[index].bytes, for: chip)
            } catch {
                throw CommandFailure(imageError: error, regions[index].name)
            }
        }
    }

    /// Checks that applications fit their partitions, if the partition table is among the regions.
    ///
    /// - Throws: ``CommandFailure`` with exit code `refused`.
    private static func checkApplications(_ regions: [FlashLayout.Region]) throws(CommandFailure) {
        guard
            let place = regions.first(where: {
                $0.offset <= PartitionTable.offset && PartitionTable.offset < $0.end
            }),
            let table = try? PartitionTable(place.bytes.dropFirst(Int(PartitionTable.offset - place.offset)))
        else { return }
        for region in regions {
            guard let partition = table.partitions.first(where: { $0.isApp && $0.offset == region.offset }),
                region.bytes.count > partition.size
            else { continue }
            throw CommandFailure(
                .refused,
                "\(region.name): expected at most \(partition.size) bytes, the size of partition \(partition.name) at 0x\(String(partition.offset, radix: 16)), got \(region.bytes.count)",
                code: "flash.appTooLarge")
        }
    }

    /// Whether images are checked before anything is erased.
    var validates: Bool { !isRaw }
}
