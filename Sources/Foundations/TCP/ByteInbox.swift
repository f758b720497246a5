package import Dispatch
import Synchronization

/// A buffer of received bytes with a single reader.
package final class ByteInbox: TCPReceiver {
    /// The number of buffered bytes from which on the connection stops reading.
    package static let limit = 1 << 20

    private struct Waiter {
        let id: UInt64
        let maximum: Int
        let continuation: CheckedContinuation<[UInt8], any Error>
    }

    private struct State {
        var bytes: [UInt8] = []
        var start = 0
        var error: TCPError?
        var waiter: Waiter?
        var cancelledWaiter: UInt64?
        var nextID: UInt64 = 0
        var onDrained: (@Sendable () -> Void)?

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
    private let name: String

    /// An inbox of the connection called `name`.
    package init(name: String) {
        self.name = name
    }

    /// This inbox.
    package var inbox: ByteInbox { self }

    /// Buffers bytes; sends no answer.
    package func receive(_ bytes: [UInt8]) throws(TCPError) -> [UInt8] {
        append(bytes)
        return []
    }

    /// Whether the connection should stop reading.
    var isFull: Bool { state.withLock { $0.count >= Self.limit } }

    /// Sets the handler that is called when a full inbox has been read or discarded.
    func onDrained(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onDrained = action }
    }

    /// Adds bytes; hands them to the waiting reader, if there is one.
    package func append(_ bytes: [UInt8]) {
        let resume = state.withLock { state -> (Waiter, [UInt8])? in
            guard state.error == nil else { return nil }
            state.bytes.append(contentsOf: bytes)
            guard state.count > 0, let waiter = state.waiter else { return nil }
            state.waiter = nil
            return (waiter, state.removeFirst(waiter.maximum))
        }
        if let (waiter, bytes) = resume { waiter.continuation.resume(returning: bytes) }
    }

    /// Ends the stream: buffered bytes can still be read, then reading throws `error`.
    package func finish(_ error: TCPError) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.error == nil else { return nil }
            state.error = error
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.continuation.resume(throwing: error)
    }

    /// Discards the buffered bytes.
    package func discard() throws(TCPError) {
        let (error, drained) = state.withLock { state in
            let wasFull = state.count >= Self.limit
            _ = state.removeFirst(state.count)
            return (state.error, wasFull ? state.onDrained : nil)
        }
        drained?()
        if let error { throw error }
    }

    /// Waits for bytes; empty after `timeout`.
    ///
    /// - Throws: the error it was finished with once all is read; `CancellationError`.
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
        enum Outcome {
            case now(Result<[UInt8], any Error>, drained: (@Sendable () -> Void)?)
            case later
        }
        let outcome = state.withLock { state -> Outcome in
            if state.cancelledWaiter == waiter.id { return .now(.failure(CancellationError()), drained: nil) }
            if state.count > 0 {
                let wasFull = state.count >= Self.limit
                let bytes = state.removeFirst(waiter.maximum)
                let isDrained = wasFull && state.count < Self.limit
                return .now(.success(bytes), drained: isDrained ? state.onDrained : nil)
            }
            if let error = state.error { return .now(.failure(error), drained: nil) }
            if timeout.map({ $0 <= .zero }) == true { return .now(.success([]), drained: nil) }
            if state.waiter != nil {
                let error = TCPError(.busy, name: name, "expected one reader at a time, got a second")
                return .now(.failure(error), drained: nil)
            }
            state.waiter = waiter
            return .later
        }
        switch outcome {
        case .now(let result, let drained):
            waiter.continuation.resume(with: result)
            drained?()
        case .later:
            guard let timeout else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + timeout.dispatchInterval) { [weak self] in
                self?.timeOut(waiter.id)
            }
        }
    }

    private func timeOut(_ id: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.waiter, waiter.id == id else { return nil }
            state.waiter = nil
            return waiter
        }
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
