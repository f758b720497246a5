import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild
import Synchronization

/// Flashes one board, of one or several.
struct FlashJob: Sendable {
    let options: WriteOptions
    let erasesAll: Bool
    let verifies: Bool
    let after: BoardReset
    /// Whether the boot log is read for problems.
    let reportsBoot: Bool

    /// - Returns: the program with the symbols of what was flashed, if it is known.
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
        let verified = summary.isVerified ? "wrote and verified" : "wrote (the chip does not permit to verify)"
        let changed = summary.total - summary.skipped
        switch (summary.skipped, changed) {
        case (0, _): return "\(verified) \(summary.total) bytes"
        case (_, 0): return "verified \(summary.total) bytes: all were in the flash already"
        default: return "\(verified) \(changed) of \(summary.total) bytes; the others were in the flash already"
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

/// Builds for each chip once, also when several boards ask at the same time.
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
    /// What the virtual board of this user is, for files that are written to it.
    static let virtual = ConnectedBoard.known(.esp32, macAddress: [2, 0, 0, 0, 0, 0], flashID: 0x16_40EF)
}
