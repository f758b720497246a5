import Dispatch
package import SerialPort
import Synchronization

/// The received bytes of a port, with a single reader.
package final class ReceiveQueue: Sendable {
    /// The number of bytes from which on the port takes no more from the device.
    package static let limit = 1 << 20

    private struct Waiter {
        let id: UInt64
        let maximum: Int
        let continuation: CheckedContinuation<[UInt8], any Error>
    }

    private struct State {
        var bytes: [UInt8] = []
        var start = 0
        var error: SerialPortError?
        var waiter: Waiter?
        var cancelled: UInt64?
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
    private let name: String

    /// The queue of the port called `name`.
    package init(name: String) { self.name = name }

    /// Sets the handler that is called when a full queue has been read or discarded.
    package func onRoom(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onRoom = action } }

    /// Adds bytes.
    ///
    /// - Returns: whether there is room for more; if not, the handler of ``onRoom(_:)`` will be called.
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

    /// Ends the stream: the bytes here can still be read, then reading throws `error`. The first error stays.
    package func finish(_ error: SerialPortError) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.error == nil else { return nil }
            state.error = error
            return state.waiter.take()
        }
        waiter?.continuation.resume(throwing: error)
    }

    /// Discards the bytes.
    package func discard() throws(SerialPortError) {
        let (error, action) = state.withLock { state in
            let wasFull = state.count >= Self.limit
            _ = state.removeFirst(state.count)
            return (state.error, wasFull ? state.onRoom : nil)
        }
        action?()
        if let error { throw error }
    }

    /// Waits for bytes; empty after `timeout`. A cancelled task gets a `CancellationError`.
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
                guard state.waiter?.id == id else {
                    state.cancelled = id
                    return nil
                }
                return state.waiter.take()
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(_ waiter: Waiter, _ timeout: Duration?) {
        let (result, action) = state.withLock { state -> (Result<[UInt8], any Error>?, (@Sendable () -> Void)?) in
            if state.cancelled == waiter.id { return (.failure(CancellationError()), nil) }
            if state.count > 0 {
                let wasFull = state.count >= Self.limit
                let bytes = state.removeFirst(waiter.maximum)
                return (.success(bytes), wasFull && state.count < Self.limit ? state.onRoom : nil)
            }
            if let error = state.error { return (.failure(error), nil) }
            if let timeout, timeout <= .zero { return (.success([]), nil) }
            guard state.waiter == nil else {
                let error = SerialPortError(.busy, port: name, "expected one reader at a time, got a second")
                return (.failure(error), nil)
            }
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
    /// At most a year.
    package var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(
            Int(min(max(seconds, 0), 31_536_000)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
