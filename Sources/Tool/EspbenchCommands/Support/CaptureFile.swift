import BLERadio
import BenchModel
import MonotonicTime
import Synchronization

/// The file of a capture (`--btsnoop`).
final class CaptureFile: Sendable {
    /// The buffer size in virtual time, where packets are frequent.
    private static let bufferSize = 1 << 16

    private let file: OutputFile
    private let format: BTSnoop
    private let isBuffered: Bool
    private let unwritten = Mutex<[UInt8]>([])

    /// Creates the file at `path`, or empties it. The bench was created `unixMicroseconds` after the Unix epoch; errors
    /// are reported to `output`.
    init(_ path: String, startingAt unixMicroseconds: Int64, isBuffered: Bool, _ output: Output) throws(CommandFailure)
    {
        file = try OutputFile(path, option: "--btsnoop", output)
        self.isBuffered = isBuffered
        format = BTSnoop(startingAt: unixMicroseconds)
        file.write(BTSnoop.header)
    }

    /// Adds an H4 packet.
    func write(_ packet: [UInt8], isFromHost: Bool, at instant: MonotonicInstant) {
        let record = format.record(packet, isFromHost: isFromHost, at: instant)
        unwritten.withLock { unwritten in
            unwritten += record
            if !isBuffered || unwritten.count >= Self.bufferSize { flush(&unwritten) }
        }
    }

    private func flush(_ unwritten: inout [UInt8]) {
        file.write(unwritten)
        unwritten.removeAll(keepingCapacity: true)
    }

    /// Writes the buffered records.
    ///
    /// - Throws: ``CommandFailure`` when this or an earlier write failed.
    func finish() throws(CommandFailure) {
        unwritten.withLock { flush(&$0) }
        try file.finish()
    }
}

/// A capture of a run's events.
extension CaptureFile: RunObserver {
    var wantsEvents: Bool { true }

    func receive(_ item: RunItem) {
        guard case .event(let event) = item, let packet = event.payload as? HCIPacketObserved else { return }
        write(packet.packet, isFromHost: packet.isFromHost, at: event.time)
    }
}
