package import BLEDescriptions
import BenchModel
import BenchReports

/// The lines of a block as people read them. Receives them in order, also those that are not shown.
package struct RowDescriber {
    /// The longest text of a row, in characters; the details of a row have all of it.
    private static let maximumText = 2000

    private var describer: EventDescriber
    private let kinds: [String]

    /// A describer for rows of a suite in which attributes have the names that the timeline has; `descriptions` say what values
    /// mean.
    package init(_ index: TimelineIndex, at row: Int, _ descriptions: [PeripheralDescription]) {
        describer = EventDescriber(names: index.names(at: row), descriptions: descriptions)
        kinds = index.kinds.names
    }

    /// Notes a line that is not shown: it may have the beginning of a frame.
    package mutating func skip(_ line: TimelineSnapshot.Line) {
        guard kinds[Int(line.tag.kind)] == HCIPacketObserved.kind, let event = event(line) else { return }
        describer.skip(event)
    }

    /// Whether the text of a line may have what the line itself has not: that of a console is in it.
    package func showsMore(_ line: TimelineSnapshot.Line) -> Bool {
        kinds[Int(line.tag.kind)] != ConsoleLineReceived.kind || line.bytes.contains(UInt8(ascii: "\\"))
    }

    /// What happened.
    package mutating func text(_ line: TimelineSnapshot.Line) -> String {
        guard let event = event(line) else { return "" }
        return describer.text(event)
    }

    /// A row as the page gets it.
    package struct Row {
        package var event: BenchEvent?
        package var text: String
        package var mark: String
        package var fault: String?
    }

    /// The row of a line: an event, or what is wrong with it.
    package mutating func row(_ line: TimelineSnapshot.Line) -> Row {
        do throws(TimelineError) {
            let event = try BenchEvent(line: line.bytes, number: line.row + 1)
            return Row(
                event: event, text: Self.cut(describer.text(event)), mark: EventDescriber.mark(event.payload).rawValue)
        } catch {
            let shown = String(decoding: line.bytes.prefix(4 * Self.maximumText), as: UTF8.self).printable
            return Row(text: Self.cut(shown), mark: "bad", fault: line.isCut ? "the line is too long" : error.message)
        }
    }

    private func event(_ line: TimelineSnapshot.Line) -> BenchEvent? {
        try? BenchEvent(line: line.bytes, number: line.row + 1)
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count > maximumText && text.count > maximumText ? text.prefix(maximumText) + "…" : text
    }
}
