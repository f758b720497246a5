import BenchModel
internal import BLECore
import BLECapture
import BLERadio
import MonotonicTime
import Synchronization

/// The file of a capture (`--btsnoop`).
package final class CaptureFile: Sendable {
    /// The buffer size in virtual time, where packets are frequent.
    private static let bufferSize = 1 << 16

    private struct State {
        /// The controllers, by the sources of their events.
        var format: BTSnoop<String>
        var unwritten: [UInt8] = []
        var hasEvents = false
        var hasPackets = false
        /// The time of the last record.
        var now = MonotonicInstant.zero
    }

    private let file: OutputFile
    private let isBuffered: Bool
    private let state: Mutex<State>

    /// Creates the file at `path`, or empties it. The bench was created `unixMicroseconds` after the Unix epoch; errors
    /// are reported to `output`.
    package init(_ path: String, startingAt unixMicroseconds: Int64, isBuffered: Bool, _ output: Output)
        throws(CommandFailure)
    {
        file = try OutputFile(path, option: "--btsnoop", output)
        self.isBuffered = isBuffered
        state = Mutex(State(format: BTSnoop(startingAt: unixMicroseconds)))
        file.write(BTSnoop<String>.header)
    }

    /// Adds the records that `make` returns, for an event at `instant`.
    private func write(at instant: MonotonicInstant, _ make: (inout BTSnoop<String>) -> [UInt8]) {
        state.withLock { state in
            state.now = instant
            state.unwritten += make(&state.format)
            if !isBuffered || state.unwritten.count >= Self.bufferSize { flush(&state.unwritten) }
        }
    }

    private func flush(_ unwritten: inout [UInt8]) {
        guard !unwritten.isEmpty else { return }
        file.write(unwritten)
        unwritten.removeAll(keepingCapacity: true)
    }

    /// True if a run had events, but no packets among them.
    package var lacksPackets: Bool { state.withLock { $0.hasEvents && !$0.hasPackets } }

    /// Writes the buffered records.
    ///
    /// - Throws: ``CommandFailure`` when this or an earlier write failed.
    package func finish() throws(CommandFailure) {
        state.withLock { state in
            state.unwritten += state.format.removeAll(at: state.now)
            flush(&state.unwritten)
        }
        try file.finish()
    }
}

/// A capture of a run's events.
extension CaptureFile: RunObserver {
    package var wantsEvents: Bool { true }

    package func receive(_ item: RunItem) {
        switch item {
        case .event(let event): receive(event)
        // The next suite has its own controllers.
        case .suiteEnded: state.withLock { $0.unwritten += $0.format.removeAll(at: $0.now) }
        default: break
        }
    }

    private func receive(_ event: BenchEvent) {
        state.withLock { state in
            state.hasEvents = true
            if event.payload is HCIPacketObserved { state.hasPackets = true }
        }
        switch event.payload {
        case let packet as HCIPacketObserved:
            write(at: event.time) {
                $0.record(packet.packet, of: event.source, isFromHost: packet.isFromHost, at: event.time)
            }
        case let controller as ControllerAdded:
            write(at: event.time) {
                $0.add(
                    event.source, address: DeviceAddress(controller.address, .public),
                    company: UInt16(exactly: controller.company), at: event.time)
            }
        case is ControllerRemoved:
            write(at: event.time) { $0.remove(event.source, at: event.time) }
        default: break
        }
    }
}

/// A capture of a radio.
extension CaptureFile {
    /// Writes the packets of all controllers of `radio` from now on.
    package func observe(_ radio: Radio) async {
        await radio.setControllerObserver { change in
            self.write(at: change.time) { format in
                let name = Self.name(change.controller)
                return switch change.kind {
                case .added(let address, let company):
                    format.add(name, address: address, company: company, at: change.time)
                case .removed: format.remove(name, at: change.time)
                }
            }
        }
        await radio.setObserver { seen in
            self.write(at: seen.time) {
                $0.record(
                    seen.h4, of: Self.name(seen.controller), isFromHost: seen.isFromHost, at: seen.time)
            }
        }
    }

    private static func name(_ controller: ControllerID) -> String { "controller \(controller.rawValue)" }
}
