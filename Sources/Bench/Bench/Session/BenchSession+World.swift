public import BenchModel
public import BoardParts
import MonotonicTime

/// The parts that are wired to the boards.
extension BenchSession {
    /// Wires parts to a board, in place of former ones, before it is next powered on. A bench without simulated parts has
    /// real ones, or none: nothing is done.
    public func wire(_ parts: [WiredPart], to board: BoardID = .first) async throws(BenchFailure) {
        guard bench.abilities.contains(.parts), let world = bench.boards[board.index].world else { return }
        let observed = parts.filter { !$0.kind.readings.isEmpty }
        log.states.setParts(
            Dictionary(uniqueKeysWithValues: observed.map { ($0.name, MeasuredStates.PartUse($0)) }), of: board.index)
        try await ask("parts to be wired to \(boards[board.index].words)") { try await world.wire(parts) }
    }

    /// Skips the states so far of all pins and parts: what was before is not what follows.
    public func skipStates() { log.beginAction() }

    /// Sets a quantity of a part.
    ///
    /// - Parameters:
    ///   - course: the value, as it is or over time.
    ///   - text: the value as events show it.
    public func set(
        _ part: String, _ quantity: String, to course: QuantityCourse, _ text: String, of board: BoardID = .first
    ) async throws(BenchFailure) {
        try await drive("\(part).\(quantity) = \(text)", of: board) { world in
            try await world.set(part, quantity, to: course)
        }
    }

    /// Unplugs a part, or plugs it in again.
    public func setPlugged(
        _ part: String, _ isPlugged: Bool, of board: BoardID = .first
    ) async throws(BenchFailure) {
        try await drive("\(part) \(isPlugged ? "plugged in" : "unplugged")", of: board) { world in
            try await world.setPlugged(part, isPlugged)
        }
    }

    private func drive(
        _ text: String, of board: BoardID, _ action: (any BoardWorld) async throws -> Void
    ) async throws(BenchFailure) {
        guard let world = bench.boards[board.index].world else {
            throw BenchFailure(.benchFault, expected: text, got: UnsupportedByBench(.parts).description)
        }
        log.beginAction()
        record(boards[board.index].source, PartSet(text))
        try await ask(text) { try await action(world) }
    }

    /// The value of a part's reading at this moment; `nil`: there is none, or the bench has no simulated parts.
    public func reading(_ part: String, _ reading: String? = nil, of board: BoardID = .first) async -> PartReading? {
        await bench.boards[board.index].world?.reading(part, reading)
    }

    /// Waits for the state of a pin or part, which must then not change for `time`; that time begins now or later.
    public func expect(
        _ pattern: StatePattern, for time: Duration, within timeout: Duration, of board: BoardID = .first
    ) async throws(BenchFailure) {
        if time > .zero { log.states.skipChanges(of: pattern, board: board.index) }
        try await expect(.state(pattern, of: board), within: timeout)
        if time > .zero { try await expect(.stateStays(pattern, of: board), within: time) }
    }
}

extension MeasuredStates.PartUse {
    /// How the firmware uses a part, by its kind.
    init(_ part: WiredPart) {
        let pins = Set(part.terminals.compactMap(\.self))
        switch part.need {
        case .address: self = .bus
        case .signal: self = .signals(pins)
        case .level: self = .pins(pins)
        }
    }
}
