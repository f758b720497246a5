package import BLECore
package import MonotonicTime

/// The peers that accept no connections, according to the kernel's reports of advertisements.
package struct ConnectabilityReports {
    /// The number of peers that are remembered; a peer that is not remembered counts as connectable.
    private static let limit = 1024
    /// A peer may send advertisements of both kinds, each of which a controller reports once per round of the discovery.
    private static let period = Duration.seconds(5)

    private var reports: [DeviceAddress: (isConnectable: Bool, time: MonotonicInstant)] = [:]

    /// No reports.
    package init() {}

    /// Handles a report. A peer stays connectable for some rounds after its last connectable advertisement.
    package mutating func receive(_ event: DeviceFound, at time: MonotonicInstant) {
        guard let isConnectable = event.isConnectable else { return }
        if let last = reports[event.address], !isConnectable, last.isConnectable,
            last.time.duration(to: time) < Self.period
        {
            return
        }
        if reports.count == Self.limit, reports[event.address] == nil,
            let oldest = reports.min(by: { $0.value.time < $1.value.time })
        {
            reports[oldest.key] = nil
        }
        reports[event.address] = (isConnectable, time)
    }

    /// False if the peer sends only advertisements that are not connectable.
    package func isConnectable(_ address: DeviceAddress) -> Bool { reports[address]?.isConnectable ?? true }
}
