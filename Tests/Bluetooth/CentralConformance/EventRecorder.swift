import BLECentral
import BLECore
import BenchExecutor
import MonotonicTime
import Synchronization

/// Records the events of a central, and waits for those that a case expects.
final class EventRecorder: Sendable {
    private struct Waiter {
        let number: Int
        let isWanted: @Sendable (CentralEvent) -> Bool
        let continuation: CheckedContinuation<CentralEvent?, Never>
    }

    private struct State {
        var events: [CentralEvent] = []
        var waiters: [Waiter] = []
        var lastNumber = 0
        var passkey: UInt32?
    }

    private let executor: BenchExecutor
    private let state = Mutex(State())

    /// Records from now on; answers pairings with the passkey of ``setPasskey(_:)``.
    init(_ central: any CentralBackend, on executor: BenchExecutor) {
        self.executor = executor
        central.events.setHandler(
            { [weak self] event in self?.record(event, central) },
            isOnExecutor: { executor.isIsolatingCurrentContext() == true }, run: { executor.post($0) })
    }

    private func record(_ event: CentralEvent, _ central: any CentralBackend) {
        let waiters = state.withLock { state in
            state.events.append(event)
            let wanting = state.waiters.filter { $0.isWanted(event) }
            state.waiters.removeAll { waiter in wanting.contains { $0.number == waiter.number } }
            return wanting
        }
        for waiter in waiters { waiter.continuation.resume(returning: event) }
        guard case .pairingInput(let connection, let input) = event, let passkey = state.withLock({ $0.passkey })
        else { return }
        let answer: PairingAnswer = if case .compareNumbers = input { .confirm(true) } else { .passkey(passkey) }
        _ = Task(executorPreference: executor) { try await central.answerPairing(answer, on: connection) }
    }

    /// What later pairings are answered with; `nil`: not at all.
    func setPasskey(_ passkey: UInt32?) {
        state.withLock { $0.passkey = passkey }
    }

    /// Forgets the events so far.
    func clear() {
        state.withLock { $0.events = [] }
    }

    /// All events so far.
    var all: [CentralEvent] { state.withLock { $0.events } }

    /// The values of the notifications and indications of an attribute, so far.
    func values(of attribute: AttributeID, on connection: ConnectionID) -> [[UInt8]] {
        all.compactMap { event in
            guard case .notification(connection, attribute, let value, _) = event else { return nil }
            return value
        }
    }

    /// The first event that is wanted: of those so far, or the next within `timeout`.
    func event(
        within timeout: Duration, _ isWanted: @escaping @Sendable (CentralEvent) -> Bool
    ) async -> CentralEvent? {
        await withCheckedContinuation { continuation in
            let (found, number) = state.withLock { state -> (CentralEvent?, Int) in
                if let found = state.events.first(where: isWanted) { return (found, 0) }
                state.lastNumber += 1
                state.waiters.append(
                    Waiter(number: state.lastNumber, isWanted: isWanted, continuation: continuation))
                return (nil, state.lastNumber)
            }
            if let found { return continuation.resume(returning: found) }
            executor.schedule(at: executor.now.advanced(by: timeout)) { [weak self] in
                let waiter = self?.state.withLock { state -> Waiter? in
                    guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
                    return state.waiters.remove(at: index)
                }
                waiter?.continuation.resume(returning: nil)
            }
        }
    }
}
