/// How a host takes what the Core Specification leaves open or forbids: in its Security Manager, its GATT server and
/// its bonds.
public enum HostBehaviour: String, Hashable, Sendable, Codable, CaseIterable {
    /// As the NimBLE host of NimBLE-Arduino 2.5.1, byte for byte, also where it is more lenient or odder than the
    /// specification.
    case nimble
    /// By the letter of the specification, and on the safe side where the letter leaves a choice.
    case specification
}
