/// Identifies a controller; never reused.
public struct ControllerID: Hashable, Sendable {
    /// The number, counted from 0.
    public let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
