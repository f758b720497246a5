import BenchModel
internal import BenchReports

/// Writes the events of a live bench to the log of `--log`, but for HCI packets: these are too many, and the timeline has
/// them.
final class LiveLog: RunObserver {
    private let output: Output

    init(_ output: Output) { self.output = output }

    var wantsEvents: Bool { true }

    func receive(_ item: RunItem) {
        guard case .event(let event) = item, !(event.payload is HCIPacketObserved) else { return }
        output.record((EventLine.text(event) + "\n").utf8)
    }
}
