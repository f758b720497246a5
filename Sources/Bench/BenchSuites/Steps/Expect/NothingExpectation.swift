import SourceText
import Bench
import YAMLReading
import Yams

/// `expect: {nothing: …}`: none of these for the step's time.
package struct NothingExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "nothing", options: ["of", "board"],
        reference: [
            StepReference(
                "`expect: {nothing: 200 ms, of: [notification, console]}`",
                """
                no new event since `before`, and no servo motion during the time; `of` also \
                `indication`, `disconnect`, `servo`; without it: all of them; with several boards `board: client` leaves \
                out the console and servos of the others
                """)
        ], examples: ["expect: {nothing: 200 ms, of: [notification, console]}", "expect: {nothing: 1 s}"],
        mistake: "expect: {nothing: 1 s, of: noise}"
    ) { _, _, _ in nil }

    package var classes: Set<EventClass>
    /// Whose console and servos are meant; `nil`: any board's.
    package var board: BoardReference?

    /// What must be seen not to happen. Of all kinds, those that the bench can see are enough.
    var needs: Set<BenchAbility> {
        guard classes.count < EventClass.allCases.count else { return [] }
        var needs: Set<BenchAbility> = []
        if classes.contains(.console) { needs.insert(.console) }
        if classes.contains(.servo) { needs.insert(.servo) }
        return needs
    }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(.nothing(classes, of: board.map { run.board($0) }), within: timeout)
    }

    /// The step: its duration is in the place where other expectations have their subject.
    static func step(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> ExpectStep? {
        let duration = reader.scalars.provingDuration(subject, "'nothing'")
        let classes: [EventClass?] =
            fields["of"].map { node in
                (node.sequence.map { Array($0) } ?? [node]).map { reader.scalars.choice($0, "a kind of event") }
            } ?? EventClass.allCases
        if classes.isEmpty {
            reader.diagnostics.report(
                "'nothing' of no kind of event proves nothing, expected: \(EventClass.allCases.map(\.rawValue).list)",
                at: fields["of"] ?? subject)
        }
        guard let duration, !classes.contains(nil) else { return nil }
        return ExpectStep(
            expectation: NothingExpectation(
                classes: Set(classes.compactMap(\.self)), board: reader.namedBoard(fields["board"])),
            timeout: duration)
    }
}
