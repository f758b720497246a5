import SourceText
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
                or `text: "…"`; a long write if it exceeds one request; of a described characteristic also `value: on` or \
                `values: {a: 9, b: 6}`
                """)
        ],
        examples: [
            "write: {to: 2A19, bytes: [1, 2], response: false, on: second}",
            #"write: {to: 2A19, text: "hi", within: 1 s}"#, "write: {to: battery.level, value: 40}",
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
        let bytes = try run.bytes(value)
        let outcome = try await run.session.write(
            bytes, to: run.uuid(characteristic), by: run.central(central), hasResponse: hasResponse,
            isText: value.isText)
        if hasResponse { try run.check(outcome, expectedError) }
        run.note(bytes, of: characteristic)
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        guard
            let fields = text.fields(
                of: "'write'", ["to", "bytes", "text", "value", "values", "response", "within", "on"])
        else {
            return nil
        }
        let uuid = fields.required("to", of: "'write'", text.diagnostics).flatMap {
            reader.uuid($0, "a characteristic")
        }
        let given = ["bytes", "text", "value", "values"].filter { fields[$0] != nil }
        if given.isEmpty {
            text.diagnostics.report(
                "'write' lacks a value, expected 'bytes' or 'text', or 'value' by a description", at: text.value)
        } else if given.count > 1 {
            text.diagnostics.report("'write' takes one value, got \(given.list)", at: text.value)
        }
        let isDescribed = fields["value"] != nil || fields["values"] != nil
        let value =
            isDescribed
            ? fields["to"].flatMap { reader.describedValue(fields, of: $0) } : reader.value(fields, "'write'")
        let response = fields["response"].flatMap { text.scalars.bool($0, "'response'") } ?? reader.defaults.response
        let central = reader.central(fields["on"], for: text.value)
        guard let uuid, let value, let central else { return nil }
        return WriteStep(characteristic: uuid, central: central, value: value, hasResponse: response)
    }
}
