/// Detects a line that makes progress, but so little because of its faults that the end is out of sight. A line that is
/// slow without faults is none.
struct ReadPace {
    /// The time after which the progress is judged.
    private static let period = Duration.seconds(30)
    private static let leastBytes = 512
    /// The same where answers come more than once: each waits for silence, and it does not get better.
    private static let leastBytesWithRepeats = 1 << 14
    /// So many periods are left to a line on which answers come more than once.
    private static let periodsLeft = 4
    /// With fewer faults in the period, it is the line that is slow.
    private static let leastFaults = 8

    private let flasher: Flasher
    private let stopwatch: Stopwatch
    private let faults: Int
    private let strays: Int
    private var bytes = 0

    init(_ flasher: Flasher) {
        self.flasher = flasher
        stopwatch = Stopwatch(flasher.connection.clock)
        faults = flasher.lineFaults
        strays = flasher.connection.ledger.strayCount
    }

    /// Records that `count` bytes more have been read, or none in an attempt that failed; `left` are to be read.
    ///
    /// - Throws: ``FlasherError`` with code `noisyLine` when the line crawls.
    mutating func advance(_ count: Int, left: Int, _ context: String) throws(FlasherError) {
        bytes += count
        let elapsed = stopwatch.elapsed
        guard elapsed >= Self.period else { return }
        let newFaults = flasher.lineFaults - faults
        let isRepeating = flasher.connection.ledger.strayCount - strays >= Self.leastFaults
        let isTooSlow =
            bytes < Self.leastBytes
            || (isRepeating && bytes < Self.leastBytesWithRepeats && left / Self.periodsLeft > bytes)
        guard newFaults < Self.leastFaults || !isTooSlow else {
            throw FlasherError(
                .noisyLine,
                "\(context): only \(bytes) bytes came in \(elapsed.components.seconds) s, with \(newFaults) answers "
                    + "that were lost, damaged or came twice; is another program using the port? Check the cable, or "
                    + "use a lower rate")
        }
        self = ReadPace(flasher)
    }
}
