import BLERadio
import Foundation
import Synchronization

/// The file of a capture (`--btsnoop`).
final class CaptureFile: Sendable {
    private struct State {
        let file: FileHandle
        var unwritten: [UInt8]
        var failure: CommandFailure?
    }

    /// What is gathered before it is written where time is virtual and packets are many.
    private static let bufferSize = 1 << 16

    private let path: String
    private let format: BTSnoop
    private let isBuffered: Bool
    private let state: Mutex<State>

    /// Creates the file at `path`, or empties it. The bench was made `unixMicroseconds` after the Unix epoch.
    init(_ path: String, startingAt unixMicroseconds: Int64, isBuffered: Bool) throws(CommandFailure) {
        self.path = path
        self.isBuffered = isBuffered
        format = BTSnoop(startingAt: unixMicroseconds)
        state = Mutex(State(file: try OutputFile.create(path, "capture"), unwritten: BTSnoop.header))
    }

    /// Adds a packet.
    func write(_ observation: Radio.Observation) {
        let record = format.record(observation)
        state.withLock { state in
            state.unwritten += record
            if !isBuffered || state.unwritten.count >= Self.bufferSize { flush(&state) }
        }
    }

    private func flush(_ state: inout State) {
        defer { state.unwritten.removeAll(keepingCapacity: true) }
        guard state.failure == nil else { return }
        do {
            try state.file.write(contentsOf: state.unwritten)
        } catch {
            state.failure = CommandFailure(
                .benchFault, "the capture \(path) could not be written: \(error.localizedDescription)")
        }
    }

    /// Writes what is left.
    ///
    /// - Throws: ``CommandFailure`` when this or an earlier write failed.
    func finish() throws {
        try state.withLock { state in
            flush(&state)
            if let failure = state.failure { throw failure }
        }
    }
}
