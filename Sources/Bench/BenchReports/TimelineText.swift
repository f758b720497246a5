public import BLEDescriptions
public import BenchModel
import MonotonicTime

/// A timeline as people read it: a line for each event, with its time on the bench's clock and since its case began, its
/// source, and what happened; packets are decoded, and attributes have the suite's names.
///
/// A pure state machine with bounded memory: it receives the events in order, also those that are not shown.
public struct TimelineText: Sendable {
    private static let (timeWidth, sourceWidth) = (12, 13)

    private let style: TerminalStyle
    private var packets = PacketText()
    private var interpreter: ValueInterpreter
    /// When the case in progress began; `nil` between cases.
    private var caseStart: MonotonicInstant?

    /// A text without lines; `descriptions` say what values mean.
    public init(style: TerminalStyle, descriptions: [PeripheralDescription] = PeripheralDescription.catalogue) {
        self.style = style
        interpreter = ValueInterpreter(descriptions)
    }

    /// What the columns are; stands above the first line.
    public var heading: String {
        let text =
            EventLine.padLeft("bench s", to: Self.timeWidth) + EventLine.padLeft("case s", to: Self.timeWidth) + "  "
            + EventLine.pad("source", to: Self.sourceWidth) + "  event"
        return Paragraph(text, .faint).text(indent: 0, hanging: 4, style)
    }

    /// Notes an event that is not shown.
    public mutating func skip(_ event: BenchEvent) {
        note(event)
        if let packet = event.payload as? HCIPacketObserved {
            packets.skip(packet.packet, isFromHost: packet.isFromHost, source: event.source)
        }
        if event.payload is CaseEnded { caseStart = nil }
    }

    /// The lines of an event.
    public mutating func text(_ event: BenchEvent) -> String {
        note(event)
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
        paragraph.add(description(event), Self.mark(event.payload))
        return paragraph.text(indent: 0, hanging: 2 * Self.timeWidth + Self.sourceWidth + 4, style)
    }

    private mutating func description(_ event: BenchEvent) -> String {
        switch event.payload {
        case let packet as HCIPacketObserved:
            packets.hci(packet.packet, isFromHost: packet.isFromHost, source: event.source)
        case let exchanged as ATTPDUExchanged:
            "\(exchanged.isSent ? "sent" : "got") \(packets.attribute(exchanged.pdu[...]))"
        default: event.payload.text + (meaning(event.payload).map { "  \($0)" } ?? "")
        }
    }

    /// What a description says of the value of an event.
    private mutating func meaning(_ payload: any EventPayload) -> String? {
        let (attribute, value): (EventAttribute, [UInt8])
        switch payload {
        case let event as ValueWritten: (attribute, value) = (event.attribute, event.value)
        case let event as ValueRead: (attribute, value) = (event.attribute, event.value)
        case let event as NotificationReceived: (attribute, value) = (event.attribute, event.value)
        case let event as IndicationReceived: (attribute, value) = (event.attribute, event.value)
        default: return nil
        }
        return attribute.name.flatMap { interpreter.text(value, named: $0) }
    }

    private mutating func note(_ event: BenchEvent) {
        switch event.payload {
        case is SuiteBegan: packets.removeNames()
        case is CaseBegan: caseStart = event.time
        default: break
        }
        if let attribute = Self.attribute(event.payload), let handle = attribute.handle, let name = attribute.name {
            packets.name(handle, name)
        }
    }

    private static func attribute(_ payload: any EventPayload) -> EventAttribute? {
        switch payload {
        case let event as ValueWritten: event.attribute
        case let event as ValueRead: event.attribute
        case let event as SubscriptionWritten: event.attribute
        case let event as NotificationReceived: event.attribute
        case let event as IndicationReceived: event.attribute
        case let event as ATTErrorReceived: event.attribute
        default: nil
        }
    }

    private static func mark(_ payload: any EventPayload) -> TerminalStyle.Mark {
        switch payload {
        case let end as CaseEnded: end.cause == nil ? .good : .bad
        case is PanicDetected, is WatchdogResetDetected: .bad
        case is SecurityFailed, is ATTErrorReceived, is Disconnected, is FaultPlanned: .notable
        case is StepBegan: .strong
        case is HCIPacketObserved, is TimelineBegan, is TimelineEnded: .faint
        case let line as ConsoleLineReceived: line.isContext ? .plain : .faint
        default: .plain
        }
    }
}
