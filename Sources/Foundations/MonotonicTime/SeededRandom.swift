/// A seeded generator (SplitMix64): the same seed gives the same numbers on every machine.
///
/// Not for cryptographic keys. Each part of a bench has its own ``fork(_:)``, so that one part drawing more numbers
/// does not change the numbers of another.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator for `seed`.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// An independent generator for the part named `label`; equal seeds and labels give equal generators.
    public func fork(_ label: String) -> SeededRandom {
        var mixer = SeededRandom(seed: state ^ stableHash(label.utf8))
        return SeededRandom(seed: mixer.next())
    }

    /// `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while result.count < count {
            var word = next()
            for _ in 0..<min(8, count - result.count) {
                result.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return result
    }
}

/// A hash of `bytes` that is the same on every machine (FNV-1a, 64 bits). It detects damage, not bytes chosen by an
/// attacker.
package func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
