import BenchExecutor
import Glibc

/// The receiving end of a packet socket that was received with a message.
// SAFETY: every stored `var` is touched on the executor only; `deinit` has the only reference.
final class PacketStream: @unchecked Sendable {
    /// An event of the stream, reported on the executor.
    enum Event: Sendable {
        case packet([UInt8])
        /// The last event; `nil`: the other end has closed the stream, or the stream was stopped.
        case ended(DBusError?)
    }

    /// The longest packet: longer than any attribute value.
    private static let packetSize = 4096

    private let executor: BenchExecutor
    private let descriptor: DBusFileDescriptor
    private let deliver: @Sendable (Event) -> Void
    private var watch: BenchExecutor.Watch?
    private var onEnd: (() -> Void)?
    private var hasEnded = false
    /// True if more packets may have arrived than were read in the executor's last call.
    private(set) var mayHaveMore = false
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: packetSize, alignment: 8)

    init(
        _ descriptor: DBusFileDescriptor, _ executor: BenchExecutor, deliver: @escaping @Sendable (Event) -> Void
    ) {
        self.descriptor = descriptor
        self.executor = executor
        self.deliver = deliver
    }

    deinit {
        if let watch { executor.unwatch(watch) }
        buffer.deallocate()
    }

    /// Starts to receive, on the executor. `onEnd` is called after the last event.
    func start(_ onEnd: @escaping () -> Void) {
        guard !hasEnded else { return onEnd() }
        self.onEnd = onEnd
        watch = executor.watch(descriptor.number, for: .input) { [weak self] in
            if let self, !hasEnded { readOne() }
        }
    }

    /// Delivers the packets that have arrived; on the executor.
    func readAll() {
        while !hasEnded, readOne() {}
    }

    /// Delivers one packet, if any has arrived; returns whether there was one. For more, the executor calls again.
    @discardableResult
    private func readOne() -> Bool {
        switch UnixSocket.receivePacket(descriptor.number, through: buffer) {
        case .packet(let packet):
            mayHaveMore = true
            deliver(.packet(packet))
            return true
        case .nothing:
            mayHaveMore = false
            return false
        case .end: end(nil)
        case .failed(let code):
            end(DBusError(.disconnected, "packet stream: receiving failed: \(UnixSocket.text(code))"))
        }
        return false
    }

    /// Closes the stream after the packets that have already arrived; on the executor.
    func stop() {
        readAll()
        end(nil)
    }

    private func end(_ error: DBusError?) {
        guard !hasEnded else { return }
        hasEnded = true
        // Notifies the other end at once, though the descriptor is closed later.
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
        if let watch { executor.unwatch(watch) }
        watch = nil
        deliver(.ended(error))
        onEnd?()
        onEnd = nil
    }
}
