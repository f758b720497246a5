import Dispatch
import Inbox
import Synchronization

/// One write: its bytes in several transfers, of which some are in flight at a time.
final class OutputRun: Sendable {
    private static let depth = 4

    private struct State {
        var rest: ArraySlice<UInt8>
        var inFlight: [ObjectIdentifier: USBTransfer] = [:]
        var fault: USBFault?
        /// Counts completed transfers, for the check of progress.
        var progress = 0
        var continuation: CheckedContinuation<USBFault?, Never>?
    }

    private let handle: USBHandle
    private let endpoint: UInt8
    private let chunk: Int
    private let state: Mutex<State>

    /// The write of `bytes` in transfers of `chunk` bytes.
    init(_ bytes: [UInt8], chunk: Int, to endpoint: UInt8, _ handle: USBHandle) {
        self.handle = handle
        self.endpoint = endpoint
        self.chunk = max(1, chunk)
        state = Mutex(State(rest: bytes[...]))
    }

    /// Sends the bytes; ends when the device has accepted all of them.
    ///
    /// - Parameter limit: the longest time without progress.
    /// - Throws: ``USBFault``; kind `timedOut` after `limit`, `cancelled` when the task is cancelled.
    func perform(progressWithin limit: Duration) async throws(USBFault) {
        let fault = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                watch(limit, since: -1)
                submitMore()
            }
        } onCancel: {
            stop(USBFault(.cancelled, "cancelled"))
        }
        if let fault { throw fault }
    }

    /// Submits what there is room for; ends the write when nothing is left.
    ///
    /// Under the lock: the caller and the thread of completions both come here, and the bytes must go out in order.
    private func submitMore() {
        let (failed, finished) = state.withLock {
            state -> ([USBTransfer], (CheckedContinuation<USBFault?, Never>, USBFault?)?) in
            while state.fault == nil, !state.rest.isEmpty, state.inFlight.count < Self.depth {
                do throws(USBFault) {
                    let transfer = try USBTransfer.sending(state.rest.prefix(chunk), to: endpoint, handle) {
                        [self] in completed($0, $1)
                    }
                    try handle.submit(transfer)
                    state.inFlight[ObjectIdentifier(transfer)] = transfer
                    state.rest = state.rest.dropFirst(chunk)
                } catch {
                    state.fault = error
                }
            }
            guard state.fault != nil || state.rest.isEmpty else { return ([], nil) }
            guard state.inFlight.isEmpty else { return (state.fault == nil ? [] : Array(state.inFlight.values), nil) }
            return ([], state.continuation.take().map { ($0, state.fault) })
        }
        for transfer in failed { transfer.cancel() }
        finished?.0.resume(returning: finished?.1)
    }

    private func completed(_ transfer: USBTransfer, _ outcome: USBTransfer.Outcome) {
        state.withLock { state in
            state.inFlight[ObjectIdentifier(transfer)] = nil
            state.progress += 1
        }
        if let fault = outcome.fault { stop(fault) }
        submitMore()
    }

    /// Ends the write with `fault`, when the transfers in flight have ended.
    private func stop(_ fault: USBFault) {
        let running = state.withLock { state in
            if state.fault == nil { state.fault = fault }
            return Array(state.inFlight.values)
        }
        for transfer in running { transfer.cancel() }
    }

    /// Ends the write when nothing was sent for `limit`.
    private func watch(_ limit: Duration, since seen: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatchInterval) { [weak self] in
            guard let self else { return }
            let (progress, isRunning) = state.withLock { ($0.progress, $0.continuation != nil) }
            guard isRunning else { return }
            if progress == seen || (seen < 0 && progress == 0) { return stop(USBFault(.timedOut, "no progress")) }
            watch(limit, since: progress)
        }
    }
}
