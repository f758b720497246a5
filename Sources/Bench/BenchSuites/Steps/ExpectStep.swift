import Bench
import SourceText
import YAMLReading
import Yams

/// `expect`: waits for an event. Each kind of expectation is a type of its own, with a line in
/// ``ExpectationKind/all``.
package struct ExpectStep: SuiteStep {
    static let kind = StepKind(
        word: "expect", argument: .required,
        reference: [
            StepReference(
                "`expect: {error: 0x03}`",
                """
                after a `read`, a `write` with a response, an `att`, a `subscribe` or `unsubscribe`: the expected ATT \
                error; after a `pair`: a reason of the Security Manager by name (`confirm value failed`, `repeated \
                attempts`, …) or number; after an `encrypt`: `key missing` (the board has no key: HCI 0x06), `no bond` \
                (the central has none), or an HCI error; after each of these steps also `timeout`, `disconnected` or, \
                for stacks that hide the reason, `any` (an error code or the end of the link, but not `no bond` or \
                `timeout`)
                """)
        ], examples: ExpectationKind.all.flatMap(\.examples),
        mistake: "expect: {console: hi, pin: 3}", read: ExpectStep.read)

    var expectation: any SuiteExpectation
    /// The maximum wait; for events that must not occur, the whole wait.
    package var timeout: Duration

    /// The expectation, if it is of this type.
    package func expectation<Expectation>(as type: Expectation.Type) -> Expectation? { expectation as? Expectation }

    let changesState = false

    var needs: Set<BenchAbility> { expectation.needs }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await expectation.run(run, within: timeout)
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let node = text.value
        if let (key, value) = PartExpectation.find(node, text.reader) { return PartExpectation.read(key, value, text) }
        let kinds = ExpectationKind.all.map(\.word)
        let options =
            MatchTemplate.keys + [
                "pin", "level", "duty", "frequency", "count", "width", "order", "for", "key size", "of", "on", "as",
                "within",
                "board",
                "tolerance",
            ]
            + DescribedCheck.keys
        guard let fields = text.fields(of: "'expect'", kinds + ["error"] + options) else { return nil }
        var given = kinds.filter { fields[$0] != nil }
        // `pin` is a kind, and an option of others.
        if given.count > 1 { given.removeAll { $0 == PinExpectation.kind.word } }
        guard given.count == 1, let kind = ExpectationKind.all.first(where: { $0.word == given.first }),
            let subject = fields[kind.word]
        else {
            let got = given.isEmpty ? "none" : given.list
            return text.refuse("'expect' waits for one of: \(kinds.list), error; got \(got)", at: node)
        }
        for key in options where !kind.options.contains(key) && key != kind.word {
            guard let value = fields[key] else { continue }
            text.diagnostics.report(
                "'expect' of '\(kind.word)' takes no '\(key)', expected: \(kind.options.list)", at: value)
        }
        if kind.word == NothingExpectation.kind.word {
            return NothingExpectation.step(subject, fields, text.reader)
        }
        let within =
            fields["within"].flatMap { text.scalars.duration($0, "'within'") } ?? text.reader.defaults.within
        return kind.read(subject, fields, text.reader).map { ExpectStep(expectation: $0, timeout: within) }
    }
}

/// An event that an `expect` step waits for.
protocol SuiteExpectation: Sendable {
    /// The abilities the bench needs.
    var needs: Set<BenchAbility> { get }

    /// Waits for the event.
    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure)
}

extension SuiteExpectation {
    var needs: Set<BenchAbility> { [] }
}

/// A kind of expectation: its syntax and its reader.
package struct ExpectationKind: Sendable {
    /// The key that names the kind.
    package let word: String
    /// The other keys of the kind.
    let options: [String]
    /// The kind's rows in the reference of steps.
    let reference: [StepReference]
    /// Steps with such an expectation.
    package let examples: [String]
    /// An invalid step with such an expectation.
    package let mistake: String
    /// Reads the value at its key, with the other keys of the step; `nil` if an error was reported.
    let read: @Sendable (Node, Fields, SuiteReader) -> (any SuiteExpectation)?

    /// Every kind, in the order of the reference.
    package static let all: [ExpectationKind] = [
        ValueExpectation.notification, ValueExpectation.indication, StreamExpectation.kind, DescribedExpectation.kind,
        ConsoleExpectation.kind, PromptExpectation.kind, DisconnectExpectation.kind, ServoExpectation.kind,
        PinExpectation.kind, PWMExpectation.kind, PulsesExpectation.kind, UARTExpectation.kind,
        SecurityExpectation.kind, BondExpectation.kind,
        AdvertisementExpectation.kind, ConnectionExpectation.kind, PowerCutExpectation.kind, NothingExpectation.kind,
    ]
}

/// `expect: {nothing: …}`: no event of these classes occurs during the step's time.
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
    /// The board whose console and servos are checked; `nil`: any board.
    package var board: BoardReference?

    /// The abilities to observe the events that must not occur. If all classes are given, the events that the bench can
    /// observe are enough.
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

    /// Reads the step: its duration is in the place of other expectations' subject.
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
