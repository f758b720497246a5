/// A host's behaviour where the Core Specification leaves a choice, and towards peers that violate it: in its Security
/// Manager, its GATT server and its bonds.
public enum HostBehaviour: String, Hashable, Sendable, Codable, CaseIterable {
    /// Like the NimBLE host of NimBLE-Arduino 2.5.1, byte for byte, including its deviations from the specification.
    case nimble
    /// Strictly as specified, and the safer choice where the specification leaves one.
    case specification
}
