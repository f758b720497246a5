import BoardConsole
import CommandSupport
import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild

/// Builds once for each chip, even if several boards request the build at the same time.
actor BuildOnce {
    private var builds: [Chip: Task<SiliconFirmware, any Error>] = [:]
    private let body: @Sendable (Chip) async throws -> SiliconFirmware

    init(_ body: @escaping @Sendable (Chip) async throws -> SiliconFirmware) {
        self.body = body
    }

    func build(for chip: Chip) async throws -> SiliconFirmware {
        if let running = builds[chip] { return try await running.value }
        let body = body
        let task = Task { try await body(chip) }
        builds[chip] = task
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension ConnectedBoard {
    /// The properties of this user's virtual board, for files that are written to it.
    package static let virtual = ConnectedBoard.known(.esp32, macAddress: [2, 0, 0, 0, 0, 0], flashID: 0x16_40EF)
}

/// The contents to flash, as far as they are known before the board is identified: files, a build, or a sketch to build
/// for the board's chip.
struct FlashWork: Sendable {
    /// The source of the data.
    enum Source: Sendable {
        case files([FlashInput])
        case build(SiliconFirmware)
        /// Builds for the chip, or for the virtual board.
        case sketch(
            @Sendable (ConnectedBoard) async throws -> SiliconFirmware?,
            virtual: @Sendable () async throws -> FlashLayout)
    }

    var source: Source
    /// The table given by `--partitions`.
    var table: (table: PartitionTable, path: String)?
    var settings: FlashSettingsOptions
    var isRaw = false
    /// True to skip the checks of what fits the flash.
    var isForced = false

    /// True if a file goes to a partition whose address is only in the board's table.
    private var needsBoardTable: Bool {
        guard table == nil, case .files(let inputs) = source else { return false }
        return inputs.contains { $0.partition != nil } && inputs.allSatisfy { $0.table == nil }
    }

    /// The regions for `board`, and the program with the symbols, if it is known; `boardTable` is the board's partition
    /// table, if that is needed.
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
        }
        let layout: FlashLayout
        do throws(ImageError) {
            layout = try FlashLayout(regions)
        } catch {
            if error.code == .beyondFlash { throw CommandFailure(.refused, "\(error)", code: "flash.beyondLargest") }
            throw CommandFailure(.badInput, "\(error)", code: "flash.overlap")
        }
        if !isRaw, !isForced { try Self.check(layout, board) }
        return (layout, elf)
    }

    /// The same for the board of a session; reads its partition table if that is needed.
    ///
    /// - Throws: ``CommandFailure``, or `FlasherError`.
    func content(in session: borrowing BoardSession) async throws -> (layout: FlashLayout, elf: String?) {
        let table = needsBoardTable ? try await session.partitionTable() : nil
        return try await content(for: session.board, boardTable: table)
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

    /// Checks the partition table, if it is among the regions, and that applications fit their partitions.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput` for the table, else `refused`.
    private static func check(_ layout: FlashLayout, _ board: ConnectedBoard) throws(CommandFailure) {
        let table: PartitionTable
        do throws(ImageError) {
            guard let found = try layout.partitionTable() else { return }
            table = found
            try table.check(flashSize: board.flashSize ?? 1 << 32)
        } catch {
            throw CommandFailure(imageError: error, "partition table at 0x8000")
        }
        for region in layout.regions {
            guard let partition = table.partitions.first(where: { $0.isApp && $0.offset == region.offset }),
                region.bytes.count > partition.size
            else { continue }
            throw CommandFailure(
                .refused,
                "\(region.name): expected at most \(partition.size) bytes, the size of partition \(partition.name) at 0x\(String(partition.offset, radix: 16)), got \(region.bytes.count)",
                code: "flash.appTooLarge")
        }
    }

    /// True if images are checked before anything is erased.
    var validates: Bool { !isRaw }
}
