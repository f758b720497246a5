/// A described peripheral was put on the air, or one of its values was set.
public struct PeripheralSimulated: EventPayload {
    /// Its name.
    public static let kind = "simulation"
    /// What was done.
    public var change: String

    /// One with its text.
    public init(_ change: String) { self.change = change }

    /// Reads one.
    public init(_ fields: EventFields) throws(TimelineError) { change = try fields.string("text") }

    /// Writes it.
    public func write(to json: inout JSONWriter) { json.string("text", change) }

    /// One line.
    public var text: String { "simulated \(change)" }
}
