/// Names a fault on an air; never used twice.
public struct RadioFaultID: Hashable, Sendable {
    let rawValue: Int
}
