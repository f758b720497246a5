import BenchModel
import BenchReports
import Testing

/// A slice of a bench's timeline, for people.
enum Timeline {
    /// One line for each event.
    static func text(_ events: some Sequence<BenchEvent>) -> String {
        events.map(EventLine.text).joined(separator: "\n")
    }

    /// Attaches the events to the test.
    static func attach(_ events: [BenchEvent], _ sourceLocation: SourceLocation) {
        guard !events.isEmpty else { return }
        let test = Test.current.map { $0.name.prefix { $0 != "(" } + "-" } ?? ""
        Attachment.record(text(events) + "\n", named: "\(test)timeline.txt", sourceLocation: sourceLocation)
    }
}
