import MonotonicTime

/// What a servo was told.
struct ServoPosition: CustomStringConvertible {
    var pin: Int
    /// In degrees; `nil`: it gets no pulses.
    var angle: Int?

    var description: String { angle.map { "at \($0)°" } ?? "detached" }
}

/// What an `expect` step says of a servo, with its angles computed.
struct ServoPattern {
    enum Movement {
        case angle(Int)
        case sweep(from: Int, to: Int)
        case detached
    }

    var movement: Movement
    var pin: Int?

    /// Pulses come in steps, so that an angle arrives as up to two degrees less.
    private static let tolerance = 2

    static func isNear(_ angle: Int?, _ wanted: Int) -> Bool {
        angle.map { abs($0 - wanted) <= tolerance } ?? false
    }
}

extension CaseLog.Event {
    var isServo: Bool {
        if case .servo = self { true } else { false }
    }
}

/// Servos are searched like the console: what was passed cannot be expected any more. What a servo was told last still
/// holds, though, and also satisfies an expectation, as long as it has been told nothing since.
extension CaseLog {
    private struct Move {
        var index: Int
        var angle: Int?
        var time: MonotonicInstant
    }

    private func moves(of pin: Int?) -> [Move] {
        entries.indices.compactMap { index in
            guard case .servo(let position) = entries[index].event, pin ?? position.pin == position.pin else {
                return nil
            }
            return Move(index: index, angle: position.angle, time: entries[index].time)
        }
    }

    mutating func outcome(of pattern: ServoPattern) -> Outcome? {
        let moves = moves(of: pattern.pin)
        let new = moves.filter { $0.index >= servoCursor }
        let isWanted: (Int?) -> Bool
        switch pattern.movement {
        case .sweep(let from, let to): return sweep(from, to, moves, new)
        case .angle(let wanted): isWanted = { ServoPattern.isNear($0, wanted) }
        case .detached: isWanted = { $0 == nil }
        }
        if let match = new.first(where: { isWanted($0.angle) }) {
            servoCursor = match.index + 1
            return .matched
        }
        guard new.isEmpty else { return nil }
        // A servo that was never attached is as good as detached.
        return isWanted(moves.last.flatMap { $0.angle }) ? .matched : nil
    }

    private mutating func sweep(_ from: Int, _ to: Int, _ moves: [Move], _ new: [Move]) -> Outcome? {
        guard let start = new.firstIndex(where: { ServoPattern.isNear($0.angle, from) }) else { return nil }
        var last = from
        var isGradual = false
        for move in new[start...].dropFirst() {
            guard let angle = move.angle else { return .mismatch("detached at \(last)°", move.time) }
            if ServoPattern.isNear(angle, to) {
                guard isGradual else { return .mismatch("at \(to)° at once, from \(last)°", move.time) }
                servoCursor = move.index + 1
                return .matched
            }
            let isForward = to > from ? angle >= last - 1 && angle < to : angle <= last + 1 && angle > to
            guard isForward else { return .mismatch("at \(angle)° after \(last)°", move.time) }
            if !ServoPattern.isNear(angle, from) { isGradual = true }
            last = angle
        }
        return nil
    }
}
