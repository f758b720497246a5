internal import BLECentral
internal import BenchExecutor
import MonotonicTime

/// Prints what a scan hears.
struct ScanView {
    /// A live table is drawn again after this time at the earliest.
    private static let interval = Duration.milliseconds(200)

    private var list: ScanList
    private var table: LiveTable?
    private var lastDrawing: MonotonicInstant?
    private let isJSON: Bool
    private let output: Output
    private let executor: BenchExecutor

    /// A table if `isLive`, otherwise lines.
    init(
        name: String?, isJSON: Bool, isLive: Bool, _ environment: Environment, _ output: Output,
        _ executor: BenchExecutor
    ) {
        list = ScanList(name: name)
        if isLive {
            table = LiveTable(width: environment.outputWidth ?? 80, height: environment.outputHeight ?? 24)
        }
        self.isJSON = isJSON
        self.output = output
        self.executor = executor
    }

    /// Shows an advertisement.
    mutating func show(_ advertisement: Advertisement) {
        guard let record = list.receive(advertisement) else { return }
        if table != nil {
            let now = executor.now
            guard lastDrawing.map({ $0.duration(to: now) >= Self.interval }) ?? true else { return }
            lastDrawing = now
            draw(isLast: false)
        } else if isJSON {
            if let line = try? PortRecord.json(record) { output.data(line + "\n") }
        } else {
            output.data(record.line + "\n")
        }
    }

    /// Shows the rest.
    mutating func end() {
        if table != nil { draw(isLast: true) }
        if list.records.isEmpty { output.note("no peer was heard") }
    }

    private mutating func draw(isLast: Bool) {
        if let frame = table?.frame(list.records, isLast: isLast) { output.data(frame) }
    }
}
