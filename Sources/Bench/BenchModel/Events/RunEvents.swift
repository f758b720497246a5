/// A timeline begins: its format and the seed of the run.
public struct TimelineBegan: EventPayload {
    /// The name of this kind of event.
    public static let kind = "timeline"
    /// The version of the format; see ``TimelineReader/formatVersions``.
    public var version: Int
    /// The seed of the run.
    public var seed: UInt64

    /// The beginning of a timeline in the newest format.
    public init(version: Int = TimelineReader.formatVersions.upperBound, seed: UInt64) {
        self.version = version
        self.seed = seed
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        version = try fields.integer("version")
        let text = try fields.string("seed")
        guard let seed = UInt64(text) else { throw fields.fault("expected 'seed' to be a number, got '\(text)'") }
        self.seed = seed
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("version", version)
        json.string("seed", String(seed))
    }

    /// The event as one line of text.
    public var text: String { "timeline version \(version), seed \(seed)" }
}

/// The end of a complete timeline.
public struct TimelineEnded: EventPayload {
    /// The name of this kind of event.
    public static let kind = "end"
    /// The number of lines before this one.
    public var events: Int

    /// The end of a timeline with this number of lines.
    public init(events: Int) { self.events = events }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { events = try fields.integer("events") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.integer("events", events) }

    /// The event as one line of text.
    public var text: String { "end of the timeline" }
}

/// A suite begins.
public struct SuiteBegan: EventPayload {
    /// The name of this kind of event.
    public static let kind = "suite"
    /// The suite's name.
    public var name: String
    /// The suite's file.
    public var file: String
    /// The build of its sketch; `nil` if not known.
    public var firmware: FirmwareInformation?

    /// The beginning of a suite.
    public init(name: String, file: String, firmware: FirmwareInformation? = nil) {
        self.name = name
        self.file = file
        self.firmware = firmware
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        name = try fields.string("name")
        file = try fields.string("file")
        guard let nimble = try fields.optionalString("nimble") else { return }
        firmware = FirmwareInformation(nimble: nimble, isSanitized: try fields.optionalBool("sanitized") ?? false)
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.string("name", name)
        json.string("file", file)
        firmware?.write(to: &json)
    }

    /// The event as one line of text.
    public var text: String { "suite \(name)" }
}

/// An instance of a case begins.
public struct CaseBegan: EventPayload {
    /// The name of this kind of event.
    public static let kind = "case"
    /// Not context: recorded only if there is an observer, and a failure must show the same context without one.
    public var isContext: Bool { false }
    /// The instance's name, with the values of its parameters.
    public var name: String

    /// The beginning of an instance.
    public init(name: String) { self.name = name }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { name = try fields.string("name") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("name", name) }

    /// The event as one line of text.
    public var text: String { "case \(name)" }
}

/// A step begins.
public struct StepBegan: EventPayload {
    /// The name of this kind of event.
    public static let kind = "step"
    /// The step's line in the suite's file, or in the file of a test.
    public var line: Int
    /// The text of the step in that file.
    public var step: String

    /// The beginning of a step.
    public init(line: Int, step: String) {
        self.line = line
        self.step = step
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        line = try fields.integer("line")
        step = try fields.string("text")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("line", line)
        json.string("text", step)
    }

    /// The event as one line of text.
    public var text: String { "line \(line): \(step)" }
}

/// An instance of a case has ended: it passed, or failed with a cause.
public struct CaseEnded: EventPayload {
    /// The name of this kind of event.
    public static let kind = "verdict"
    private static let passed = "passed"
    /// The cause of the failure; `nil`: the instance passed.
    public var cause: FailureCause?

    /// The end of an instance.
    public init(cause: FailureCause?) { self.cause = cause }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        let text = try fields.string("verdict")
        cause = FailureCause(rawValue: text)
        guard cause != nil || text == Self.passed else {
            let known = ([Self.passed] + FailureCause.allCases.map(\.rawValue)).joined(separator: ", ")
            throw fields.fault("unknown verdict '\(text)', expected one of: \(known)")
        }
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("verdict", cause?.rawValue ?? Self.passed) }

    /// The event as one line of text.
    public var text: String { cause.map { "failed: \($0.rawValue)" } ?? "passed" }
}
