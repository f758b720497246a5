import BoardConsole
import CommandSupport
import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild

/// Flashes one board of a command on one or more boards.
struct FlashJob: Sendable {
    let options: WriteOptions
    let erasesAll: Bool
    let verifies: Bool
    let after: BoardReset
    /// True if the boot log is checked for problems.
    let reportsBoot: Bool

    /// - Returns: the program with the symbols of the flashed application, if it is known.
    @discardableResult
    func run(_ work: FlashWork, _ session: borrowing BoardSession) async throws -> String? {
        let (flasher, board, reporter, extent) = (session.flasher, session.board, session.reporter, session.extent)
        let table = work.needsBoardTable ? try await session.partitionTable() : nil
        let content = try await work.content(for: board, boardTable: table)
        let layout = content.layout
        try Flasher.check(layout, for: board, options: options)
        if erasesAll {
            reporter.phase("erasing", "erasing the whole flash")
            extent.beginErase()
            try await flasher.eraseFlash(of: board)
        }
        let summary = try await flasher.write(layout, to: board, options: options) { progress in
            extent.advance(to: progress)
            reporter.progress(progress)
        }
        if verifies {
            let differences = try await flasher.verify(layout, on: board) { reporter.progress($0) }
            if let first = differences.first { throw VerifyJob.mismatch(first, differences.count) }
        }
        extent.complete()
        reporter.phase("restarting", text(summary))
        try await session.reset(after)
        extent.isRestarted = true
        if after == .hard, reportsBoot, BootReport.concerns(layout) {
            for line in BootReport.lines(await flasher.bootProblems(), after: layout) { reporter.note(line) }
        }
        reporter.succeeded("") { event in
            event.write = LoaderEvent.Write(
                total: summary.total, skipped: summary.skipped, sent: summary.sent, restarts: summary.restarts,
                isVerified: summary.isVerified)
        }
        return content.elf
    }

    private func text(_ summary: WriteSummary) -> String {
        guard summary.isVerified else {
            return "wrote \(summary.total) bytes; not verified: the chip forbids reading its flash"
        }
        let changed = summary.total - summary.skipped
        switch (summary.skipped, changed) {
        case (0, _): return "wrote and verified \(summary.total) bytes"
        case (_, 0): return "verified \(summary.total) bytes: all were in the flash already"
        default: return "wrote and verified \(changed) of \(summary.total) bytes; the others were in the flash already"
        }
    }
}

/// Compares one board's flash with files.
struct VerifyJob: Sendable {
    func run(_ work: FlashWork, _ session: borrowing BoardSession) async throws {
        let reporter = session.reporter
        let table = work.needsBoardTable ? try await session.partitionTable() : nil
        let layout = try await work.layout(for: session.board, boardTable: table)
        let differences = try await session.flasher.verify(layout, on: session.board) { reporter.progress($0) }
        if let first = differences.first { throw Self.mismatch(first, differences.count) }
        let size = layout.regions.reduce(0) { $0 + $1.bytes.count }
        reporter.succeeded("the flash holds these \(size) bytes")
    }

    static func mismatch(_ difference: FlashDifference, _ count: Int) -> CommandFailure {
        let places = difference.ranges.prefix(4).map { range in
            "0x\(String(range.lowerBound, radix: 16))-0x\(String(range.upperBound, radix: 16))"
        }
        let more = difference.ranges.count > 4 ? " and \(difference.ranges.count - 4) more places" : ""
        let others = count > 1 ? "; \(count - 1) other regions differ as well" : ""
        return CommandFailure(
            .mismatch,
            "the flash differs from \(difference.region) at \(places.joined(separator: ", "))\(more)\(others)",
            code: "verify.mismatch")
    }
}

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

    /// True if a file goes to a partition whose address is only in the board's table.
    var needsBoardTable: Bool {
        guard table == nil, case .files(let inputs) = source else { return false }
        return inputs.contains { $0.partition != nil } && inputs.allSatisfy { $0.table == nil }
    }

    /// The regions for `board`; `boardTable` is its partition table, if that is needed.
    ///
    /// - Throws: ``CommandFailure``.
    func layout(for board: ConnectedBoard, boardTable: PartitionTable? = nil) async throws -> FlashLayout {
        try await content(for: board, boardTable: boardTable).layout
    }

    /// The regions for `board`, and the program with the symbols, if it is known.
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

    /// True if images are checked before anything is erased.
    var validates: Bool { !isRaw }
}
