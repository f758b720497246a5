/// One PHY (Core 5.4, Vol 4 Part E 7.8.47); open for any value.
public struct HCIPHY: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A PHY by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No packets, in advertising reports.
    public static let none = HCIPHY(rawValue: 0)
    /// 1 Mb/s.
    public static let le1M = HCIPHY(rawValue: 1)
    /// 2 Mb/s.
    public static let le2M = HCIPHY(rawValue: 2)
    /// 1 Mb/s with forward error correction: 125 or 500 kb/s of data.
    public static let leCoded = HCIPHY(rawValue: 3)
}

/// Any number of PHYs (Core 5.4, Vol 4 Part E 7.8.48).
public struct HCIPHYs: OptionSet, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// PHYs by their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// 1 Mb/s.
    public static let le1M = HCIPHYs(rawValue: 1)
    /// 2 Mb/s.
    public static let le2M = HCIPHYs(rawValue: 2)
    /// 1 Mb/s with forward error correction.
    public static let leCoded = HCIPHYs(rawValue: 4)

    /// One by one, in the order of their bits: commands have parameters for each.
    public var each: [HCIPHYs] {
        (0..<8).map { HCIPHYs(rawValue: 1 << $0) }.filter { contains($0) }
    }
}
