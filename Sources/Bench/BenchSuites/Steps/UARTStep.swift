import Bench
import YAMLReading
import Yams

/// `uart`: makes the far end of a UART other than the console send bytes, or sets how the far end uses RTS and CTS.
struct UARTStep: SuiteStep {
    static let kind = StepKind(
        word: "uart", argument: .required,
        reference: [
            StepReference(
                """
                `uart: {text: "AT\\r", port: 1}`, `{bytes: [{random: 1000, seed: 7}]}`
                """,
                "the device wired to UART 1 (default) or 2 sends these bytes, at the rate of the UART"),
            StepReference(
                "`uart: {rts: watched}`, `{rts: ignored}`, `{cts: held}`, `{cts: given}`",
                """
                flow control of this device. `watched`: it sends only while the board asserts RTS; `held`: it \
                deasserts CTS, which stops the board's output. Initially `ignored` and `given`
                """),
        ],
        examples: [
            #"uart: {text: "AT\r", port: 1}"#, "uart: {bytes: [1, {random: 10, seed: 2}]}", "uart: {rts: watched}",
            "uart: {cts: held, port: 2}",
        ],
        mistake: "uart: {text: a, port: 0}", read: UARTStep.read)

    /// The UARTs other than the console.
    static let ports: ClosedRange<Int64> = 1...2

    /// The action of the far end.
    private enum Action {
        case send(ValueTemplate)
        case watchRTS(Bool)
        case giveCTS(Bool)
    }

    private var action: Action
    private var port: Expression
    /// The board.
    private var board: BoardReference

    let changesState = true

    var needs: Set<BenchAbility> { [.uarts] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        let board = run.board(board)
        let port = try run.number(port, Self.ports, Self.portWords)
        switch action {
        case .send(let value): try await run.session.send(try run.stream(value), uart: port, of: board)
        case .watchRTS(let watches): try await run.session.wire(uart: port, watchesRTS: watches, of: board)
        case .giveCTS(let isGiven): try await run.session.wire(uart: port, clearToSend: isGiven, of: board)
        }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        let kinds = ["bytes", "text", "rts", "cts"]
        guard let fields = text.fields(of: "'uart'", kinds + ["port", "board"]),
            let (kind, subject) = reader.only(kinds, of: fields, "'uart' takes"),
            let port = port(fields["port"], reader),
            let board = reader.board(fields["board"], for: text.node)
        else { return nil }
        let action: Action? =
            switch kind {
            case "rts":
                text.scalars.choice(
                    subject, "what to do with RTS",
                    among: [("watched", .watchRTS(true)), ("ignored", .watchRTS(false))])
            case "cts":
                text.scalars.choice(
                    subject, "what to do with CTS", among: [("given", .giveCTS(true)), ("held", .giveCTS(false))])
            default: reader.stream(fields, "'uart'").map { .send($0) }
            }
        return action.map { UARTStep(action: $0, port: port, board: board) }
    }

    /// The number of a UART in failures.
    static let portWords = "a UART beside the console"

    /// The number of a UART; 1 if none is given.
    private static func port(_ node: Node?, _ reader: SuiteReader) -> Expression? {
        guard let node else { return Expression(constant: 1) }
        return reader.bounded(node, portWords, ports)
    }
}
