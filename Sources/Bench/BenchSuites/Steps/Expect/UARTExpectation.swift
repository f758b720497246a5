import Bench
import YAMLReading
import Yams

/// `expect: {uart: …}`: the next bytes at the far end of a UART beside the console.
struct UARTExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "uart", options: ["bytes", "text", "within", "board"],
        reference: [
            StepReference(
                """
                `expect: {uart: 1, text: "OK\\r\\n", within: 1 s}`
                """,
                """
                the next bytes that the board sends on UART 1 or 2, in whatever chunks; or `bytes: [{random: 1000, seed: 7}]`
                """)
        ],
        examples: [#"expect: {uart: 1, text: "OK\r\n", within: 1 s}"#, "expect: {uart: 2, bytes: [1, 2]}"],
        mistake: "expect: {uart: 1}"
    ) { subject, fields, reader in
        guard let port = reader.number(subject, "a UART beside the console", UARTStep.ports),
            let value = reader.requiredValue(fields), let board = reader.board(fields["board"], for: fields.node)
        else { return nil }
        return UARTExpectation(port: port, value: value, board: board)
    }

    private var port: Int
    private var value: ValueTemplate
    /// The board.
    private var board: BoardReference

    var needs: Set<BenchAbility> { [.uarts] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(
            .uart(port, try run.stream(value), isText: value.isText, of: run.board(board)), within: timeout)
    }
}

/// `expect: {stream: …}`: the next values of a characteristic on this link are together these bytes.
struct StreamExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "stream", options: ["bytes", "text", "on", "within"],
        reference: [
            StepReference(
                "`expect: {stream: serial, bytes: [{random: 1000, seed: 7}], within: 1 s}`",
                "the next notifications or indications, together: a stream that is cut wherever the firmware likes")
        ],
        examples: [#"expect: {stream: 2A19, text: "hello", within: 1 s, on: second}"#],
        mistake: "expect: {stream: 2A19}"
    ) { subject, fields, reader in
        guard let uuid = reader.uuid(subject, "a characteristic"), let value = reader.requiredValue(fields),
            let central = reader.central(fields["on"], for: fields.node)
        else { return nil }
        return StreamExpectation(characteristic: uuid, value: value, central: central)
    }

    private var characteristic: UUIDReference
    private var value: ValueTemplate
    /// The central.
    private var central: CentralReference

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(
            .stream(
                of: run.uuid(characteristic), by: run.central(central), try run.stream(value), isText: value.isText),
            within: timeout)
    }
}

extension SuiteReader {
    /// `bytes` or `text` of an expectation that needs one of them.
    fileprivate func requiredValue(_ fields: Fields) -> ValueTemplate? {
        if fields["bytes"] == nil, fields["text"] == nil {
            diagnostics.report("'expect' lacks what it expects here: 'bytes' or 'text'", at: fields.node)
            return nil
        }
        return stream(fields, "'expect'")
    }
}
