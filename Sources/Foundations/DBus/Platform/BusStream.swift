import BenchExecutor
import Glibc
import Synchronization

/// The socket of a connection to a bus: authenticates, receives messages, sends bytes. Messages, and the packets of its
/// packet streams, are delivered on the executor, in the order in which they arrived.
// SAFETY: received data and `packetStreams` are used on the executor only; sent data are guarded by `output`.
final class BusStream: @unchecked Sendable {
    /// An event of the stream, reported on the executor.
    enum Event: Sendable {
        case authenticated
        case messages([DBusMessage])
        /// The last event.
        case closed(DBusError)
    }

    /// Limit of unsent bytes: a bus that does not read is disconnected.
    private static let outputLimit = 1 << 26
    private static let readSize = 65_536

    private struct Output {
        var bytes: [UInt8] = []
        var watch: BenchExecutor.Watch?
        var isClosed = false
    }

    let executor: BenchExecutor
    private let name: String
    private let descriptor: DBusFileDescriptor
    private let output = Mutex(Output())
    private let deliver: @Sendable (Event) -> Void
    private let input = Mutex<BenchExecutor.Watch?>(nil)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 8)
    private let control = UnsafeMutableRawBufferPointer.allocate(byteCount: UnixSocket.controlSize, alignment: 8)
    private var authentication = DBusAuthentication()
    private var framer = DBusFramer()
    private var packetStreams: [PacketStream] = []
    private var isFinished = false

    /// Connects to the bus at `address`.
    ///
    /// - Throws: `unreachable`, `accessDenied`, `invalidAddress`.
    init(
        _ address: DBusAddress, _ executor: BenchExecutor, deliver: @escaping @Sendable (Event) -> Void
    ) throws(DBusError) {
        name = "bus \(address)"
        self.executor = executor
        self.deliver = deliver
        descriptor = DBusFileDescriptor(try UnixSocket.connect(address))
    }

    /// Begins to authenticate; must be called once.
    func start() {
        input.withLock { watch in
            watch = executor.watch(descriptor.number, for: .input) { [weak self] in self?.readAvailable() }
        }
        send(DBusAuthentication.greeting(userID: geteuid()))
    }

    deinit {
        unwatch()
        buffer.deallocate()
        control.deallocate()
    }

    private func unwatch() {
        let watches = [input.withLock { $0.take() }, output.withLock { $0.watch.take() }]
        for case let watch? in watches { executor.unwatch(watch) }
    }

    // MARK: Sending

    /// Sends bytes, in the order of the calls; from any thread.
    func send(_ bytes: [UInt8]) {
        let error = output.withLock { output -> Int32 in
            guard !output.isClosed else { return 0 }
            if output.bytes.isEmpty {
                let (count, error) = UnixSocket.send(descriptor.number, bytes[...])
                guard count < bytes.count else { return 0 }
                output.bytes = Array(bytes[count...])
                if error != EAGAIN { return error }
            } else {
                output.bytes += bytes
            }
            watch(&output)
            return output.bytes.count > Self.outputLimit ? ENOBUFS : 0
        }
        if error != 0 { fail(error) }
    }

    private func flush() {
        let error = output.withLock { output -> Int32 in
            guard !output.isClosed else { return 0 }
            let (count, error) = UnixSocket.send(descriptor.number, output.bytes[...])
            output.bytes.removeFirst(count)
            watch(&output)
            return error == EAGAIN ? 0 : error
        }
        if error != 0 { fail(error) }
    }

    /// Waits for room while there is something to send.
    private func watch(_ output: inout Output) {
        if output.bytes.isEmpty {
            if let watch = output.watch.take() { executor.unwatch(watch) }
        } else if output.watch == nil {
            output.watch = executor.watch(descriptor.number, for: .output) { [weak self] in self?.flush() }
        }
    }

    private func fail(_ code: Int32) {
        close(DBusError(.disconnected, "\(name): sending failed: \(UnixSocket.text(code))"))
    }

    // MARK: Receiving

    /// Reads the available bytes, up to the size of the buffer: for more bytes, or the end, the executor calls again.
    private func readAvailable() {
        guard !isFinished else { return }
        switch UnixSocket.receive(descriptor.number, into: buffer, control: control) {
        case .nothing: return
        case .end: finish(DBusError(.disconnected, "\(name): the bus closed the connection"))
        case .failed(let code):
            finish(DBusError(.disconnected, "\(name): receiving failed: \(UnixSocket.text(code))"))
        case .bytes(let count, let descriptors):
            do throws(DBusError) {
                try receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), descriptors)
            } catch {
                finish(error)
            }
        }
    }

    private func receive(
        _ bytes: UnsafeRawBufferPointer, _ descriptors: [DBusFileDescriptor]
    ) throws(DBusError) {
        var start = 0
        while !authentication.isDone, start < bytes.count {
            let (reply, used) = try authentication.receive(Array(bytes[start...])[...])
            start += used
            if !reply.isEmpty { send(reply) }
            if authentication.isDone { deliver(.authenticated) }
        }
        guard start < bytes.count || !descriptors.isEmpty else { return }
        let messages = try framer.receive(bytes[start...], descriptors)
        guard !messages.isEmpty else { return }
        // Deliver packets that a peer sent before these messages first. Packets sent before the first message had
        // arrived when the executor polled, and it has already called their streams; each extra read costs a system
        // call.
        for stream in packetStreams where messages.count > 1 || stream.mayHaveMore { stream.readAll() }
        deliver(.messages(messages))
    }

    /// Closes the connection; the last event follows. From any thread.
    func close(_ error: DBusError) {
        executor.post { self.finish(error) }
    }

    private func finish(_ error: DBusError) {
        guard !isFinished else { return }
        isFinished = true
        output.withLock { $0.isClosed = true }
        unwatch()
        // Notifies the bus at once, though the descriptor is closed later.
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
        deliver(.closed(error))
    }

    // MARK: Packet streams

    /// Begins to receive a packet stream.
    func add(_ stream: PacketStream) {
        onExecutor {
            self.packetStreams.append(stream)
            stream.start { [weak self] in self?.packetStreams.removeAll { $0 === stream } }
        }
    }

    /// Closes a packet stream after the packets that have already arrived.
    func remove(_ stream: PacketStream) {
        onExecutor { stream.stop() }
    }

    /// Performs `body` on the executor: at once if called there, later if called from another thread.
    private func onExecutor(_ body: @escaping @Sendable () -> Void) {
        if executor.isIsolatingCurrentContext() == true { body() } else { executor.post(body) }
    }
}
