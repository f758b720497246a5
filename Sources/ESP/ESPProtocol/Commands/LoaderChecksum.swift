/// The checksum of the payload of data commands (ESP serial protocol, "Checksum").
public enum LoaderChecksum {
    /// The initial value of the checksum.
    public static let seed: UInt8 = 0xEF

    /// The exclusive or of `payload` and the seed.
    public static func of(_ payload: some Sequence<UInt8>) -> UInt32 {
        UInt32(payload.reduce(seed) { $0 ^ $1 })
    }
}
