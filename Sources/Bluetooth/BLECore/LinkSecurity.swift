/// The security of one connection.
public struct LinkSecurity: Hashable, Sendable, Codable {
    /// Whether the link layer encrypts.
    public var isEncrypted: Bool
    /// Whether the key is authenticated (MITM protection).
    public var isAuthenticated: Bool
    /// Whether the key is stored.
    public var isBonded: Bool
    /// The encryption key size, in bytes; 0 before the first encryption, then 7...16.
    public var keySize: Int

    /// A connection's security; by default none.
    public init(isEncrypted: Bool = false, isAuthenticated: Bool = false, isBonded: Bool = false, keySize: Int = 0) {
        self.isEncrypted = isEncrypted
        self.isAuthenticated = isAuthenticated
        self.isBonded = isBonded
        self.keySize = keySize
    }
}
