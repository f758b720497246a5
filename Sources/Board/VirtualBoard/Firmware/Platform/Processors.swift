internal import CFirmwareChannel
import Synchronization

/// The processors of this machine that boards and their firmware processes may run on, and how many boards use them.
///
/// Boards of one bench kind share one instance, so that each gets its own processor if there are enough. The choice of
/// processors and the machine's clock, with which ``HandOver`` measures, affect only the duration of a run.
public final class Processors: Sendable {
    /// The largest number of processors that are used.
    private static let capacity = 1024

    /// The processors that this process may use; empty if they are unknown: then no thread is bound to a processor.
    let allowed: [UInt16]
    private struct State {
        /// The number of boards that prefer each of the allowed processors.
        var users: [Int]
        /// The last choice of any board.
        var lastChoice: HandOverChoice?
    }

    private let state: Mutex<State>

    /// The processors that the calling thread may use.
    public convenience init() {
        self.init(
            allowed: [UInt16](unsafeUninitializedCapacity: Self.capacity) { buffer, count in
                count = Int(cfc_allowed_processors(buffer.baseAddress, Int32(buffer.count)))
            })
    }

    /// A set of processors, by the kernel's numbers.
    package init(allowed: [UInt16]) {
        self.allowed = allowed
        state = Mutex(State(users: Array(repeating: 0, count: allowed.count)))
    }

    /// Adds a board; returns the choice that it begins with. The board prefers the processor that the fewest other
    /// boards prefer, and among several the one of its thread: a bench adds the next board before it removes the last
    /// one.
    ///
    /// - Parameter processor: the one that the thread runs on, by the kernel's number.
    package func add(from processor: Int32) -> HandOverChoice {
        state.withLock { state in
            guard let least = state.users.min() else { return HandOverChoice(processorCount: 1, preferred: 0) }
            let candidates = state.users.indices.filter { state.users[$0] == least }
            let best = candidates.first { allowed[$0] == processor } ?? candidates[0]
            state.users[best] += 1
            var choice = state.lastChoice ?? HandOverChoice(processorCount: state.users.count, preferred: best)
            choice.preferred = best
            return choice
        }
    }

    /// Keeps the choice of a board, with which the next one begins.
    func remember(_ choice: HandOverChoice) {
        state.withLock { $0.lastChoice = choice }
    }

    /// Removes a board that was added and preferred this processor.
    package func remove(_ preferred: Int) {
        state.withLock { state in
            guard state.users.indices.contains(preferred) else { return }
            state.users[preferred] -= 1
        }
    }

    /// True if there are too few processors for each board and each firmware process to have its own.
    var areCrowded: Bool {
        state.withLock { 2 * $0.users.reduce(0, +) > $0.users.count }
    }
}
