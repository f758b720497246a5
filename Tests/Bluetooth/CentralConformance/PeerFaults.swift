import BLEPackets
import Synchronization

/// The faults of one peer: a transport between its host and its controller that can lose everything, and what is to
/// happen at its next connection.
final class PeerFaults: HCITransport {
    private struct State {
        var hasHung = false
        var vanishesNext = false
    }

    private let transport: any HCITransport
    private let state = Mutex(State())

    init(_ transport: any HCITransport) {
        self.transport = transport
    }

    /// Whether the host hears and says nothing, while its controller keeps the connection.
    var hasHung: Bool {
        get { state.withLock { $0.hasHung } }
        set { state.withLock { $0.hasHung = newValue } }
    }

    /// The peer is to vanish when it is connected next.
    func vanishNext() {
        state.withLock { $0.vanishesNext = true }
    }

    /// Whether it is to vanish now; once.
    func takeVanishing() -> Bool {
        state.withLock { state in
            defer { state.vanishesNext = false }
            return state.vanishesNext
        }
    }

    func send(_ packet: HCIPacket) {
        if !hasHung { transport.send(packet) }
    }

    func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) {
        transport.setReceiver { [weak self] packet in
            if self?.hasHung == false { receiver(packet) }
        }
    }
}
