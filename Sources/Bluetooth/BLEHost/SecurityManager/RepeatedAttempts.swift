internal import BLECore
internal import MonotonicTime

/// The waiting times of peers after failed pairings, which increase with each failure (Core 5.4, Vol 3 Part H 2.3.6).
struct RepeatedAttempts {
    /// The wait after the first failure; the wait doubles with each further failure.
    static let firstDelay = Duration.seconds(1)
    /// The maximum number of doublings.
    static let maximumDoublings = 8
    /// The maximum number of peers; the oldest is dropped first.
    static let maximumPeers = 32

    private struct Entry {
        var peer: DeviceAddress
        var failures: Int
        var blockedUntil: MonotonicInstant
    }

    private var entries: [Entry] = []

    /// True if the peer must still wait.
    func isBlocked(_ peer: DeviceAddress, now: MonotonicInstant) -> Bool {
        entries.contains { $0.peer == peer && now < $0.blockedUntil }
    }

    mutating func recordFailure(of peer: DeviceAddress, now: MonotonicInstant) {
        var entry = Entry(peer: peer, failures: 0, blockedUntil: now)
        if let index = entries.firstIndex(where: { $0.peer == peer }) { entry = entries.remove(at: index) }
        let delay = Self.firstDelay * (1 << min(entry.failures, Self.maximumDoublings))
        entry.failures += 1
        entry.blockedUntil = now.advanced(by: delay)
        if entries.count == Self.maximumPeers { entries.removeFirst() }
        entries.append(entry)
    }

    mutating func recordSuccess(of peer: DeviceAddress) {
        entries.removeAll { $0.peer == peer }
    }
}
