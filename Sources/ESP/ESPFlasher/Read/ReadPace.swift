/// Detects a line that makes progress, but so little because of its faults that the end is out of sight. A line that is
/// slow without faults is none.
struct ReadPace {
    /// The time in which ``leastBytes`` must come.
    private static let period = Duration.seconds(30)
    private static let leastBytes = 4096
    /// With fewer faults in the period, it is the line that is slow.
    private static let leastFaults = 8

    private let flasher: Flasher
    private var stopwatch: Stopwatch
    private var faults: Int
    private var bytes = 0

    init(_ flasher: Flasher) {
        self.flasher = flasher
        stopwatch = Stopwatch(flasher.connection.clock)
        faults = flasher.lineFaults
    }

    /// Records that `count` bytes more have been read, or none in an attempt that failed.
    ///
    /// - Throws: ``FlasherError`` with code `noisyLine` when the line crawls.
    mutating func advance(_ count: Int, _ context: String) throws(FlasherError) {
        bytes += count
        let elapsed = stopwatch.elapsed
        guard elapsed >= Self.period else { return }
        let newFaults = flasher.lineFaults - faults
        guard bytes >= Self.leastBytes || newFaults < Self.leastFaults else {
            throw FlasherError(
                .noisyLine,
                "\(context): \(bytes) bytes came in \(elapsed.components.seconds) s, with \(newFaults) answers that "
                    + "were lost, damaged or came twice; is another program using the port? Check the cable, or use a "
                    + "lower rate")
        }
        self = ReadPace(flasher)
    }
}
