internal import BLECentral
internal import BenchExecutor
import MonotonicTime

/// Prints what a scan hears.
actor ScanView {
    /// A live table is drawn again after this time at the earliest.
    private static let interval = Duration.milliseconds(200)

    nonisolated let executor: BenchExecutor
    private var list: ScanList
    private var table: LiveTable?
    private var lastDrawing: MonotonicInstant?
    private var isDrawingDue = false
    private let isJSON: Bool
    private let environment: Environment
    private let output: Output
    private let screen: MonitorScreen

    /// The bench's executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A table if `isLive`, otherwise lines.
    init(
        name: String?, isJSON: Bool, isLive: Bool, _ environment: Environment, _ output: Output,
        _ executor: BenchExecutor
    ) {
        list = ScanList(name: name)
        table = isLive ? LiveTable(environment.outputSize()) : nil
        self.isJSON = isJSON
        self.environment = environment
        self.output = output
        self.executor = executor
        screen = MonitorScreen(output, isThreaded: true)
    }

    /// Shows the advertisements until their end, or until nobody reads the output any more; returns the failure that ended
    /// them.
    func show(_ advertisements: AsyncThrowingStream<Advertisement, any Error>) async -> (any Error)? {
        if table != nil {
            WindowChanges.watch { [self] in
                executor.post { self.assumeIsolated { $0.drawSoon() } }
            }
        }
        var failure: (any Error)?
        do {
            for try await advertisement in advertisements {
                receive(advertisement)
                await screen.waitForRoom()
                if output.isDataLost { break }
            }
        } catch {
            failure = error
        }
        WindowChanges.end()
        if table != nil { draw(isLast: true) }
        await screen.flush()
        if list.records.isEmpty { output.note("no peer was heard") }
        return failure
    }

    private func receive(_ advertisement: Advertisement) {
        guard let record = list.receive(advertisement) else { return }
        if table != nil {
            drawSoon()
        } else if isJSON {
            if let line = try? PortRecord.json(record) { write(line + "\n") }
        } else {
            write(record.line + "\n")
        }
    }

    // MARK: The live table

    /// Draws now, or when the interval since the last drawing has passed.
    private func drawSoon() {
        guard !isDrawingDue else { return }
        let now = executor.now
        let due = lastDrawing.map { max(now, $0.advanced(by: Self.interval)) } ?? now
        guard due > now || !screen.isIdle else { return draw(isLast: false) }
        isDrawingDue = true
        // A terminal that is stopped gets the latest state when it continues.
        executor.schedule(at: max(due, now.advanced(by: Self.interval / 4))) { [weak self] in
            self?.assumeIsolated { view in
                view.isDrawingDue = false
                view.drawSoon()
            }
        }
    }

    private func draw(isLast: Bool) {
        lastDrawing = executor.now
        if let frame = table?.frame(list.records, on: environment.outputSize(), isLast: isLast) { write(frame) }
        if isLast { table = nil }
    }

    private func write(_ text: String) { screen.write(Array(text.utf8)) }
}
