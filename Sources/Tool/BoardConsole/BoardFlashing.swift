import CommandSupport
import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import SerialPort

/// Flashes a board over a port, with progress.
package enum BoardFlashing {
    /// The baud rate for flashing, if the port has modem lines.
    private static let fastRate = 460_800

    /// Writes `layout`, verifies it and restarts the board. The caller closes the port.
    ///
    /// - Throws: ``CommandFailure`` when Ctrl-C, SIGTERM or SIGHUP ends it; the message states what the flash then
    ///   contains.
    package static func flash(
        _ layout: FlashLayout, over port: any SerialPort, clock: any Clock<Duration>, _ output: Output
    )
        async throws
    {
        let extent = FlashExtent()
        let interruption = Interruption()
        EndingSignals.watch(interruption)
        defer { EndingSignals.end() }
        ClosedPipe.letWritesFail()
        do {
            try await interruption.cancelling {
                try await write(layout, over: port, clock: clock, extent, output)
            }
        } catch {
            guard let signal = interruption.reason else { throw error }
            throw extent.interrupted(by: signal)
        }
    }

    private static func write(
        _ layout: FlashLayout, over port: any SerialPort, clock: any Clock<Duration>, _ extent: FlashExtent,
        _ output: Output
    ) async throws {
        let flasher = Flasher(port: port, clock: clock)
        output.note("connecting to \(port.name)")
        try await flasher.connect()
        let board = try await flasher.identify()
        output.note("found \(board.line)")
        if port.hasModemLines { try await flasher.changeBaudRate(to: fastRate, of: board) }
        try await flasher.write(layout, to: board) { progress in
            extent.advance(to: progress)
            output.progress(
                "flashing \(progress.region)", completed: progress.overallWritten, of: progress.overallTotal)
        }
        extent.complete()
        let size = layout.regions.reduce(0) { $0 + $1.bytes.count }
        output.note("wrote and verified \(size) bytes")
        try await flasher.reset(.hard, of: board)
    }

    /// Flashes the board whose port is at `address`.
    package static func flash(_ layout: FlashLayout, at address: PortAddress, _ output: Output) async throws {
        do {
            let port = try await Ports.open(address)
            try await flash(layout, over: port, clock: ContinuousClock(), output)
            report(await Flasher(port: port, clock: ContinuousClock()).bootProblems(), layout, output)
            await port.close()
        } catch {
            throw CommandFailure(error, .flashFailed)
        }
    }

    /// Prints the lines of the boot log, if any, that explain why the board does not run the application.
    package static func report(_ problems: [String], _ layout: FlashLayout, _ output: Output) {
        for line in BootReport.lines(problems, after: layout) { output.note(line) }
    }
}
