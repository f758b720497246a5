package import BLEHost
package import BLEPackets
internal import MonotonicTime

/// The queue of NimBLE's one host task, in which the application's callbacks run: the controller's packets, and the
/// events of the packet that the task handles.
///
/// A packet is handled when all events of the one before it have been. Data packets overtake others while the task
/// empties its queue of received data (`ble_hs_process_rx_data_queue`).
package struct HostTaskGate {
    private var packets: [HCIPacket] = []
    private var events = FIFO<HostEvent>()
    private var immediateEvents = FIFO<HostEvent>()
    private var isReceivingData = false

    /// True if the task empties its queue of received data, and it is not empty.
    package var hasMoreData: Bool { isReceivingData && packets.contains { $0.kind == .acl } }

    /// Nothing waits.
    package init() {}

    /// A packet of the controller waits.
    package mutating func append(_ packet: HCIPacket) {
        packets.append(packet)
    }

    /// The next packet for the task.
    package mutating func nextPacket() -> HCIPacket? {
        guard !packets.isEmpty else { return nil }
        let data = isReceivingData ? packets.firstIndex { $0.kind == .acl } : nil
        let packet = packets.remove(at: data ?? 0)
        isReceivingData = packet.kind == .acl
        return packet
    }

    /// The task handles something else than a packet.
    package mutating func endReceiving() {
        isReceivingData = false
    }

    /// The controller has been reset.
    package mutating func removePackets() {
        packets = []
        isReceivingData = false
    }

    /// An event of the packet that the task handles.
    package mutating func append(_ event: HostEvent) {
        switch event {
        case .bondRemoved, .bondsChanged, .identityKeyMade, .synchronized, .failed, .acceptListAnswered:
            immediateEvents.append(event)
        default: events.append(event)
        }
    }

    /// The next event: only one that does not wait, such as what a call of the application waits for, while it is
    /// `closed`.
    package mutating func nextEvent(closed: Bool) -> HostEvent? {
        immediateEvents.popFirst() ?? (closed ? nil : events.popFirst())
    }
}
