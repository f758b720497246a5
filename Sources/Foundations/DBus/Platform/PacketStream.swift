import Dispatch
import Glibc

/// The receiving end of a packet socket that came with a message.
// SAFETY: every stored `var` is touched on `queue` only, that of the connection.
final class PacketStream: @unchecked Sendable {
    /// What happened, on the stream's queue.
    enum Event: Sendable {
        case packets([[UInt8]])
        /// The last event; `nil`: the other end has closed the stream, or it was stopped.
        case ended(DBusError?)
    }

    /// The longest packet: longer than any attribute value.
    private static let packetSize = 4096

    private let queue: DispatchQueue
    private let descriptor: DBusFileDescriptor
    private let deliver: @Sendable (Event) -> Void
    private var source: (any DispatchSourceRead)?
    private var onEnd: (() -> Void)?
    private var hasEnded = false

    init(
        _ descriptor: DBusFileDescriptor, queue: DispatchQueue, deliver: @escaping @Sendable (Event) -> Void
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.deliver = deliver
    }

    deinit {
        source?.cancel()
    }

    /// Starts to receive, on the queue. `onEnd` is called after the last event.
    func start(_ onEnd: @escaping () -> Void) {
        guard !hasEnded else { return onEnd() }
        self.onEnd = onEnd
        let descriptor = self.descriptor
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
        source.setEventHandler { [weak self] in self?.readAvailable() }
        // Keeps the descriptor open until the source is gone.
        source.setCancelHandler { _ = descriptor }
        self.source = source
        source.resume()
    }

    /// Delivers the packets that have arrived; on the queue.
    func readAvailable() {
        guard !hasEnded else { return }
        var packets: [[UInt8]] = []
        while true {
            switch UnixSocket.receive(descriptor.number, limit: Self.packetSize) {
            case .bytes(let packet, _):
                packets.append(packet)
                continue
            case .nothing: return deliver(packets)
            case .end:
                deliver(packets)
                return end(nil)
            case .failed(let code):
                deliver(packets)
                return end(
                    DBusError(.disconnected, "packet stream: receiving failed: \(UnixSocket.text(code))"))
            }
        }
    }

    private func deliver(_ packets: [[UInt8]]) {
        if !packets.isEmpty { deliver(.packets(packets)) }
    }

    /// Closes it after the packets that have arrived; on the queue.
    func stop() {
        readAvailable()
        end(nil)
    }

    private func end(_ error: DBusError?) {
        guard !hasEnded else { return }
        hasEnded = true
        // The other end learns of it at once, though the descriptor is closed later.
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
        source?.cancel()
        source = nil
        deliver(.ended(error))
        onEnd?()
        onEnd = nil
    }
}
