import Bench
import BenchModel
import BLECentral
import BLEPackets
import YAMLReading
import Yams

/// `att`: sends a raw ATT PDU, valid or not, bypassing the central's stack.
package struct ATTStep: FallibleStep {
    static let kind = StepKind(
        word: "att", argument: .required,
        reference: [
            StepReference(
                """
                `att: {send: [0x16, {handle: input}, 0, 0, 1], answer: […], within: 1 s, on: second}`
                """,
                """
                a raw ATT PDU; `{handle: x, plus: 1}` are two bytes; `answer: none`: no response; \
                without it: any response but an error
                """)
        ], examples: ["att: {send: [0x16, {handle: 2A19}, 0, 0, 1], answer: none, within: 1 s, on: second}"],
        mistake: "att: {send: []}", read: ATTStep.read)

    /// The expected answer.
    package enum Answer: Sendable {
        /// Any response; no response for a command.
        case any
        /// This PDU.
        case pdu(ValueTemplate)
        /// No answer.
        case silence
    }

    /// The sending central.
    package var central: CentralReference
    /// The PDU's bytes, with the opcode.
    package var pdu: ValueTemplate
    /// The expected answer.
    package var answer: Answer
    /// The maximum wait for the answer; if no answer is expected, the whole wait.
    package var timeout: Duration
    package var expectedError: ExpectedError?

    var errorWords: [(word: String, error: ExpectedError)]? {
        if case .silence = answer { nil } else { ExpectedError.commonWords }
    }

    let changesState = true

    var needs: Set<BenchAbility> { [.central(.rawATT)] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        let central = run.central(self.central)
        _ = try await run.session.services(of: central)
        var handles: [UInt16?] = []
        for named in run.suite.uuids { handles.append(await run.session.handle(of: named.uuid, by: central)) }
        run.context.handles = handles
        let pdu = try run.bytes(pdu)
        guard let opcode = pdu.first else {
            throw BenchFailure(
                .suite, expected: "an ATT PDU, which begins with an opcode", got: "no bytes",
                position: run.step.position)
        }
        var timeout = timeout
        var wanted: [UInt8]?
        var expected = "the ATT PDU \(BenchFailure.text(pdu)) to be answered"
        switch answer {
        case .any: if opcode & 0x40 != 0 { timeout = .zero }
        case .pdu(let template):
            let bytes = try run.bytes(template)
            wanted = bytes
            expected += " with \(BenchFailure.text(bytes))"
        case .silence: expected = "no answer to the ATT PDU \(BenchFailure.text(pdu)) within \(timeout.brief)"
        }
        let answer = try await run.session.exchangeATT(pdu, by: central, within: timeout, expected: expected)
        if expectedError != nil {
            let isConnected = await run.session.isConnected(central)
            let outcome = OperationOutcome(expected: expected, result: Self.result(answer, isConnected: isConnected))
            try run.check(outcome, expectedError)
            return
        }
        let got = answer.map { BenchFailure.text($0) } ?? "no answer"
        let isWrong =
            switch self.answer {
            case .silence: answer != nil
            case .pdu: answer != wanted
            case .any: timeout > .zero && (answer == nil || answer?.first == ATTOpcode.errorResponse.rawValue)
            }
        if isWrong { throw BenchFailure(.assertion, expected: expected, got: got) }
    }

    /// Converts the response to an ATT PDU into an operation's result.
    private static func result(_ answer: [UInt8]?, isConnected: Bool) -> Result<Void, CentralError> {
        guard let answer else {
            return .failure(
                isConnected
                    ? CentralError(.timedOut, "no answer to the ATT PDU")
                    : CentralError(.notConnected, "the link ended before the ATT PDU was answered"))
        }
        guard answer.count == 5, answer[0] == ATTOpcode.errorResponse.rawValue else { return .success(()) }
        return .failure(CentralError(.attError(answer[4]), "ATT error \(ATTErrorCode(rawValue: answer[4]))"))
    }

    // MARK: Reading

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        guard let fields = text.fields(of: "'att'", ["send", "answer", "within", "on"]) else { return nil }
        let pdu = fields.required("send", of: "'att'", text.diagnostics).flatMap { bytes($0, "'send'", reader) }
        let answer = answer(fields["answer"], reader)
        let timeout =
            fields["within"].flatMap { text.scalars.provingDuration($0, "'within'") } ?? reader.defaults.within
        guard let pdu, let answer, let central = reader.central(fields["on"], for: text.value) else { return nil }
        return ATTStep(central: central, pdu: pdu, answer: answer, timeout: timeout)
    }

    private static func answer(_ node: Node?, _ reader: SuiteReader) -> Answer? {
        guard let node else { return .any }
        if node.scalar?.string == "none" { return .silence }
        return bytes(node, "'answer'", reader).map { .pdu($0) }
    }

    private static func bytes(_ node: Node, _ what: String, _ reader: SuiteReader) -> ValueTemplate? {
        guard case .sequence(let sequence) = node, !sequence.isEmpty else {
            reader.diagnostics.report(
                "expected \(what) to be a list such as [0x0a, {handle: output}], got \(node.summary)", at: node)
            return nil
        }
        let elements = sequence.map { element($0, reader) }
        return elements.contains { $0 == nil } ? nil : ValueTemplate(elements: elements.compactMap(\.self))
    }

    private static func element(_ node: Node, _ reader: SuiteReader) -> ValueTemplate.Element? {
        guard case .mapping(let mapping) = node, mapping["handle"] != nil else { return reader.element(node) }
        let diagnostics = reader.diagnostics
        guard let fields = Fields(node, of: "a handle", known: ["handle", "plus"], diagnostics) else { return nil }
        let uuid = fields.required("handle", of: "a handle", diagnostics).flatMap {
            reader.uuid($0, "a characteristic")
        }
        let offset =
            fields["plus"].map { reader.bounded($0, "'plus'", ValueTemplate.handleOffsets) } ?? Expression(constant: 0)
        guard let uuid, let offset else { return nil }
        return .handle(uuid, plus: offset, node.position)
    }
}
