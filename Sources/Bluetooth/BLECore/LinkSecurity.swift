/// How well one connection is protected.
public struct LinkSecurity: Hashable, Sendable, Codable {
    /// Whether the link layer encrypts.
    public var isEncrypted: Bool
    /// Whether the key is protected against a machine in the middle.
    public var isAuthenticated: Bool
    /// Whether the key is kept.
    public var isBonded: Bool
    /// How many bytes of the key count; 0 before the first encryption, then 7...16.
    public var keySize: Int

    /// A connection's protection; by default none.
    public init(isEncrypted: Bool = false, isAuthenticated: Bool = false, isBonded: Bool = false, keySize: Int = 0) {
        self.isEncrypted = isEncrypted
        self.isAuthenticated = isAuthenticated
        self.isBonded = isBonded
        self.keySize = keySize
    }
}
