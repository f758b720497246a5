internal import BLEPackets
internal import MonotonicTime

/// Reports the ACL packets that the host has processed, so that the controller may send more (Core 5.4, Vol 4 Part E
/// 4.1.2).
///
/// As in NimBLE, the reports are sent when few buffers are free, 2 s after the first packet (`BLE_HS_FLOW_CTRL_ITVL`),
/// and when a link ends; one command per connection.
struct HostFlowControl {
    private static let threshold = 2
    private static let interval = Duration.seconds(2)

    private let bufferCount: Int
    private var completed: [(handle: UInt16, count: Int)] = []
    private var total = 0

    /// When processed packets must be reported.
    private(set) var deadline: MonotonicInstant?

    init(bufferCount: Int) {
        self.bufferCount = bufferCount
    }

    /// Counts a processed packet. Returns true if ``drainReports()`` is due.
    mutating func completed(on handle: UInt16, now: MonotonicInstant) -> Bool {
        if let index = completed.firstIndex(where: { $0.handle == handle }) {
            completed[index].count += 1
        } else {
            completed.append((handle, 1))
        }
        total += 1
        if total == 1 { deadline = now.advanced(by: Self.interval) }
        return bufferCount - total <= Self.threshold
    }

    /// The commands that report the processed packets.
    mutating func drainReports() -> [HCIPacket] {
        defer {
            completed.removeAll(keepingCapacity: true)
            total = 0
            deadline = nil
        }
        return completed.map {
            HCIHostNumberOfCompletedPackets(
                connections: [HCICompletedPackets(handle: $0.handle, count: UInt16(truncatingIfNeeded: $0.count))]
            ).packet
        }
    }
}
