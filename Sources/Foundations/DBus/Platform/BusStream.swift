import Dispatch
import Glibc
import Synchronization

/// The socket of a connection to a bus: authenticates, receives messages, sends bytes. Messages, and the packets of its
/// packet streams, are delivered in the order in which they arrived.
// SAFETY: what is received, and `packetStreams`, are touched on `queue` only; what is sent is guarded by `output`.
final class BusStream: @unchecked Sendable {
    /// What happened, on the stream's queue.
    enum Event: Sendable {
        case authenticated
        case messages([DBusMessage])
        /// The last event.
        case closed(DBusError)
    }

    /// The most unsent bytes: a bus that reads nothing is disconnected.
    private static let outputLimit = 1 << 26
    private static let readSize = 65_536

    private struct Output {
        var bytes: [UInt8] = []
        var isWatching = false
        var isClosed = false
    }

    let queue = DispatchQueue(label: "espbench.dbus")
    private let name: String
    private let descriptor: Int32
    private let readSource: any DispatchSourceRead
    private let writeSource: any DispatchSourceWrite
    private let output = Mutex(Output())
    private let deliver: @Sendable (Event) -> Void
    private var authentication = DBusAuthentication()
    private var framer = DBusFramer()
    private var packetStreams: [ObjectIdentifier: PacketStream] = [:]
    private var isFinished = false

    /// Connects to the bus at `address`.
    ///
    /// - Throws: `unreachable`, `accessDenied`, `invalidAddress`.
    init(_ address: DBusAddress, deliver: @escaping @Sendable (Event) -> Void) throws(DBusError) {
        name = "bus \(address)"
        self.deliver = deliver
        let descriptor = try UnixSocket.connect(address)
        self.descriptor = descriptor
        readSource = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        // Each source has its own duplicate of the descriptor and closes it in its cancel handler.
        let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        writeSource = DispatchSource.makeWriteSource(fileDescriptor: second, queue: queue)
        readSource.setCancelHandler { _ = Glibc.close(descriptor) }
        writeSource.setCancelHandler { _ = Glibc.close(second) }
        readSource.setEventHandler { [weak self] in self?.readAvailable() }
        writeSource.setEventHandler { [weak self] in self?.flush() }
    }

    /// Begins to authenticate; must be called once.
    func start() {
        readSource.resume()
        send(DBusAuthentication.greeting(userID: geteuid()))
    }

    deinit {
        // A suspended source does not call its cancel handler.
        if !output.withLock({ $0.isClosed || $0.isWatching }) { writeSource.resume() }
        readSource.cancel()
        writeSource.cancel()
    }

    // MARK: Sending

    /// Sends bytes, in the order of the calls; from any thread.
    func send(_ bytes: [UInt8]) {
        let error = output.withLock { output -> Int32 in
            guard !output.isClosed else { return 0 }
            if output.bytes.isEmpty {
                let (count, error) = UnixSocket.send(descriptor, bytes[...])
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
            let (count, error) = UnixSocket.send(descriptor, output.bytes[...])
            output.bytes.removeFirst(count)
            watch(&output)
            return error == EAGAIN ? 0 : error
        }
        if error != 0 { fail(error) }
    }

    private func watch(_ output: inout Output) {
        guard output.isWatching == output.bytes.isEmpty else { return }
        output.isWatching.toggle()
        if output.isWatching { writeSource.resume() } else { writeSource.suspend() }
    }

    private func fail(_ code: Int32) {
        close(DBusError(.disconnected, "\(name): sending failed: \(UnixSocket.text(code))"))
    }

    // MARK: Receiving

    /// Reads until nothing is there: the source is not called again for the end that follows the last bytes.
    private func readAvailable() {
        while !isFinished {
            switch UnixSocket.receive(descriptor, limit: Self.readSize) {
            case .nothing: return
            case .end: finish(DBusError(.disconnected, "\(name): the bus closed the connection"))
            case .failed(let code):
                finish(DBusError(.disconnected, "\(name): receiving failed: \(UnixSocket.text(code))"))
            case .bytes(let bytes, let descriptors):
                do throws(DBusError) {
                    try receive(bytes, descriptors)
                } catch {
                    finish(error)
                }
            }
        }
    }

    private func receive(_ bytes: [UInt8], _ descriptors: [DBusFileDescriptor]) throws(DBusError) {
        var rest = bytes[...]
        while !authentication.isDone, !rest.isEmpty {
            let (reply, used) = try authentication.receive(rest)
            rest = rest.dropFirst(used)
            if !reply.isEmpty { send(reply) }
            if authentication.isDone { deliver(.authenticated) }
        }
        guard !rest.isEmpty || !descriptors.isEmpty else { return }
        let messages = try framer.receive(rest.count == bytes.count ? bytes : Array(rest), descriptors)
        guard !messages.isEmpty else { return }
        // Packets that a peer sent before these messages are delivered before them.
        for stream in packetStreams.values { stream.readAvailable() }
        deliver(.messages(messages))
    }

    /// Closes the connection; the last event follows. From any thread.
    func close(_ error: DBusError) {
        queue.async { self.finish(error) }
    }

    private func finish(_ error: DBusError) {
        guard !isFinished else { return }
        isFinished = true
        output.withLock { output in
            output.isClosed = true
            // A suspended source does not call its cancel handler.
            if !output.isWatching { writeSource.resume() }
        }
        readSource.cancel()
        writeSource.cancel()
        deliver(.closed(error))
    }

    // MARK: Packet streams

    /// Begins to receive a packet stream.
    func add(_ stream: PacketStream) {
        queue.async {
            self.packetStreams[ObjectIdentifier(stream)] = stream
            stream.start { [weak self] in self?.packetStreams.removeValue(forKey: ObjectIdentifier(stream)) }
        }
    }

    /// Closes a packet stream, after the packets that have arrived.
    func remove(_ stream: PacketStream) {
        queue.async { stream.stop() }
    }
}
