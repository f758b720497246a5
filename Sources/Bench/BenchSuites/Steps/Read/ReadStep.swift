import Bench
import BenchModel
import Yams

/// `read`: reads a value.
struct ReadStep: FallibleStep {
    static let kind = StepKind(
        word: "read", argument: .required,
        reference: [StepReference("`read: output`, `{from: output, bytes: […], on: second}`", "")],
        examples: ["read: 2A19", "read: {from: 2A19, bytes: [1], on: second}"],
        mistake: "read: {bytes: [1]}", read: ReadStep.read)

    var characteristic: UUIDReference
    /// The central.
    var client: ClientReference
    /// The expected value; `nil`: any.
    var value: ValueTemplate?
    var expectedError: ExpectedError?

    var errorWords: [(word: String, error: ExpectedError)]? { ExpectedError.commonWords }

    let changesState = false

    func run(_ run: StepRun) async throws(BenchFailure) {
        let wanted: [UInt8]? = if let value { try run.bytes(value) } else { nil }
        let outcome = try await run.session.read(
            run.uuid(characteristic), by: run.central(client), expecting: wanted)
        guard let value = try run.check(outcome, expectedError) else { return }
        if let wanted, wanted != value {
            throw BenchFailure(.assertion, expected: outcome.expected, got: BenchFailure.text(value))
        }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let (node, reader) = (text.value, text.reader)
        if case .scalar = node {
            guard let uuid = reader.uuid(node, "a characteristic"), let client = reader.client(nil, for: node) else {
                return nil
            }
            return ReadStep(characteristic: uuid, client: client)
        }
        guard let fields = text.fields(of: "'read'", ["from", "bytes", "text", "on"]) else { return nil }
        let uuid = fields.required("from", of: "'read'", text.diagnostics).flatMap {
            reader.uuid($0, "a characteristic")
        }
        let client = reader.client(fields["on"], for: node)
        let value = reader.value(fields, "'read'")
        guard let uuid, let client else { return nil }
        return ReadStep(characteristic: uuid, client: client, value: value)
    }
}
