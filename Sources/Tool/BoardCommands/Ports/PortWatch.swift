internal import BenchExecutor
import BoardConsole
import CommandSupport
import ESPChips
import ESPFlasher
import SerialPort

/// Prints ports as they appear and disappear, until a signal ends it.
struct PortWatch {
    /// An event, as `espbench ports --watch --json` prints it.
    private struct Event: Encodable {
        /// `present` at the start, `added` or `removed`.
        var event: String
        var port: PortRecord
    }

    /// How long changes are collected: the system creates a device file before it sets its permissions.
    private static let settlingTime = Duration.milliseconds(150)

    private var listing: PortListing
    private let isJSON: Bool
    private let clock: BenchClock
    private let output: Output

    /// Continues `listing`.
    init(listing: PortListing, isJSON: Bool, _ clock: BenchClock, _ output: Output) {
        self.listing = listing
        self.isJSON = isJSON
        self.clock = clock
        self.output = output
    }

    /// Prints the present ports, then each change.
    ///
    /// - Throws: ``CommandFailure`` when the machine cannot report changes.
    mutating func run() async throws {
        let interruption = Interruption()
        EndingSignals.watch(interruption)
        defer { EndingSignals.end() }
        let streams = Ports.kinds.kinds.compactMap { $0.portChanges() }
        guard !streams.isEmpty else {
            throw CommandFailure(.benchFault, "this system does not report when ports appear", code: "watch.instances")
        }
        try show()
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let tasks = streams.map { stream in
            Task {
                for await _ in stream { continuation.yield() }
            }
        }
        interruption.whenRequested { continuation.finish() }
        // Checks once more: a port may have appeared before the streams began.
        continuation.yield()
        for await _ in changes {
            try await clock.sleep(for: Self.settlingTime)
            let (added, removed) = try await listing.read()
            for record in removed { try show("removed", record) }
            for record in added { try show("added", record) }
            if output.isDataLost { break }
        }
        for task in tasks { task.cancel() }
    }

    private func show() throws {
        if isJSON {
            for record in listing.records { try show("present", record) }
        } else {
            output.data(PortTable.text(listing.records, showsBoards: listing.probes))
            output.note("waiting for ports to appear or disappear; Ctrl-C ends")
        }
    }

    private func show(_ event: String, _ record: PortRecord) throws {
        if isJSON {
            output.data(try JSONLine.text(Event(event: event, port: record)) + "\n")
        } else {
            output.data("\(event == "added" ? "+" : "-") \(PortTable.line(record))\n")
        }
    }
}

/// Identifies the chips on ports.
enum PortProbe {
    /// Adds the board to each record that satisfies `isWanted`; the other records are unchanged. All boards are
    /// identified at the same time.
    static func probe(
        _ records: [PortRecord], where isWanted: @Sendable (PortRecord) -> Bool
    ) async -> [PortRecord] {
        await withTaskGroup(of: (Int, PortRecord).self) { group in
            for (index, record) in records.enumerated() where isWanted(record) {
                group.addTask { (index, await probe(record)) }
            }
            var result = records
            for await (index, record) in group { result[index] = record }
            return result
        }
    }

    private static func probe(_ record: PortRecord) async -> PortRecord {
        var record = record
        do {
            let port = try await Ports.open(PortAddress(kind: record.kind, text: record.port))
            do {
                record.board = try await board(on: port)
            } catch {
                record.error = text(error, record.port)
            }
            await port.close()
        } catch {
            record.error = text(error, record.port)
        }
        return record
    }

    private static func board(on port: any SerialPort) async throws -> LoaderEvent.Board {
        let flasher = Flasher(port: port, clock: ContinuousClock())
        try await flasher.connect()
        let board = try await flasher.identify()
        try await flasher.reset(.hard, of: board)
        return LoaderEvent.Board(board)
    }

    /// The error without the port's name, which precedes it.
    private static func text(_ error: any Error, _ port: String) -> String {
        let text = "\(error)"
        return text.hasPrefix("\(port): ") ? String(text.dropFirst(port.count + 2)) : text
    }
}
