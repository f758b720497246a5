import Bench
import YAMLReading
import Yams

/// `expect: {pulses: …}`: the pulses on a pin.
package struct PulsesExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "pulses", options: ["count", "width", "level", "within", "board"],
        reference: [
            StepReference(
                "`expect: {pulses: 18, count: 3, width: 100 ± 5 ms, within: 2 s}`",
                """
                exactly so many pulses (`count: 0`, `2...4`) on a pin that the sketch drives, from the last write, button \
                press or other action, or the last expectation of this pin, to the end of that time, which passes in any case; `width` is the length of each, in \
                us, ms or s; `level: low`: low pulses; a pulse that has begun must end
                """)
        ],
        examples: [
            "expect: {pulses: 18, count: 3, within: 2 s}",
            "expect: {pulses: 18, count: 2...4, width: 100 ± 5 ms, level: low}",
        ],
        mistake: "expect: {pulses: 18}"
    ) { subject, fields, reader in
        guard let pin = reader.bounded(subject, "'pulses'", ButtonStep.pins),
            let board = reader.board(fields["board"], for: fields.node),
            let count = fields.required("count", of: "'expect' of pulses", reader.diagnostics)
                .flatMap({ reader.measure($0, "'count'", units: [], 0...32_768) })
        else { return nil }
        var expectation = PulsesExpectation(pin: pin, count: count, board: board)
        if let node = fields["width"] {
            expectation.width = reader.measure(node, "'width'", units: [("us", 1), ("ms", 1000), ("s", 1_000_000)])
            guard expectation.width != nil else { return nil }
        }
        if let node = fields["level"] {
            guard let isHigh = reader.scalars.choice(node, "'level'", among: [("high", true), ("low", false)]) else {
                return nil
            }
            expectation.isHigh = isHigh
        }
        return expectation
    }

    private var pin: Expression
    private var count: Measure
    private var width: Measure?
    private var isHigh = true
    private var board: BoardReference

    private init(pin: Expression, count: Measure, board: BoardReference) {
        self.pin = pin
        self.count = count
        self.board = board
    }

    var needs: Set<BenchAbility> { [.outputPins] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        func range(_ measure: Measure) throws(BenchFailure) -> ClosedRange<Double> {
            try run.real { context throws(ExpressionError) in try measure.evaluate(&context) }
        }
        var pattern = PulsePattern(
            pin: try run.number(pin, ButtonStep.pins, "a pin"), isHigh: isHigh, count: try range(count))
        if let width { pattern.width = try range(width) }
        try await run.session.expectPulses(pattern, within: timeout, of: run.board(board))
    }
}
