import Bench
import SourceText
import YAMLReading

/// `write`: writes a value.
package struct WriteStep: FallibleStep {
    static let kind = StepKind(
        word: "write", argument: .required,
        reference: [
            StepReference(
                "`write: {to: input, bytes: […], response: false, within: 1 s, on: second}`",
                """
                or `text: "…"`; a long write if the value exceeds one request; for a described characteristic also \
                `value: on` or `values: {a: 9, b: 6}`
                """),
            StepReference(
                "`write: {to: serial, bytes: [{random: 1000, seed: 7}], rate: 115200, response: false}`",
                """
                as a stream of writes of at most ATT_MTU − 3 bytes; each write is sent when a UART with this bit rate \
                (8N1) would have sent the previous bytes
                """),
        ],
        examples: [
            "write: {to: 2A19, bytes: [1, 2], response: false, on: second}",
            #"write: {to: 2A19, text: "hi", within: 1 s}"#, "write: {to: battery.level, value: 40}",
            "write: {to: 2A19, bytes: [{random: 100, seed: 1}], rate: 9600}",
        ],
        mistake: "write: {to: 2A19, bytes: [256]}", isLimited: true,
        read: WriteStep.read)

    /// The valid rates in bits per second.
    private static let rates: ClosedRange<Int64> = 300...5_000_000

    var characteristic: UUIDReference
    /// The central.
    var central: CentralReference
    package var value: ValueTemplate
    /// True if the server acknowledges.
    var hasResponse: Bool
    /// The rate of a stream: bits per second of a UART with 10 bits per byte; `nil`: a single write.
    var rate: Expression?
    package var expectedError: ExpectedError?

    var errorWords: [(word: String, error: ExpectedError)]? { hasResponse ? ExpectedError.commonWords : nil }

    let changesState = false

    func run(_ run: StepRun) async throws(BenchFailure) {
        let bytes = try rate == nil ? run.bytes(value) : run.stream(value)
        if let rate {
            let rate = try run.number(rate, Self.rates, "a rate")
            let outcome = try await run.session.stream(
                bytes, to: run.uuid(characteristic), by: run.central(central), rate: rate, hasResponse: hasResponse)
            if hasResponse { try run.check(outcome, expectedError) }
            return
        }
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
                of: "'write'", ["to", "bytes", "text", "value", "values", "rate", "response", "within", "on"])
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
            return text.refuse("'write' takes one value, got \(given.list)", at: text.value)
        }
        let isDescribed = fields["value"] != nil || fields["values"] != nil
        let value =
            isDescribed
            ? fields["to"].flatMap { reader.describedValue(fields, of: $0) }
            : fields["rate"] == nil ? reader.value(fields, "'write'") : reader.stream(fields, "'write'")
        let response = fields["response"].flatMap { text.scalars.bool($0, "'response'") } ?? reader.defaults.response
        let central = reader.central(fields["on"], for: text.value)
        guard let uuid, let value, let central else { return nil }
        let rate = fields["rate"].map { reader.bounded($0, "'rate'", rates) }
        if case .some(.none) = rate { return nil }
        return WriteStep(
            characteristic: uuid, central: central, value: value, hasResponse: response, rate: rate ?? nil)
    }
}
