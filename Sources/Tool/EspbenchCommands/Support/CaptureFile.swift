import BLERadio
import Synchronization

/// The file of a capture (`--btsnoop`).
final class CaptureFile: Sendable {
    /// What is gathered before it is written where time is virtual and packets are many.
    private static let bufferSize = 1 << 16

    private let file: OutputFile
    private let format: BTSnoop
    private let isBuffered: Bool
    private let unwritten = Mutex<[UInt8]>([])

    /// Creates the file at `path`, or empties it. The bench was made `unixMicroseconds` after the Unix epoch; faults go
    /// to `output`.
    init(_ path: String, startingAt unixMicroseconds: Int64, isBuffered: Bool, _ output: Output) throws(CommandFailure)
    {
        file = try OutputFile(path, "capture", output)
        self.isBuffered = isBuffered
        format = BTSnoop(startingAt: unixMicroseconds)
        file.write(BTSnoop.header)
    }

    /// Adds a packet.
    func write(_ observation: Radio.Observation) {
        let record = format.record(observation)
        unwritten.withLock { unwritten in
            unwritten += record
            if !isBuffered || unwritten.count >= Self.bufferSize { flush(&unwritten) }
        }
    }

    private func flush(_ unwritten: inout [UInt8]) {
        file.write(unwritten)
        unwritten.removeAll(keepingCapacity: true)
    }

    /// Writes what is left.
    ///
    /// - Throws: ``CommandFailure`` when this or an earlier write failed.
    func finish() throws(CommandFailure) {
        unwritten.withLock { flush(&$0) }
        try file.finish()
    }
}
