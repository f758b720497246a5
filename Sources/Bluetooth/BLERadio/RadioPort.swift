import BenchExecutor
public import BLEPackets
import Synchronization

/// The transport between a host and its controller on a ``Radio``.
///
/// Packets sent together reach the controller as one event. Packets from the controller are delivered in an event of
/// the radio; during the call the receiver may send, but must not call the radio.
public final class RadioPort: HCITransport {
    private struct State {
        var outgoing: [HCIPacket] = []
        /// Packets queued until a receiver is set.
        var incoming: [HCIPacket] = []
        var receiver: (@Sendable (HCIPacket) -> Void)?
        var isCongested: (@Sendable () -> Bool)?
    }

    /// The controller.
    public let id: ControllerID
    private let executor: BenchExecutor
    private let state = Mutex(State())
    private let wakeRadio: @Sendable (RadioPort) -> Void

    init(_ id: ControllerID, _ executor: BenchExecutor, wakeRadio: @escaping @Sendable (RadioPort) -> Void) {
        self.id = id
        self.executor = executor
        self.wakeRadio = wakeRadio
    }

    /// Sends a packet to the controller, which receives it in a separate event.
    public func send(_ packet: HCIPacket) {
        let isFirst = state.withLock { state in
            state.outgoing.append(packet)
            return state.outgoing.count == 1
        }
        if isFirst { executor.post { self.wakeRadio(self) } }
    }

    /// Sets the receiver of packets from the controller; queued packets are delivered first.
    public func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) {
        let hasPackets = state.withLock { state in
            state.receiver = receiver
            return !state.incoming.isEmpty
        }
        if hasPackets { executor.post { self.deliverKept() } }
    }

    /// Sets a closure that returns true while the host is behind with reading: then the controller drops advertising
    /// reports.
    public func setCongestion(_ isCongested: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isCongested = isCongested }
    }

    var isCongested: Bool {
        let isCongested = state.withLock { $0.isCongested }
        return isCongested?() ?? false
    }

    private func deliverKept() {
        let (receiver, packets) = state.withLock { state in
            defer { state.incoming.removeAll() }
            return (state.receiver, state.incoming)
        }
        for packet in packets { receiver?(packet) }
    }

    func drainOutgoing() -> [HCIPacket] {
        state.withLock { state in
            defer { state.outgoing = [] }
            return state.outgoing
        }
    }

    func deliver(_ packet: HCIPacket) {
        let receiver = state.withLock { state -> (@Sendable (HCIPacket) -> Void)? in
            // Deliver queued packets first.
            if let receiver = state.receiver, state.incoming.isEmpty { return receiver }
            state.incoming.append(packet)
            return nil
        }
        receiver?(packet)
    }
}
