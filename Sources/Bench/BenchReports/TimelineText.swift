public import BenchModel
public import BLEDescriptions
import MonotonicTime

/// The text of a timeline for people: a line for each event, with its time on the bench's clock and since its case
/// began, its source and its text; packets are decoded, and attributes have the suite's names.
///
/// A pure state machine with bounded memory: it receives all events in order, including events that are not shown.
public struct TimelineText: Sendable {
    private static let (timeWidth, sourceWidth) = (12, 13)

    private let style: TerminalStyle
    private var describer: EventDescriber
    /// When the case in progress began; `nil` between cases.
    private var caseStart: MonotonicInstant?

    /// A text without lines; `descriptions` explain values, as in an ``EventDescriber``.
    public init(style: TerminalStyle, descriptions: [PeripheralDescription] = []) {
        self.style = style
        describer = EventDescriber(descriptions: descriptions)
    }

    /// The titles of the columns, for the line above the first one.
    public var heading: String {
        let text =
            EventLine.padLeft("bench s", to: Self.timeWidth) + EventLine.padLeft("case s", to: Self.timeWidth) + "  "
            + EventLine.pad("source", to: Self.sourceWidth) + "  event"
        return Paragraph(text, .faint).text(indent: 0, hanging: 4, style)
    }

    /// Receives an event that is not shown.
    public mutating func skip(_ event: BenchEvent) {
        if event.payload is CaseBegan { caseStart = event.time }
        describer.skip(event)
        if event.payload is CaseEnded { caseStart = nil }
    }

    /// The lines of an event.
    public mutating func text(_ event: BenchEvent) -> String {
        let description = describer.text(event)
        if event.payload is CaseBegan { caseStart = event.time }
        defer { if event.payload is CaseEnded { caseStart = nil } }
        switch event.payload {
        case let suite as SuiteBegan:
            var paragraph = Paragraph(suite.name, .strong)
            paragraph.add("  \(suite.file)", .faint)
            return "\n" + paragraph.text(indent: 0, hanging: 2, style)
        case let began as CaseBegan:
            let number = event.caseNumber > 0 ? " \(event.caseNumber)" : ""
            return "\n" + Paragraph("case\(number): \(began.name)", .strong).text(indent: 0, hanging: 2, style)
        default: break
        }
        let sinceCase = caseStart.map { EventLine.seconds(event.time, since: $0) } ?? ""
        var paragraph = Paragraph()
        paragraph.add(
            EventLine.padLeft(EventLine.seconds(event.time), to: Self.timeWidth)
                + EventLine.padLeft(sinceCase, to: Self.timeWidth) + "  "
                + EventLine.pad(event.source, to: Self.sourceWidth) + "  ", .faint)
        paragraph.add(description, EventDescriber.mark(event.payload))
        return paragraph.text(indent: 0, hanging: 2 * Self.timeWidth + Self.sourceWidth + 4, style)
    }
}

/// Selects events of a timeline. A pure state machine that receives all events in order.
public struct TimelineFilter: Sendable {
    /// Returns true if cases of this name are wanted.
    public typealias CaseMatch = @Sendable (String) -> Bool

    private let isCaseWanted: CaseMatch?
    private let kinds: Set<String>
    private let around: (center: Duration, window: Duration)?
    /// The start of the case in progress; `nil`: no case that is wanted.
    private var caseStart: MonotonicInstant?

    /// True if a wanted case has begun, or if no case was selected.
    public private(set) var hasFoundCase: Bool
    /// A filter.
    ///
    /// - Parameters:
    ///   - isCaseWanted: true for wanted cases; `nil`: all cases, and the events between cases.
    ///   - kinds: the kinds of events that are wanted; empty: all.
    ///   - around: the instant, and the time before and after it in which events are wanted; relative to the beginning
    ///     of the case if cases are selected, else on the bench's clock.
    public init(
        cases isCaseWanted: CaseMatch? = nil, kinds: Set<String> = [],
        around: (center: Duration, window: Duration)? = nil
    ) {
        self.isCaseWanted = isCaseWanted
        self.kinds = kinds
        self.around = around
        hasFoundCase = isCaseWanted == nil
    }

    /// True if `event` is wanted.
    public mutating func isWanted(_ event: BenchEvent) -> Bool {
        if let isCaseWanted {
            if let began = event.payload as? CaseBegan {
                caseStart = isCaseWanted(began.name) ? event.time : nil
                if caseStart != nil { hasFoundCase = true }
            }
            // The beginning of a case is shown above the wanted events of the case.
            guard let caseStart else { return false }
            defer { if event.payload is CaseEnded { self.caseStart = nil } }
            return event.payload is CaseBegan || isWanted(event, since: caseStart)
        }
        return isWanted(event, since: .zero)
    }

    private func isWanted(_ event: BenchEvent, since origin: MonotonicInstant) -> Bool {
        if let around {
            let distance = origin.duration(to: event.time) - around.center
            guard max(distance, .zero - distance) <= around.window else { return false }
        }
        return kinds.isEmpty || kinds.contains(type(of: event.payload).kind)
    }
}
