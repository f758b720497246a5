public import MonotonicTime

/// What a central knows of a peer that it has heard.
public struct KnownPeer: Hashable, Sendable {
    /// The newest advertisement.
    public var advertisement: Advertisement
    /// The name in the newest advertisement that had one.
    public var name: String?
    /// When it was heard, by the central's executor.
    public var time: MonotonicInstant
}

extension Advertisement {
    /// The ``rssi`` of a strength that the controller does not know (Core 5.4, Vol 4 Part E 7.7.65.2).
    public static var unknownRSSI: Int { 127 }

    /// The strength in dBm; `nil` if it is not known.
    public var knownRSSI: Int? { rssi == Self.unknownRSSI ? nil : rssi }
}
