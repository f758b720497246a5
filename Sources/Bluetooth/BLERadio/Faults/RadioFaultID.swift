/// Identifies a fault of an air; never reused.
public struct RadioFaultID: Hashable, Sendable {
    let rawValue: Int
}
