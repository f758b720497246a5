/// Names one controller on an air; never used twice.
public struct ControllerID: Hashable, Sendable {
    /// The number, counted from 0.
    public let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
