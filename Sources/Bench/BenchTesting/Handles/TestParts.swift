public import Bench
public import BoardParts
import BenchModel
import SourceText
public import Testing

extension TestBoard {
    /// Wires parts to the board, in place of former ones, and switches the board off and on.
    ///
    /// - Parameter parts: the parts as in the entry `parts` of a suite, in YAML, such as
    ///   `"{alarm: {part: led, pin: 26}}"`.
    public func wire(_ parts: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let wired: [WiredPart]
        do {
            wired = try WiredPart.list(yaml: parts)
        } catch {
            throw TestFailure(
                BenchFailure(.suite, expected: "parts", got: "\(error)"), bench.session, sourceLocation)
        }
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.wire(wired, to: id)
            try await session.cyclePower(of: id)
        }
    }

    /// Sets a quantity of a part at once.
    public func set(
        _ part: String, _ quantity: String, to value: Double, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.set(part, quantity, to: .constant(value), value.decimal, of: id)
        }
    }

    /// Lets a quantity of a part change evenly over a time, which begins now.
    public func set(
        _ part: String, _ quantity: String, from: Double, to: Double, over time: Duration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.set(
                part, quantity, to: .ramp(from: from, to: to, start: session.now, over: time),
                "\(from.decimal) to \(to.decimal) over \(time.brief)", of: id)
        }
    }

    /// Unplugs a part, or plugs it in again.
    public func setPlugged(
        _ part: String, _ isPlugged: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.setPlugged(part, isPlugged, of: id)
        }
    }

    /// Plans a fault of a part on an I²C bus. A test in which a planned fault does not occur fails.
    public func plan(
        _ fault: BusFault, of part: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.plan(fault, of: part, "\(fault.kind) of \(part)", at: id)
        }
    }

    /// Waits for a time, and expects that these pulses have come since the last action on the bench.
    public func expect(
        _ pulses: PulsePattern, within time: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.expectPulses(pulses, within: time, of: id)
        }
    }

    /// The value of a part's reading at this moment, by default its first; `nil`: the part has none of this name.
    public func reading(_ part: String, _ reading: String? = nil) async -> PartReading? {
        await bench.session.reading(part, reading, of: id)
    }

    /// Expects a state of a pin or part: it has the state, or gets it in time. Skipped states cannot be expected later; with
    /// a time, states before this call are skipped.
    ///
    /// - Parameter time: how long the state must stay from then on.
    public func expect(
        _ state: StatePattern, for time: Duration = .zero, within timeout: Duration = .seconds(1),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.expect(state, for: time, within: timeout, of: id)
        }
    }
}
