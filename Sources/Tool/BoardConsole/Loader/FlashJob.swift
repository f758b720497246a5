import CommandSupport
import ESPFlasher
import ESPImage

/// Flashes one board of a command on one or more boards.
package struct FlashJob: Sendable {
    private let options: WriteOptions
    private let erasesAll: Bool
    private let verifies: Bool
    private let after: BoardReset
    private let reportsBoot: Bool

    /// A job that ends with the reset `after`; with `reportsBoot`, the boot log is then checked for problems.
    package init(
        options: WriteOptions = WriteOptions(), erasesAll: Bool = false, verifies: Bool = false,
        after: BoardReset = .hard, reportsBoot: Bool = false
    ) {
        self.options = options
        self.erasesAll = erasesAll
        self.verifies = verifies
        self.after = after
        self.reportsBoot = reportsBoot
    }

    /// Writes `layout`, verifies it and resets the board.
    package func run(_ layout: FlashLayout, _ session: borrowing BoardSession) async throws {
        let (flasher, board, reporter, extent) = (session.flasher, session.board, session.reporter, session.extent)
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
            if let failure = CommandFailure(differences) { throw failure }
        }
        extent.complete()
        reporter.phase("restarting", text(summary))
        try await session.reset(after)
        extent.isRestarted = true
        var boots: Bool?
        if after == .hard, reportsBoot, BootReport.concerns(layout) {
            let boot = await flasher.observedBoot()
            reporter.warn(BootReport.lines(boot.problems, after: layout))
            boots = boot.boots
        }
        reporter.succeeded("") { event in
            event.boots = boots
            event.write = LoaderEvent.Write(
                total: summary.total, skipped: summary.skipped, sent: summary.sent, restarts: summary.restarts,
                isVerified: summary.isVerified)
        }
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

extension CommandFailure {
    /// The failure of a verification; `nil` without differences.
    package init?(_ differences: [FlashDifference]) {
        guard let difference = differences.first else { return nil }
        let places = difference.ranges.prefix(4).map { range in
            "0x\(String(range.lowerBound, radix: 16))-0x\(String(range.upperBound, radix: 16))"
        }
        let more = difference.ranges.count > 4 ? " and \(difference.ranges.count - 4) more places" : ""
        let others = differences.count > 1 ? "; \(differences.count - 1) other regions differ as well" : ""
        self.init(
            .mismatch,
            "the flash differs from \(difference.region) at \(places.joined(separator: ", "))\(more)\(others)",
            code: "verify.mismatch")
    }
}
