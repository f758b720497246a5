internal import ByteCodec
public import MonotonicTime

/// An event on a bench: the timeline is a list of events, and every report is a view of the timeline.
public struct BenchEvent: Sendable {
    /// The instant on the bench's clock.
    public var time: MonotonicInstant
    /// The source: `suite`, `board`, `console`, `controller n`, or a central's name; with several boards a board's
    /// name, also for its console.
    public var source: String
    /// The instance of a case in progress, counted from 1 over a run; 0 between cases.
    public var caseNumber: Int
    /// The kind and content of the event.
    public var payload: any EventPayload

    /// An event.
    public init(time: MonotonicInstant, source: String, caseNumber: Int = 0, payload: any EventPayload) {
        self.time = time
        self.source = source
        self.caseNumber = caseNumber
        self.payload = payload
    }
}

extension BenchEvent: Hashable {
    /// True if all fields are equal.
    public static func == (left: BenchEvent, right: BenchEvent) -> Bool {
        left.time == right.time && left.source == right.source && left.caseNumber == right.caseNumber
            && AnyHashable(left.payload) == AnyHashable(right.payload)
    }

    /// Hashes all fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(time)
        hasher.combine(source)
        hasher.combine(caseNumber)
        hasher.combine(AnyHashable(payload))
    }
}

/// The content of an event. Each kind is one type that defines its name, its JSON and its text; a new kind needs such a
/// type and a line in ``EventKinds``.
public protocol EventPayload: Hashable, Sendable {
    /// The name of the kind in timelines.
    static var kind: String { get }

    /// Reads the fields that ``write(to:)`` writes.
    init(_ fields: EventFields) throws(TimelineError)

    /// Writes the keys and values of this kind into the event's JSON object.
    func write(to json: inout JSONWriter)

    /// The event as one line of text for people.
    var text: String { get }

    /// True if the event helps to understand a failure that follows it: packets, empty lines and dumps do not.
    var isContext: Bool { get }

    /// True if events of this kind may be so frequent that they would displace all others in a context.
    var isFrequent: Bool { get }

    /// True if this event continues `former`, so that a context shows only the newer one.
    func continues(_ former: any EventPayload) -> Bool
}

extension EventPayload {
    /// By default an event is context.
    public var isContext: Bool { true }

    /// By default an event is rare.
    public var isFrequent: Bool { false }

    /// By default no event continues another.
    public func continues(_ former: any EventPayload) -> Bool { false }
}

/// Every kind of event that a timeline can hold.
public enum EventKinds {
    /// The kinds.
    public static let all: [any EventPayload.Type] = [
        TimelineBegan.self, TimelineEnded.self, SuiteBegan.self, CaseBegan.self, StepBegan.self, CaseEnded.self,
        PowerSwitched.self, BoardReset.self, FlashWritten.self, BootMessage.self, PinChanged.self, PinCallIgnored.self,
        ServoMoved.self, PWMChanged.self, AnalogRead.self, AnalogWritten.self, I2CTransferred.self, SPITransferred.self,
        PartChanged.self,
        PartSet.self, PartMisused.self, PinConflict.self,
        UARTBytesReceived.self, UARTBytesSent.self,
        ButtonChanged.self, StorageChanged.self, ConsoleLineReceived.self, ConsoleLineUnfinished.self,
        ConsoleLineSent.self, PanicDetected.self,
        WatchdogResetDetected.self, HangDetected.self, SanitizerReported.self, BrownoutCaused.self,
        BluetoothHostStarted.self, NotificationRefused.self,
        ControllerAdded.self, ControllerRemoved.self, HCIPacketObserved.self,
        AdvertisementReceived.self, Connected.self,
        Disconnected.self, MTUChanged.self, ServicesDiscovered.self, ValueWritten.self, ValueRead.self,
        SubscriptionWritten.self, NotificationReceived.self, IndicationReceived.self, ATTErrorReceived.self,
        ATTPDUExchanged.self, PairingBegan.self, PairingInputRequested.self, PairingInputGiven.self,
        SecurityFailed.self, SecurityRequested.self, SecurityChanged.self, BondsDeleted.self, FaultPlanned.self,
        PeripheralSimulated.self,
    ]

    /// The kinds by name.
    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })
}

/// The attribute of an event: its name in the suite or test, else its handle.
public struct EventAttribute: Hashable, Sendable {
    /// The ATT handle; `nil` on stacks that hide handles.
    public var handle: UInt16?
    /// The name in the suite.
    public var name: String?

    /// An attribute.
    public init(handle: UInt16?, name: String? = nil) {
        self.handle = handle
        self.name = name
    }

    init(_ fields: EventFields) throws(TimelineError) {
        handle = try fields.optionalNumber("attribute")
        name = try fields.optionalString("name")
    }

    func write(to json: inout JSONWriter) {
        if let handle { json.integer("attribute", Int(handle)) }
        if let name { json.string("name", name) }
    }

    /// As events show it.
    public var text: String { name ?? handle.map { Hexadecimal.number($0, digits: 4) } ?? "?" }
}

/// Numbers and bytes as events show them.
package enum EventText {
    /// A byte, such as `0x0A`.
    package static func octet(_ value: UInt8) -> String {
        Hexadecimal.number(value, digits: 2, uppercase: true)
    }

    static func bytes(_ bytes: [UInt8]) -> String {
        let text = Hexadecimal.string(bytes.prefix(32), separator: " ")
        return bytes.isEmpty ? "(no bytes)" : bytes.count > 32 ? "\(text) … (\(bytes.count) bytes)" : text
    }

    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension BenchEvent {
    /// Reads a single line of a timeline, independent of other lines.
    ///
    /// - Parameters:
    ///   - line: the line, without its ending.
    ///   - number: its number in the timeline, from 1.
    /// - Throws: ``TimelineError`` for a line that is not an event, or an event of an unknown kind (of a newer
    ///   espbench).
    public init(line: ArraySlice<UInt8>, number: Int) throws(TimelineError) {
        try self.init(try EventFields(line, line: number))
    }

    init(_ fields: EventFields) throws(TimelineError) {
        let kind = try fields.string("kind")
        guard let type = EventKinds.byName[kind] else { throw fields.fault("unknown kind of event '\(kind)'") }
        let time = try fields.integer("t")
        guard time >= 0 else { throw fields.fault("expected 't' of 0 or more, got \(time)") }
        let payload = try type.init(fields)
        self.init(
            time: MonotonicInstant(nanoseconds: Int64(time)), source: try fields.string("source"),
            caseNumber: try fields.optionalInteger("case") ?? 0, payload: payload)
    }
}
