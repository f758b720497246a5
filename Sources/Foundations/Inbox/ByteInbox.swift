package import Dispatch
import Synchronization

/// A buffer of received bytes with a single reader, between a thread that receives them and a task that reads.
///
/// `Failure` is the error with which the stream can end.
package final class ByteInbox<Failure: Error>: Sendable {
    /// The number of buffered bytes at which receiving should stop.
    package static var limit: Int { 1 << 20 }

    private struct Waiter {
        let id: UInt64
        let maximum: Int
        let continuation: CheckedContinuation<[UInt8], any Error>
    }

    private struct State {
        var bytes: [UInt8] = []
        var start = 0
        var error: Failure?
        var waiter: Waiter?
        var cancelledWaiter: UInt64?
        var nextID: UInt64 = 0
        var onRoom: (@Sendable () -> Void)?

        var count: Int { bytes.count - start }

        mutating func removeFirst(_ maximum: Int) -> [UInt8] {
            let end = min(bytes.count, start + maximum)
            let taken = Array(bytes[start..<end])
            start = end
            if start == bytes.count {
                bytes.removeAll(keepingCapacity: bytes.count <= 65_536)
                start = 0
            } else if start > 65_536 {
                bytes.removeFirst(start)
                start = 0
            }
            return taken
        }
    }

    private let state = Mutex(State())
    private let secondReader: Failure

    /// An empty inbox.
    ///
    /// - Parameter secondReader: the error of a read while another one waits.
    package init(secondReader: Failure) {
        self.secondReader = secondReader
    }

    /// The text of the error for a read while another one waits.
    package static var secondReaderText: String { "expected one reader at a time, got a second" }

    /// True if nothing more should be received.
    package var isFull: Bool { state.withLock { $0.count >= Self.limit } }

    /// Sets the handler that is called when a full inbox has been read or discarded.
    package func onRoom(_ action: (@Sendable () -> Void)?) {
        state.withLock { $0.onRoom = action }
    }

    /// Adds bytes; hands them to the waiting reader, if there is one.
    ///
    /// - Returns: whether more bytes fit; if not, the handler of ``onRoom(_:)`` will be called.
    @discardableResult
    package func append(_ bytes: [UInt8]) -> Bool {
        let (resume, hasRoom) = state.withLock { state -> ((Waiter, [UInt8])?, Bool) in
            guard state.error == nil else { return (nil, true) }
            state.bytes += bytes
            guard state.count > 0, let waiter = state.waiter.take() else { return (nil, state.count < Self.limit) }
            let taken = state.removeFirst(waiter.maximum)
            return ((waiter, taken), state.count < Self.limit)
        }
        if let (waiter, bytes) = resume { waiter.continuation.resume(returning: bytes) }
        return hasRoom
    }

    /// Ends the stream: buffered bytes can still be read, then reading throws `error`. Only the first call counts.
    package func finish(_ error: Failure) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.error == nil else { return nil }
            state.error = error
            return state.waiter.take()
        }
        waiter?.continuation.resume(throwing: error)
    }

    /// Discards the buffered bytes.
    package func discard() throws(Failure) {
        let (error, action) = state.withLock { state in
            let wasFull = state.count >= Self.limit
            _ = state.removeFirst(state.count)
            return (state.error, wasFull ? state.onRoom : nil)
        }
        action?()
        if let error { throw error }
    }

    /// Waits for bytes; returns none after `timeout`.
    ///
    /// - Throws: the error of ``finish(_:)`` once all bytes are read; `CancellationError`.
    package func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        guard maximum > 0 else { return [] }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(Waiter(id: id, maximum: maximum, continuation: continuation), timeout)
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let waiter = state.waiter, waiter.id == id else {
                    state.cancelledWaiter = id
                    return nil
                }
                state.waiter = nil
                return waiter
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(_ waiter: Waiter, _ timeout: Duration?) {
        let (result, action) = state.withLock { state -> (Result<[UInt8], any Error>?, (@Sendable () -> Void)?) in
            if state.cancelledWaiter == waiter.id { return (.failure(CancellationError()), nil) }
            if state.count > 0 {
                let wasFull = state.count >= Self.limit
                let bytes = state.removeFirst(waiter.maximum)
                return (.success(bytes), wasFull && state.count < Self.limit ? state.onRoom : nil)
            }
            if let error = state.error { return (.failure(error), nil) }
            if let timeout, timeout <= .zero { return (.success([]), nil) }
            guard state.waiter == nil else { return (.failure(secondReader), nil) }
            state.waiter = waiter
            return (nil, nil)
        }
        action?()
        if let result { return waiter.continuation.resume(with: result) }
        guard let timeout else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout.dispatchInterval) { [weak self] in
            self?.timeOut(waiter.id)
        }
    }

    private func timeOut(_ id: UInt64) {
        let waiter = state.withLock { $0.waiter?.id == id ? $0.waiter.take() : nil }
        waiter?.continuation.resume(returning: [])
    }
}

extension Duration {
    /// The duration as a `DispatchTimeInterval`, at most a year.
    package var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), 31_536_000)
        return .nanoseconds(Int(bounded) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
