/// The turns of operations that are executed one at a time, in the order of the calls.
struct TurnQueue {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private var isBusy = false
    private var waiters: [Waiter] = []

    /// Takes the turn if it is free; returns whether it was.
    mutating func enter() -> Bool {
        defer { isBusy = true }
        return !isBusy
    }

    /// Waits for the turn; resumes with true if the wait was cancelled.
    mutating func append(_ continuation: CheckedContinuation<Bool, Never>, _ number: Int) {
        waiters.append(Waiter(number: number, continuation: continuation))
    }

    /// Cancels the wait with this number, unless it has ended.
    mutating func cancel(_ number: Int) {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
        waiters.remove(at: index).continuation.resume(returning: true)
    }

    /// Passes the turn on.
    mutating func leave() {
        if waiters.isEmpty { isBusy = false } else { waiters.removeFirst().continuation.resume(returning: false) }
    }
}
