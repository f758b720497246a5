import Bench
import YAMLReading
import Yams

/// `button`: presses or releases a button of the board.
package struct ButtonStep: SuiteStep {
    static let kind = StepKind(
        word: "button", argument: .required,
        reference: [
            StepReference(
                "`button: press`, `hold`, `release`",
                """
                the BOOT button on pin 0, pressed for 100 ms; `{press: 5 s, pin: 27}`, `{hold: 27}`, `{release: 27, \
                board: client}`. Steps take no time: put an `advance` between two presses. On the virtual board, the \
                step fails if the sketch could not detect the button: the pin is an output when the button is pressed, \
                or was not an input before the button is released, or at the end of a case that holds it
                """)
        ], examples: ["button: press", "button: {press: 5 s, pin: 27}"],
        mistake: "button: {press: 5 s, pin: 99}", read: ButtonStep.read)

    /// The action on the button.
    package enum Action: Hashable, Sendable {
        case press(Duration)
        case hold
        case release
    }

    /// The pin that it pulls to ground.
    package var pin = Expression(constant: ButtonStep.bootPin)
    package var action: Action
    /// The board.
    package var board = BoardReference(index: 0)

    /// How long a button is pressed if the suite gives no time.
    private static let pressTime = Duration.milliseconds(100)
    /// The valid pin numbers.
    static let pins: ClosedRange<Int64> = 0...48
    /// The pin of the BOOT button.
    private static let bootPin: Int64 = 0

    let changesState = true

    var needs: Set<BenchAbility> { pin.constant == Self.bootPin ? [.bootButton] : [.buttons] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        let pin = try run.number(pin, Self.pins, "a pin")
        switch action {
        case .press(let time): try await run.session.pressButton(pin: pin, for: time, of: run.board(board))
        case .hold: try await run.session.setButton(pin: pin, isPressed: true, of: run.board(board))
        case .release: try await run.session.setButton(pin: pin, isPressed: false, of: run.board(board))
        }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        if case .scalar = text.value {
            let action: Action? = text.scalars.choice(
                text.value, "what to do with the button",
                among: [("press", .press(pressTime)), ("hold", .hold), ("release", .release)])
            guard let action,
                let board = reader.board(nil, for: text.node, form: "button: {press: 100 ms, board: NAME}")
            else { return nil }
            return ButtonStep(action: action, board: board)
        }
        let kinds = ["press", "hold", "release"]
        guard let fields = text.fields(of: "'button'", kinds + ["pin", "board"]),
            let (kind, subject) = reader.only(kinds, of: fields, "'button' takes"),
            let board = reader.board(fields["board"], for: text.node)
        else { return nil }
        if kind != "press" {
            if let pin = fields["pin"] {
                text.diagnostics.report("'\(kind)' has the pin itself: {\(kind): 0}", at: pin)
            }
            return reader.bounded(subject, "a pin", pins).map {
                ButtonStep(pin: $0, action: kind == "hold" ? .hold : .release, board: board)
            }
        }
        guard let time = text.scalars.duration(subject, "'press'") else { return nil }
        let pin = fields["pin"].map { reader.bounded($0, "'pin'", pins) } ?? Expression(constant: bootPin)
        return pin.map { ButtonStep(pin: $0, action: .press(time), board: board) }
    }
}
