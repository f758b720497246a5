package import BLEPackets
package import MonotonicTime
import TCP

/// What a host sends over H4, held to limits.
package struct H4Input: Sendable {
    /// Why a host is cut off.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        /// What was expected and what came instead.
        package let description: String
    }

    private let limits: H4Limits
    private var parser = H4Parser()
    private var gate: FloodGate<MonotonicInstant>
    /// Until when the packet that has begun must be complete.
    package private(set) var nextDeadline: MonotonicInstant?
    /// How many packets of isochronous data came, and were dropped.
    package var droppedCount: Int { parser.droppedCount }

    /// A host that connected now.
    package init(_ limits: H4Limits, now: MonotonicInstant) {
        self.limits = limits
        gate = FloodGate(bytesPerSecond: limits.bytesPerSecond, now: now)
    }

    /// Takes bytes that came now, and appends the packets that they complete to `packets`.
    package mutating func receive(
        _ bytes: [UInt8], now: MonotonicInstant, into packets: inout [HCIPacket]
    ) throws(Fault) {
        let former = parser.packetCount
        do {
            try gate.admit(bytes.count, now: now)
            try parser.parse(bytes, into: &packets)
        } catch {
            throw Fault(description: "\(error)")
        }
        if !parser.isInsidePacket {
            nextDeadline = nil
        } else if nextDeadline == nil || parser.packetCount > former {
            // A byte now and then does not make a packet any younger.
            nextDeadline = now.advanced(by: limits.unfinishedPacket)
        }
    }

    /// Tells the time.
    package func advance(to now: MonotonicInstant) throws(Fault) {
        guard let nextDeadline, nextDeadline <= now else { return }
        throw Fault(
            description: "expected a whole HCI packet within \(limits.unfinishedPacket), got the beginning of one")
    }
}
