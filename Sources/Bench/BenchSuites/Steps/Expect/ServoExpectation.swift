import Bench
import YAMLReading
import Yams

/// `expect: {servo: …}`: a servo that is or moves like this.
package struct ServoExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "servo", options: ["pin", "within", "board"],
        reference: [
            StepReference(
                "`expect: {servo: 90, pin: 13, within: 2 s}`",
                """
                the target angle, in degrees, give or take 2: the pulse width is what is measured; \
                `{from: 0, to: 90}`: monotonically over angles between them; `detached`: no pulses
                """)
        ],
        examples: [
            "expect: {servo: 90, pin: 13, within: 2 s}", "expect: {servo: {from: 0, to: 90}}",
            "expect: {servo: detached}",
        ],
        mistake: "expect: {servo: 200}", read: ServoExpectation.read)

    /// The expected angle or movement.
    package enum Movement: Sendable {
        case angle(Expression)
        case sweep(from: Expression, to: Expression)
        case detached
    }

    package var movement: Movement
    package var pin: Int?
    package var board: BoardReference

    private static let angles: ClosedRange<Int64> = 0...180

    var needs: Set<BenchAbility> { [.servo] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let movement: ServoPattern.Movement =
            switch movement {
            case .detached: .detached
            case .angle(let angle): .angle(try run.number(angle, Self.angles))
            case .sweep(let from, let to):
                .sweep(from: try run.number(from, Self.angles), to: try run.number(to, Self.angles))
            }
        try await run.session.expect(.servo(ServoPattern(movement, pin: pin), of: run.board(board)), within: timeout)
    }

    private static func read(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> (any SuiteExpectation)? {
        let pin = fields["pin"].flatMap { reader.number($0, "'pin'", ButtonStep.pins) }
        guard let board = reader.board(fields["board"], for: fields.node) else { return nil }
        if subject.scalar?.string == "detached" {
            return ServoExpectation(movement: .detached, pin: pin, board: board)
        }
        guard case .mapping = subject else {
            return angle(subject, reader).map { ServoExpectation(movement: .angle($0), pin: pin, board: board) }
        }
        guard let sweep = Fields(subject, of: "a sweep", known: ["from", "to"], reader.diagnostics),
            let from = sweep.required("from", of: "a sweep", reader.diagnostics).flatMap({ angle($0, reader) }),
            let to = sweep.required("to", of: "a sweep", reader.diagnostics).flatMap({ angle($0, reader) })
        else { return nil }
        if let constant = from.constant, constant == to.constant {
            reader.diagnostics.report("a sweep from \(constant) to \(constant) is no movement", at: subject)
        }
        return ServoExpectation(movement: .sweep(from: from, to: to), pin: pin, board: board)
    }

    private static func angle(_ node: Node, _ reader: SuiteReader) -> Expression? {
        guard
            let value = reader.scalars.expression(
                node, "an angle, a sweep {from: …, to: …} or 'detached'", reader.parameters)
        else { return nil }
        if let constant = value.constant, !angles.contains(constant) {
            reader.diagnostics.report("expected an angle of 0...180 degrees, got \(constant)", at: node)
        }
        return value
    }
}
