package import BLEPackets
package import MonotonicTime
import TCP

/// Parses a host's H4 stream, and enforces limits.
package struct H4Input: Sendable {
    /// Why a host is disconnected.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        /// What was expected and what was received.
        package let description: String
    }

    private let limits: H4Limits
    private var parser = H4Parser()
    private var gate: FloodGate<MonotonicInstant>
    /// The deadline for completing the current packet.
    package private(set) var nextDeadline: MonotonicInstant?
    /// The number of discarded isochronous data packets.
    package var droppedCount: Int { parser.droppedCount }

    /// The input of a host that connected at `now`.
    package init(_ limits: H4Limits, now: MonotonicInstant) {
        self.limits = limits
        gate = FloodGate(bytesPerSecond: limits.bytesPerSecond, now: now)
    }

    /// Receives bytes at `now`, and appends the packets that they complete to `packets`.
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
            // Further bytes of the same packet do not extend its deadline.
            nextDeadline = now.advanced(by: limits.unfinishedPacket)
        }
    }

    /// Advances the time.
    package func advance(to now: MonotonicInstant) throws(Fault) {
        guard let nextDeadline, nextDeadline <= now else { return }
        throw Fault(
            description: "expected a whole HCI packet within \(limits.unfinishedPacket), got the beginning of one")
    }
}
