import BenchModel
import MonotonicTime

/// Servos are searched like the console: skipped positions cannot be expected later. The last position of a servo is an
/// exception: it satisfies an expectation until the servo moves again.
extension EventLog {
    private struct Move {
        var index: Int
        var angle: Int?
        var time: MonotonicInstant
    }

    private func moves(of pin: Int?, board: Int) -> [Move] {
        entries.indices.compactMap { index in
            guard entries[index].board == board, let move = entries[index].event.payload as? ServoMoved,
                pin ?? move.pin == move.pin,
                // An attached servo gets its first angle in the next event.
                move.angle != nil || !move.isAttached
            else { return nil }
            return Move(index: index, angle: move.angle, time: entries[index].event.time)
        }
    }

    mutating func outcome(of pattern: ServoPattern, board: Int) -> Outcome? {
        let moves = moves(of: pattern.pin, board: board)
        let new = moves.filter { $0.index >= servoCursors[board] }
        let isWanted: (Int?) -> Bool
        switch pattern.movement {
        case .sweep(let from, let to): return sweep(from, to, new, board: board)
        case .angle(let wanted): isWanted = { ServoPattern.isNear($0, wanted) }
        case .detached: isWanted = { $0 == nil }
        }
        if let match = new.first(where: { isWanted($0.angle) }) {
            servoCursors[board] = match.index + 1
            return .matched
        }
        guard new.isEmpty else { return nil }
        // A servo that was never attached counts as detached.
        return isWanted(moves.last.flatMap { $0.angle }) ? .matched : nil
    }

    private mutating func sweep(_ from: Int, _ to: Int, _ new: [Move], board: Int) -> Outcome? {
        var rest = new[...]
        while let start = rest.firstIndex(where: { ServoPattern.isNear($0.angle, from) }) {
            rest = rest[(start + 1)...]
            guard let (end, fault) = Self.end(ofSweep: rest, from, to) else { return nil }
            guard let fault else {
                servoCursors[board] = rest[end].index + 1
                return .matched
            }
            // A movement before the step that was not such a sweep does not exclude a sweep after it.
            if rest[end].index >= searchStart { return .mismatch(fault, rest[end].time) }
            rest = rest[end...]
        }
        return nil
    }

    /// The index in `moves` at which a sweep ends, and the fault if the movement is not such a sweep; `nil` while the
    /// sweep is in progress.
    private static func end(ofSweep moves: ArraySlice<Move>, _ from: Int, _ to: Int) -> (index: Int, fault: String?)? {
        var last = from
        var isGradual = false
        for (index, move) in zip(moves.indices, moves) {
            guard let angle = move.angle else { return (index, "detached at \(last)°") }
            if ServoPattern.isNear(angle, to) { return (index, isGradual ? nil : "at \(to)° at once, from \(last)°") }
            let isForward = to > from ? angle >= last - 1 && angle < to : angle <= last + 1 && angle > to
            guard isForward else { return (index, "at \(angle)° after \(last)°") }
            if !ServoPattern.isNear(angle, from) { isGradual = true }
            last = angle
        }
        return nil
    }
}
