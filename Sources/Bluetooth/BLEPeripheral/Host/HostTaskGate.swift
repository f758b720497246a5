package import BLEHost
package import BLEPackets
internal import MonotonicTime

/// The queue of NimBLE's one host task, in which the application's callbacks run: it contains the controller's packets,
/// and the events of the packet that the task is handling.
///
/// A packet is handled once all events of the packet before it are handled. Data packets overtake others while the task
/// is emptying its queue of received data (`ble_hs_process_rx_data_queue`).
package struct HostTaskGate {
    private var packets: [HCIPacket] = []
    private var events = FIFO<HostEvent>()
    private var immediateEvents = FIFO<HostEvent>()
    private var isReceivingData = false

    /// True while the task is emptying its queue of received data, and the queue is not empty.
    package var hasMoreData: Bool { isReceivingData && packets.contains { $0.kind == .acl } }

    /// An empty queue.
    package init() {}

    /// Adds a packet from the controller.
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

    /// The task handles something other than a packet.
    package mutating func endReceiving() {
        isReceivingData = false
    }

    /// The controller has been reset.
    package mutating func removePackets() {
        packets = []
        isReceivingData = false
    }

    /// Adds an event of the packet that the task is handling.
    package mutating func append(_ event: HostEvent) {
        switch event {
        case .bondRemoved, .bondsChanged, .identityKeyMade, .synchronized, .failed, .acceptListAnswered:
            immediateEvents.append(event)
        default: events.append(event)
        }
    }

    /// The next event; while `closed`, only an immediate one, such as an event for which a call of the application
    /// waits.
    package mutating func nextEvent(closed: Bool) -> HostEvent? {
        immediateEvents.popFirst() ?? (closed ? nil : events.popFirst())
    }
}
