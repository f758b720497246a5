public import BenchModel
public import BLEDescriptions
public import MonotonicTime

/// Describes each event of a timeline: packets are decoded, and attributes have the suite's names.
///
/// A pure state machine with bounded memory: it receives all events in order, including events that are not shown.
public struct EventDescriber: Sendable {
    private var packets = PacketText()
    private let descriptions: [PeripheralDescription]
    private var interpreter: ValueInterpreter

    /// A describer with the names of attributes by handle; `names` is empty at the beginning of a timeline.
    ///
    /// - Parameter descriptions: explain values, by the paths and names of characteristics; built-in descriptions are
    ///   used as well, but by paths only.
    public init(names: [UInt16: String] = [:], descriptions: [PeripheralDescription] = []) {
        self.descriptions = descriptions
        let others = PeripheralDescription.catalogue.filter { known in
            !descriptions.contains { $0.name == known.name }
        }
        interpreter = ValueInterpreter(descriptions + others)
        for (handle, name) in names { packets.name(handle, name) }
    }

    /// Receives an event that is not shown: later values may depend on its value, e.g. measurements on a calibration.
    public mutating func skip(_ event: BenchEvent) {
        note(event)
        if event.payload is ValueRead || event.payload is ValueWritten { _ = meaning(event.payload) }
        if let packet = event.payload as? HCIPacketObserved {
            packets.skip(packet.packet, isFromHost: packet.isFromHost, source: event.source)
        }
    }

    /// The event on one line, without its time and source.
    public mutating func text(_ event: BenchEvent) -> String {
        note(event)
        return switch event.payload {
        case let packet as HCIPacketObserved:
            packets.hci(packet.packet, isFromHost: packet.isFromHost, source: event.source)
        case let exchanged as ATTPDUExchanged:
            "\(exchanged.isSent ? "sent" : "got") \(packets.attribute(exchanged.pdu[...]))"
        default: event.payload.text + (meaning(event.payload).map { "  \($0)" } ?? "")
        }
    }

    /// The meaning of an event's value according to a description.
    private mutating func meaning(_ payload: any EventPayload) -> String? {
        let (attribute, value): (EventAttribute, [UInt8])
        switch payload {
        case let event as ValueWritten: (attribute, value) = (event.attribute, event.value)
        case let event as ValueRead: (attribute, value) = (event.attribute, event.value)
        case let event as NotificationReceived: (attribute, value) = (event.attribute, event.value)
        case let event as IndicationReceived: (attribute, value) = (event.attribute, event.value)
        default: return nil
        }
        return attribute.name.flatMap { interpreter.text(value, named: $0, of: descriptions) }
    }

    private mutating func note(_ event: BenchEvent) {
        if event.payload is SuiteBegan { packets.removeNames() }
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

    /// The mark of an event in the text, for readers who look for a fault.
    public static func mark(_ payload: any EventPayload) -> TerminalStyle.Mark {
        switch payload {
        case let end as CaseEnded: end.cause == nil ? .good : .bad
        case is PanicDetected, is WatchdogResetDetected, is HangDetected, is SanitizerReported: .bad
        case is SecurityFailed, is ATTErrorReceived, is Disconnected, is FaultPlanned: .notable
        case is StepBegan: .strong
        case is HCIPacketObserved, is TimelineBegan, is TimelineEnded: .faint
        case let line as ConsoleLineReceived: line.isContext ? .plain : .faint
        default: .plain
        }
    }
}

/// Events as lines of text for people.
public enum EventLine {
    /// One line: time in seconds, source, event.
    public static func text(_ event: BenchEvent) -> String {
        "\(padLeft(seconds(event.time), to: 12)) s  \(pad(event.source, to: 8))  \(event.payload.text)"
    }

    /// Seconds since `origin`, with microseconds; negative before it.
    public static func seconds(_ time: MonotonicInstant, since origin: MonotonicInstant = .zero) -> String {
        let nanoseconds = origin.duration(to: time).wholeNanoseconds
        let microseconds = nanoseconds.magnitude / 1000
        let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
        return "\(nanoseconds < 0 ? "-" : "")\(microseconds / 1_000_000).\(fraction)"
    }

    static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - TextWidth.columns(text))) + text
    }

    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
    }
}

/// The descriptions that the suites of a run name; they explain values.
public struct SuiteDescriptions: Sendable {
    private let byFile: [String: [PeripheralDescription]]

    /// - Parameter byFile: by the suite's file.
    public init(_ byFile: [String: [PeripheralDescription]] = [:]) {
        self.byFile = byFile
    }

    /// The descriptions of the suite in `file`.
    func named(in file: String) -> [PeripheralDescription] { byFile[file] ?? [] }
}
