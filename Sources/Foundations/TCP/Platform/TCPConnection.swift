package import Dispatch
internal import Inbox
internal import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Receives a connection's bytes, on the connection's queue.
package protocol TCPReceiver: Sendable {
    /// The buffer for the bytes that the receiver passes on.
    var inbox: TCPInbox { get }

    /// Receives bytes, and returns the answers to send at once.
    func receive(_ bytes: [UInt8]) throws(TCPError) -> [UInt8]

    /// The connection has ended. Called once.
    func finish(_ error: TCPError)
}

/// One connected TCP socket.
///
/// Received bytes go through the receiver into its inbox; reading stops while the inbox holds ``TCPInbox/limit`` bytes,
/// and TCP flow control stops the sender. A peer that requests answers without reading them is disconnected.
// SAFETY: every stored `var` and both dispatch sources are touched on `queue` only (and in `deinit`, when no other
// reference is left).
package final class TCPConnection: @unchecked Sendable {
    /// Limit of answer bytes that the peer has not read.
    private static let answerLimit = 65_536

    /// The connection's name in errors.
    package let name: String
    private let receiver: any TCPReceiver
    private var inbox: TCPInbox { receiver.inbox }

    private let descriptor: Int32
    private let queue: DispatchQueue
    private let readSource: any DispatchSourceRead
    private let writeSource: any DispatchSourceWrite
    private var isReading = false
    private var isWatchingForRoom = false
    private var isClosed = false
    private var outgoing: [UInt8] = []
    /// The bytes of answers queued since the output was last empty.
    private var unreadAnswerCount = 0
    private var sentCount: UInt64 = 0
    private var queuedCount: UInt64 = 0
    /// Bytes of ``post(_:limit:)`` not yet passed to `queue`, and the number of bytes that `queue` still has to send:
    /// used from any thread.
    private let posted = Mutex<(bytes: [UInt8], outgoingCount: Int)>(([], 0))
    private var senders: [(upTo: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []

    /// Takes ownership of `descriptor`, a connected non-blocking socket.
    package init(_ descriptor: Int32, name: String, receiver: any TCPReceiver) {
        self.descriptor = descriptor
        self.name = name
        self.receiver = receiver
        queue = DispatchQueue(label: "espbench.tcp")
        readSource = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        // Each source has a duplicate of the descriptor and closes it in its cancel handler.
        let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        writeSource = DispatchSource.makeWriteSource(fileDescriptor: second, queue: queue)
        readSource.setCancelHandler { TCPSocket.release(descriptor) }
        writeSource.setCancelHandler { TCPSocket.release(second) }
        readSource.setEventHandler { [weak self] in self?.readAll() }
        writeSource.setEventHandler { [weak self] in self?.flush() }
        receiver.inbox.onRoom { [weak self] in self?.continueReading() }
        continueReading()
    }

    deinit {
        shut(TCPError(.disconnected, name: name, "closed"))
    }

    private func continueReading() {
        queue.async { [self] in
            guard !isReading, !isClosed else { return }
            isReading = true
            readSource.resume()
        }
    }

    private func readAll() {
        guard !isClosed else { return }
        var buffer: [UInt8] = []
        var code: Int32 = 0
        let capacity = 65_536
        buffer = [UInt8](unsafeUninitializedCapacity: capacity) { pointer, count in
            let received = recv(descriptor, pointer.baseAddress, capacity, 0)
            if received < 0 { code = errno }
            count = max(0, received)
        }
        if code == EAGAIN || code == EINTR { return }
        guard !buffer.isEmpty else {
            let detail = code == 0 ? "the other end closed the connection" : TCPSocket.text(code)
            shut(TCPError(.disconnected, name: name, detail))
            return
        }
        do throws(TCPError) {
            let answers = try receiver.receive(buffer)
            if !answers.isEmpty {
                enqueue(answers)
                unreadAnswerCount += answers.count
                flush()
                guard unreadAnswerCount <= Self.answerLimit else {
                    throw TCPError(
                        .disconnected, name: name,
                        "cut off: expected the peer to read the answers to its requests, got \(unreadAnswerCount) "
                            + "unread bytes")
                }
            }
        } catch {
            shut(error)
            return
        }
        if inbox.isFull, !isClosed {
            isReading = false
            readSource.suspend()
            // The reader may have emptied the inbox before the source stopped.
            if !inbox.isFull { continueReading() }
        }
    }

    /// Sends all of `bytes`; returns when the system has accepted them.
    ///
    /// - Parameter limit: the longest time in which the peer accepts no byte.
    /// - Throws: ``TCPError`` with code `disconnected`.
    package func send(_ bytes: [UInt8], within limit: DispatchTimeInterval = .seconds(10)) async throws {
        guard !bytes.isEmpty else { return }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                guard !isClosed else {
                    continuation.resume(
                        throwing: TCPError(.disconnected, name: name, "the connection is closed"))
                    return
                }
                enqueue(bytes)
                senders.append((queuedCount, continuation))
                flush()
                if !senders.isEmpty { watch(sentCount, limit) }
            }
        }
    }

    /// Sends `bytes` without waiting for the peer; a peer that leaves more than `limit` bytes unread is disconnected.
    ///
    /// Bytes posted before the connection's queue runs are sent together, which saves system calls on a busy machine.
    package func post(_ bytes: [UInt8], limit: Int) {
        let isFirst = posted.withLock { posted in
            defer { posted.bytes += bytes }
            return posted.bytes.isEmpty
        }
        guard isFirst, !bytes.isEmpty else { return }
        queue.async { [self] in
            let bytes = posted.withLock { posted in
                defer { posted.bytes = [] }
                return posted.bytes
            }
            guard !isClosed else { return }
            enqueue(bytes)
            flush()
            guard outgoing.count > limit else { return }
            // Further requests would only add answers that the peer does not read.
            try? inbox.discard()
            let detail = "cut off: expected the client to read its data, got \(outgoing.count) unread bytes"
            shut(TCPError(.disconnected, name: name, detail))
        }
    }

    /// The bytes that the system has not accepted yet. Safe from any thread.
    package var unsentCount: Int { posted.withLock { $0.bytes.count + $0.outgoingCount } }

    private func enqueue(_ bytes: [UInt8]) {
        outgoing.append(contentsOf: bytes)
        queuedCount += UInt64(bytes.count)
    }

    private func watch(_ formerCount: UInt64, _ limit: DispatchTimeInterval) {
        queue.asyncAfter(deadline: .now() + limit) { [weak self] in
            guard let self, !isClosed, !senders.isEmpty else { return }
            if sentCount == formerCount {
                shut(TCPError(.disconnected, name: name, "the peer accepts no bytes"))
            } else {
                watch(sentCount, limit)
            }
        }
    }

    private func flush() {
        guard !isClosed else { return }
        var offset = 0
        var code: Int32 = 0
        outgoing.withUnsafeBytes { pointer in
            while offset < pointer.count, code == 0 {
                let sent = Self.sendSome(descriptor, UnsafeRawBufferPointer(rebasing: pointer[offset...]))
                if sent > 0 { offset += sent } else { code = errno }
            }
        }
        outgoing.removeFirst(offset)
        if outgoing.isEmpty { unreadAnswerCount = 0 }
        sentCount += UInt64(offset)
        posted.withLock { [count = outgoing.count] in $0.outgoingCount = count }
        while let first = senders.first, first.upTo <= sentCount {
            senders.removeFirst()
            first.continuation.resume()
        }
        if code != 0, code != EAGAIN, code != EINTR {
            shut(TCPError(.disconnected, name: name, TCPSocket.text(code)))
            return
        }
        let mustWatch = !outgoing.isEmpty
        if mustWatch != isWatchingForRoom {
            isWatchingForRoom = mustWatch
            if mustWatch { writeSource.resume() } else { writeSource.suspend() }
        }
    }

    private static func sendSome(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, TCPSocket.sendFlags)
        #else
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, TCPSocket.sendFlags)
        #endif
    }

    /// Shuts down the sending direction; receiving continues.
    package func finishSending() {
        queue.async { [self] in
            if !isClosed { _ = shutdown(descriptor, Int32(SHUT_WR)) }
        }
    }

    /// Ends the connection. Idempotent.
    package func close(because detail: String = "closed") {
        queue.async { [self] in
            shut(TCPError(.disconnected, name: name, detail))
        }
    }

    private func shut(_ error: TCPError) {
        guard !isClosed else { return }
        isClosed = true
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        // A suspended source does not call its cancel handler.
        if !isReading { readSource.resume() }
        if !isWatchingForRoom { writeSource.resume() }
        readSource.cancel()
        writeSource.cancel()
        for sender in senders { sender.continuation.resume(throwing: error) }
        senders.removeAll()
        receiver.finish(error)
    }
}
