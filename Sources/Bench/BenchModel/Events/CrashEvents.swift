/// Where the firmware crashed: the task and the core, as far as the board reports them.
public struct CrashPlace: Hashable, Sendable {
    /// The name of the running task, or of the task that an interrupt interrupted.
    public var task: String?
    /// The core, 0 or 1.
    public var core: Int?
    /// True if an interrupt handler was running.
    public var isInInterrupt: Bool

    /// A place; by default all parts are unknown.
    public init(task: String? = nil, core: Int? = nil, isInInterrupt: Bool = false) {
        self.task = task
        self.core = core
        self.isInInterrupt = isInInterrupt
    }

    /// Reads the fields of a place.
    init(_ fields: EventFields) throws(TimelineError) {
        task = try fields.optionalString("task")
        core = try fields.optionalInteger("core")
        isInInterrupt = try fields.optionalBool("interrupt") ?? false
    }

    func write(to json: inout JSONWriter) {
        if let task { json.string("task", task) }
        if let core { json.integer("core", core) }
        if isInInterrupt { json.bool("interrupt", true) }
    }

    /// ` (task loopTask, core 1)` or ` (in an interrupt on core 1, while task loopTask ran)`; empty when nothing is known.
    public var text: String {
        var parts: [String] = []
        if isInInterrupt {
            parts.append(core.map { "in an interrupt on core \($0)" } ?? "in an interrupt")
            if let task { parts.append("while task \(task) ran") }
        } else {
            if let task { parts.append("task \(task)") }
            if let core { parts.append("core \(core)") }
        }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}

/// A crash of the firmware, in one of its kinds.
public protocol CrashEvent: EventPayload {
    /// The line that names the crash.
    var message: String { get }
    /// Where the crash occurred.
    var place: CrashPlace { get }
    /// The cause of failures that result from this crash.
    static var cause: FailureCause { get }
    /// The name with its article: `a panic`.
    static var name: String { get }

    /// A crash.
    init(_ message: String, at place: CrashPlace)
}

extension CrashEvent {
    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        self.init(try fields.string("text"), at: try CrashPlace(fields))
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.string("text", message)
        place.write(to: &json)
    }

    /// The event as one line of text.
    public var text: String { "\(Self.kind): \(message)\(place.text)" }

    /// The cause of failures that result from this crash.
    public var cause: FailureCause { Self.cause }

    /// The text of a failure for the event that occurred instead of the expected one.
    ///
    /// - Parameter ofBoard: the suffix that names the crashed board, if there are several: ` of 'server'`.
    public func got(ofBoard: String = "") -> String { "\(Self.name)\(ofBoard): \(message)\(place.text)" }
}

/// The firmware crashed.
public struct PanicDetected: CrashEvent {
    /// The name of this kind of event.
    public static let kind = "panic"
    /// The cause of failures.
    public static let cause = FailureCause.panic
    /// As failures name it.
    public static let name = "a panic"
    /// The panic's first line.
    public var message: String
    /// The place of the crash.
    public var place: CrashPlace

    /// A crash.
    public init(_ message: String, at place: CrashPlace = CrashPlace()) {
        self.message = message
        self.place = place
    }
}

/// The firmware hung, and a watchdog reset the chip.
public struct WatchdogResetDetected: CrashEvent {
    /// The name of this kind of event.
    public static let kind = "watchdog"
    /// The cause of failures.
    public static let cause = FailureCause.watchdog
    /// As failures name it.
    public static let name = "a watchdog reset"
    /// The watchdog's line.
    public var message: String
    /// The place of the hang.
    public var place: CrashPlace

    /// A crash.
    public init(_ message: String, at place: CrashPlace = CrashPlace()) {
        self.message = message
        self.place = place
    }
}

/// The firmware hangs, and no watchdog of the chip detects the hang.
public struct HangDetected: CrashEvent {
    /// The name of this kind of event.
    public static let kind = "hang"
    /// The cause of failures.
    public static let cause = FailureCause.hang
    /// As failures name it.
    public static let name = "a hang"
    /// A description of the hang.
    public var message: String
    /// The place of the hang.
    public var place: CrashPlace

    /// A crash.
    public init(_ message: String, at place: CrashPlace = CrashPlace()) {
        self.message = message
        self.place = place
    }
}

/// A sanitizer of the firmware's build has reported a fault.
public struct SanitizerReported: CrashEvent {
    /// The name of this kind of event.
    public static let kind = "sanitizer"
    /// The cause of failures.
    public static let cause = FailureCause.sanitizer
    /// As failures name it.
    public static let name = "a sanitizer's report"
    /// The line of the report that names the fault.
    public var message: String
    /// The place of the fault.
    public var place: CrashPlace

    /// A crash.
    public init(_ message: String, at place: CrashPlace = CrashPlace()) {
        self.message = message
        self.place = place
    }
}
