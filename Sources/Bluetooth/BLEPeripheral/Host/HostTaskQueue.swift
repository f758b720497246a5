package import BLEHost
package import BLEPackets
internal import MonotonicTime

/// The queue of NimBLE's one host task, in which the application's callbacks run: it contains the controller's packets,
/// and the events of the packet that the task is handling.
///
/// A packet is handled once all events of the packet before it are handled. Data packets overtake others while the task
/// is emptying its queue of received data (`ble_hs_process_rx_data_queue`).
///
/// The queue has no limit of its own, but stays small during a callback: the controller sends no more data packets than
/// the host has buffers (NimBLE's flow control), and few events per connection interval; handlers in Swift take no time.
/// Meanwhile no packet or deadline is handled that would add events; only answers to the application's commands do.
package struct HostTaskQueue {
    private var data = FIFO<(number: Int, packet: HCIPacket)>()
    private var others = FIFO<(number: Int, packet: HCIPacket)>()
    /// The number of the newest packet.
    private var lastNumber = 0
    private var events = FIFO<HostEvent>()
    private var immediateEvents = FIFO<HostEvent>()
    private var isReceivingData = false

    /// True while the task is emptying its queue of received data, and the queue is not empty.
    package var hasMoreData: Bool { isReceivingData && !data.isEmpty }

    /// An empty queue.
    package init() {}

    /// Adds a packet from the controller.
    package mutating func append(_ packet: HCIPacket) {
        lastNumber += 1
        if packet.kind == .acl { data.append((lastNumber, packet)) } else { others.append((lastNumber, packet)) }
    }

    /// The next packet for the task.
    package mutating func nextPacket() -> HCIPacket? {
        let isDataNext = hasMoreData || (data.first?.number ?? .max) < (others.first?.number ?? .max)
        guard let packet = (isDataNext ? data.popFirst() : others.popFirst())?.packet else { return nil }
        isReceivingData = isDataNext
        return packet
    }

    /// The task handles something other than a packet.
    package mutating func endReceiving() {
        isReceivingData = false
    }

    /// The controller has been reset.
    package mutating func removePackets() {
        data.removeAll()
        others.removeAll()
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

    /// The next event; while the task is in a callback, only an immediate one, such as an event for which a call of the
    /// application waits.
    package mutating func nextEvent(isInCallback: Bool) -> HostEvent? {
        immediateEvents.popFirst() ?? (isInCallback ? nil : events.popFirst())
    }
}
