internal import BLEPackets
internal import ByteCodec
internal import MonotonicTime

/// Flow control of ACL data to the controller (Core 5.4, Vol 4 Part E 4.1.1).
///
/// Frames are queued per connection; connections are served in turn.
struct ACLFlow {
    /// A waiting packet, and the number of its buffers in NimBLE's pool, which are freed when it has been sent.
    private struct Waiting {
        let packet: HCIPacket
        let buffers: Int
    }

    private struct Queue {
        let handle: UInt16
        var outstanding = 0
        var waiting = FIFO<Waiting>()
        /// True if the link has ended and its buffers have been freed. A packet sent now uses a buffer that is never
        /// reported as completed.
        var hasEnded = false
        /// True if packets were queued when the link ended: later packets queue behind them, and no more packets are
        /// sent.
        var isStuck = false
    }

    private var queues: [Queue] = []
    private var turn = 0
    /// The maximum ACL data of one packet, in bytes.
    private var maximumLength = 27
    /// The number of free buffers of the controller.
    private var available = 0
    /// NimBLE's pool of buffers, if the host has one.
    var pool: NimBLEBuffers?
    /// The number of pool buffers used by queued packets.
    private(set) var queuedBuffers = 0

    init(pool: NimBLEBuffers?) { self.pool = pool }

    /// Sets the controller's buffers: `count` buffers of `length` bytes.
    mutating func configure(length: Int, count: Int) {
        maximumLength = max(27, length)
        available = count
        queues = []
        queuedBuffers = 0
    }

    mutating func open(_ handle: UInt16) {
        queues.append(Queue(handle: handle))
    }

    /// Handles the end of a link: the controller has freed its buffers (Core 5.4, Vol 4 Part E 7.7.5). Until
    /// ``close(_:)`` packets are still accepted, as in NimBLE: the controller discards them, and their buffers are
    /// never returned.
    mutating func end(_ handle: UInt16) {
        guard let index = queues.firstIndex(where: { $0.handle == handle }), !queues[index].hasEnded else { return }
        available += queues[index].outstanding
        queues[index].hasEnded = true
        queues[index].isStuck = !queues[index].waiting.isEmpty
    }

    /// Discards the queued packets, after ``end(_:)``.
    mutating func close(_ handle: UInt16) {
        end(handle)
        for index in queues.indices where queues[index].handle == handle {
            while let waiting = queues[index].waiting.popFirst() { queuedBuffers -= waiting.buffers }
        }
        queues.removeAll { $0.handle == handle }
    }

    /// The number of queued packets of a connection.
    func waiting(on handle: UInt16) -> Int {
        queues.first { $0.handle == handle }?.waiting.count ?? 0
    }

    /// Queues a frame on a connection: `write` appends the PDU after the headers, to avoid a copy.
    mutating func send(
        _ channel: L2CAPChannelID, on handle: UInt16, capacity: Int, _ write: (inout ByteWriter) -> Void
    ) {
        guard let index = queues.firstIndex(where: { $0.handle == handle }) else { return }
        let start = HCIACLHeader.size
        let packet = HCIPacket.acl(
            handle: handle, boundary: .firstNonFlushable, capacity: L2CAPBasicFrame.headerLength + capacity
        ) { writer in
            writer.uint16(0)
            writer.uint16(channel.rawValue)
            write(&writer)
            writer.patchUInt16(
                UInt16(truncatingIfNeeded: writer.count - start - L2CAPBasicFrame.headerLength), at: start)
        }
        let buffers =
            pool?.count(forQueued: packet.bytes.dropFirst(start + L2CAPBasicFrame.headerLength), on: channel) ?? 0
        queuedBuffers += buffers
        guard packet.bytes.count - start > maximumLength else {
            queues[index].waiting.append(Waiting(packet: packet, buffers: buffers))
            return
        }
        var rest = packet.bytes.dropFirst(start)
        var boundary = HCIACLHeader.Boundary.firstNonFlushable
        while !rest.isEmpty {
            let part = rest.prefix(maximumLength)
            rest = rest.dropFirst(part.count)
            queues[index].waiting.append(
                Waiting(
                    packet: .acl(handle: handle, boundary: boundary, capacity: part.count) { $0.append(part) },
                    buffers: rest.isEmpty ? buffers : 0))
            boundary = .continuing
        }
    }

    /// The next packet, if the controller has a free buffer.
    mutating func next() -> HCIPacket? {
        guard available > 0 else { return nil }
        for step in queues.indices {
            let index = (turn + step) % queues.count
            if !queues[index].isStuck, let waiting = queues[index].waiting.popFirst() {
                queuedBuffers -= waiting.buffers
                available -= 1
                queues[index].outstanding += 1
                turn = (index + 1) % queues.count
                return waiting.packet
            }
        }
        return nil
    }

    /// Handles the report that the controller has sent or dropped `count` packets of a connection.
    mutating func completed(_ count: Int, on handle: UInt16) {
        guard let index = queues.firstIndex(where: { $0.handle == handle }) else { return }
        let freed = min(count, queues[index].outstanding)
        queues[index].outstanding -= freed
        available += freed
    }
}
