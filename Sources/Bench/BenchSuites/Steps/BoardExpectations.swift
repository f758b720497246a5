import Bench
import YAMLReading
import Yams

/// `expect: {console: …}`: a console line; lines before it are skipped.
struct ConsoleExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "console", options: ["within", "board"],
        reference: [
            StepReference(
                """
                `expect: {console: "Adding:   {a:02x}", within: 1 s}`
                """,
                """
                a whole line; `/…/`: a regular expression that matches a part of the line; `{contains: heap}`, \
                `{json: {wifi: false}}`, `{matches: /…/}`: a line that meets these conditions
                """)
        ],
        examples: [
            #"expect: {console: "Ready", within: 1 s}"#, "expect: {console: /R.ady/}",
            "expect: {console: {contains: heap, json: {wifi: false}}}",
        ],
        mistake: "expect: {console: /(/}"
    ) { subject, fields, reader in
        guard let line = line(subject, "console", reader), let board = reader.board(fields["board"], for: fields.node)
        else {
            return nil
        }
        return ConsoleExpectation(line: line, board: board)
    }

    /// The keys of the conditions on a line.
    private static let keys = ["contains", "matches", "json"]

    var line: ConsoleTemplate
    /// The board.
    var board: BoardReference

    var needs: Set<BenchAbility> { [.console] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(.console(try run.pattern(line), of: run.board(board)), within: timeout)
    }

    /// A line, or conditions on one: of the console, or of a display.
    static func line(_ subject: Node, _ what: String, _ reader: SuiteReader) -> ConsoleTemplate? {
        // A text that begins with '{' looks like a mapping, and needs quotes.
        guard case .mapping(let mapping) = subject, subject.quotingRemedy.isEmpty else {
            return reader.console(subject)
        }
        guard !mapping.isEmpty else {
            reader.diagnostics.report(
                "'\(what)' without a condition proves nothing, expected: \(keys.list)", at: subject)
            return nil
        }
        return Fields(subject, of: "'\(what)'", known: keys, reader.diagnostics)
            .flatMap { reader.match($0, "'\(what)'") }.map { .match($0) }
    }
}

/// `expect: {prompt: …}`: a console line that has begun with this text and waits for input.
struct PromptExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "prompt", options: ["within", "board"],
        reference: [
            StepReference(
                """
                `expect: {prompt: "esp32> ", within: 1 s}`
                """, "an unfinished line with exactly this text")
        ], examples: [#"expect: {prompt: "esp32> ", within: 1 s}"#],
        mistake: "expect: {prompt: [esp32]}"
    ) { subject, fields, reader in
        guard let text = reader.scalars.template(subject, "a prompt", reader.parameters),
            let board = reader.board(fields["board"], for: fields.node)
        else { return nil }
        if text.source.isEmpty {
            reader.diagnostics.report("an empty prompt proves nothing, expected a text", at: subject)
        }
        return PromptExpectation(text: text, board: board)
    }

    var text: TextTemplate
    /// The board.
    var board: BoardReference

    var needs: Set<BenchAbility> { [.console] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(.prompt(try run.text(text), of: run.board(board)), within: timeout)
    }
}

/// `expect: {uart: …}`: the next bytes at the far end of a UART beside the console.
struct UARTExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "uart", options: MatchTemplate.streamKeys + ["within", "board"],
        reference: [
            StepReference(
                """
                `expect: {uart: 1, text: "OK\\r\\n", within: 1 s}`
                """,
                """
                the next bytes that the board sends on UART 1 or 2, in chunks of any size; or `bytes: [{random: 1000, seed: 7}]`; \
                `contains` skips all bytes before its own, `matches` and `json` all lines before theirs
                """)
        ],
        examples: [
            #"expect: {uart: 1, text: "OK\r\n", within: 1 s}"#, "expect: {uart: 2, bytes: [1, 2]}",
            "expect: {uart: 1, contains: OK}", #"expect: {uart: 1, matches: '/^T \d+/'}"#,
        ],
        mistake: "expect: {uart: 1}"
    ) { subject, fields, reader in
        guard let port = reader.bounded(subject, UARTStep.portWords, UARTStep.ports),
            let match = reader.requiredMatch(fields), let board = reader.board(fields["board"], for: fields.node)
        else { return nil }
        return UARTExpectation(port: port, match: match, board: board)
    }

    private var port: Expression
    private var match: MatchTemplate
    /// The board.
    private var board: BoardReference

    var needs: Set<BenchAbility> { [.uarts] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(
            .uart(
                try run.number(port, UARTStep.ports, UARTStep.portWords), try run.streamMatch(match),
                of: run.board(board)), within: timeout)
    }
}

/// `expect: {stream: …}`: the next values of a characteristic on this link, joined, are these bytes, or have them.
struct StreamExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "stream", options: MatchTemplate.streamKeys + ["on", "within"],
        reference: [
            StepReference(
                "`expect: {stream: serial, bytes: [{random: 1000, seed: 7}], within: 1 s}`",
                """
                the values of the next notifications or indications, joined: the firmware may split the stream \
                anywhere; also `contains`, `matches` and `json`, as in `expect: {uart: …}`
                """)
        ],
        examples: [#"expect: {stream: 2A19, text: "hello", within: 1 s, on: second}"#],
        mistake: "expect: {stream: 2A19}"
    ) { subject, fields, reader in
        guard let uuid = reader.uuid(subject, "a characteristic"), let match = reader.requiredMatch(fields),
            let central = reader.central(fields["on"], for: fields.node)
        else { return nil }
        return StreamExpectation(characteristic: uuid, match: match, central: central)
    }

    private var characteristic: UUIDReference
    private var match: MatchTemplate
    /// The central.
    private var central: CentralReference

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(
            .stream(of: run.uuid(characteristic), by: run.central(central), try run.streamMatch(match)),
            within: timeout)
    }
}

/// `expect: {servo: …}`: a position or movement of a servo.
package struct ServoExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "servo", options: ["pin", "within", "board"],
        reference: [
            StepReference(
                "`expect: {servo: 90, pin: 13, within: 2 s}`",
                """
                the target angle, within 2 degrees, from the measured pulse width; \
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
    package var pin: Expression?
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
        let pin: Int? = if let pin { try run.number(pin, ButtonStep.pins, "a pin") } else { nil }
        try await run.session.expect(.servo(ServoPattern(movement, pin: pin), of: run.board(board)), within: timeout)
    }

    private static func read(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> (any SuiteExpectation)? {
        let pin = fields["pin"].flatMap { reader.bounded($0, "'pin'", ButtonStep.pins) }
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
            reader.diagnostics.report("a sweep from \(constant) to \(constant) is not a movement", at: subject)
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

/// `expect: {pin: …, level: …}`: the level of a pin that the sketch drives.
package struct PinExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "pin", options: ["level", "for", "within", "board"],
        reference: [
            StepReference(
                "`expect: {pin: 26, level: high, within: 2 s}`",
                """
                the level of a pin that the sketch drives, as it is or becomes in that time; `for: 2 s`: from then on, \
                which is not before the step, it does not change for that time. A pin that is not an output has no level. \
                Levels before an expected one are skipped, like console lines, and so are those before the last write, \
                button press, input, reset, `advance`, connection or its end
                """)
        ],
        examples: ["expect: {pin: 26, level: high, within: 2 s}", "expect: {pin: 25, level: low, for: 2 s}"],
        mistake: "expect: {pin: 26}", read: PinExpectation.read)

    package var pin: Expression
    package var isHigh: Bool
    /// How long the level must stay.
    package var time: Duration?
    package var board: BoardReference

    var needs: Set<BenchAbility> { [.outputPins] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let pattern = StatePattern.pin(try run.number(pin, ButtonStep.pins, "a pin"), isHigh: isHigh)
        try await run.session.expect(pattern, for: time ?? .zero, within: timeout, of: run.board(board))
    }

    private static func read(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> (any SuiteExpectation)? {
        guard let pin = reader.bounded(subject, "'pin'", ButtonStep.pins),
            let board = reader.board(fields["board"], for: fields.node),
            let level = fields.required("level", of: "'expect' of a pin", reader.diagnostics)
        else { return nil }
        guard let word = level.scalar?.string, ["high", "low"].contains(word) else {
            reader.diagnostics.report("expected 'level' to be high or low, got \(level.summary)", at: level)
            return nil
        }
        let time = fields["for"].flatMap { reader.scalars.duration($0, "'for'") }
        if let node = fields["for"], time == .zero {
            reader.diagnostics.report("expected a time above 0 for 'for': a level without it may end at once", at: node)
        }
        return PinExpectation(pin: pin, isHigh: word == "high", time: time, board: board)
    }
}

/// `expect: {power: off}`: the power cut that an earlier step has planned.
package struct PowerCutExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "power", options: ["within", "board"],
        reference: [StepReference("`expect: {power: off}`", "the power cut of a `power: {cut: …}` step")],
        examples: ["expect: {power: off}"],
        mistake: "expect: {power: on}"
    ) { subject, fields, reader in
        if subject.scalar?.string == "off" {
            return reader.board(fields["board"], for: fields.node).map { PowerCutExpectation(board: $0) }
        }
        reader.diagnostics.report(
            "expected 'off', the power cut of an earlier step, got \(subject.summary)", at: subject)
        return nil
    }

    /// The board.
    package var board: BoardReference

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(.powerCut(of: run.board(board)), within: timeout)
    }
}
