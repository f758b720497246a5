import YAMLReading
import Bench

/// `write`: writes a value.
package struct WriteStep: FallibleStep {
    static let kind = StepKind(
        word: "write", argument: .required,
        reference: [
            StepReference(
                "`write: {to: input, bytes: […], response: false, within: 1 s, on: second}`",
                """
                or `text: "…"`; a long write if it exceeds one request
                """)
        ],
        examples: [
            "write: {to: 2A19, bytes: [1, 2], response: false, on: second}",
            #"write: {to: 2A19, text: "hi", within: 1 s}"#,
        ],
        mistake: "write: {to: 2A19, bytes: [256]}", isLimited: true,
        read: WriteStep.read)

    var characteristic: UUIDReference
    /// The central.
    var central: CentralReference
    package var value: ValueTemplate
    /// Whether the server acknowledges.
    var hasResponse: Bool
    package var expectedError: ExpectedError?

    var errorWords: [(word: String, error: ExpectedError)]? { hasResponse ? ExpectedError.commonWords : nil }

    let changesState = false

    func run(_ run: StepRun) async throws(BenchFailure) {
        let outcome = try await run.session.write(
            try run.bytes(value), to: run.uuid(characteristic), by: run.central(central), hasResponse: hasResponse,
            isText: value.isText)
        if hasResponse { try run.check(outcome, expectedError) }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        guard let fields = text.fields(of: "'write'", ["to", "bytes", "text", "response", "within", "on"]) else {
            return nil
        }
        let uuid = fields.required("to", of: "'write'", text.diagnostics).flatMap {
            reader.uuid($0, "a characteristic")
        }
        if fields["bytes"] == nil, fields["text"] == nil {
            text.diagnostics.report("'write' lacks a value, expected 'bytes' or 'text'", at: text.value)
        }
        let value = reader.value(fields, "'write'")
        let response = fields["response"].flatMap { text.scalars.bool($0, "'response'") } ?? reader.defaults.response
        let central = reader.central(fields["on"], for: text.value)
        guard let uuid, let value, let central else { return nil }
        return WriteStep(characteristic: uuid, central: central, value: value, hasResponse: response)
    }
}
