/// Whether a device pairs with LE Secure Connections or with LE legacy pairing (Core 5.4, Vol 3 Part H 2.3.1).
public enum SecureConnectionsUse: String, Hashable, Sendable, Codable, CaseIterable {
    /// LE legacy pairing only.
    case off
    /// LE Secure Connections where the peer supports it; otherwise LE legacy pairing.
    case preferred
    /// LE Secure Connections; a pairing without it fails.
    case only
}
