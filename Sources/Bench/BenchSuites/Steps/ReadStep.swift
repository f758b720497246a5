import Bench
import BenchModel
import BLEDescriptions
import YAMLReading
import Yams

/// `read`: reads a value.
struct ReadStep: FallibleStep {
    static let kind = StepKind(
        word: "read", argument: .required,
        reference: [
            StepReference(
                "`read: output`, `{from: output, bytes: […], within: 1 s, on: second}`",
                """
                with any conditions on the value; for a described value also `about`, `between` and `is`, as in \
                `expect: {value: …}`
                """)
        ],
        examples: [
            "read: 2A19", "read: {from: 2A19, bytes: [1], on: second}", "read: {from: battery.level, about: 40}",
            "read: {from: 2A19, length: 12...20, contains: OK}",
        ],
        mistake: "read: {bytes: [1]}", isLimited: true,
        read: ReadStep.read)

    var characteristic: UUIDReference
    /// The central.
    var central: CentralReference
    /// The conditions on the value; `nil`: any value.
    var match: MatchTemplate?
    /// The requirement on the decoded value.
    var check: DescribedCheck?
    var expectedError: ExpectedError?

    var errorWords: [(word: String, error: ExpectedError)]? { ExpectedError.commonWords }

    let changesState = false

    func run(_ run: StepRun) async throws(BenchFailure) {
        let match = try match.map(run.match)
        let outcome = try await run.session.read(
            run.uuid(characteristic), by: run.central(central), expecting: match)
        guard let value = try run.check(outcome, expectedError) else { return }
        run.note(value, of: characteristic)
        if let check { try Self.prove(value, check, run) }
        if let match { try await run.session.check(value, match, expected: outcome.expected) }
    }

    /// Checks the decoded value.
    private static func prove(_ bytes: [UInt8], _ check: DescribedCheck, _ run: StepRun) throws(BenchFailure) {
        let expected = try check.expectation(run)
        let reading: DescribedReading
        do throws(DescriptionError) {
            reading = try run.decode(bytes, check.place)
        } catch {
            throw BenchFailure(.assertion, expected: expected, got: "\(BenchFailure.text(bytes)): \(error)")
        }
        let value = reading.value(at: check.index)
        guard let value, try check.holds(value.content, run) else {
            throw BenchFailure(.assertion, expected: expected, got: value?.text ?? "\(reading.text), without it")
        }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let (node, reader) = (text.value, text.reader)
        if case .scalar = node {
            guard let uuid = reader.uuid(node, "a characteristic"), let central = reader.central(nil, for: node) else {
                return nil
            }
            return ReadStep(characteristic: uuid, central: central)
        }
        guard
            let fields = text.fields(
                of: "'read'", ["from"] + MatchTemplate.keys + ["tolerance", "within", "on"] + DescribedCheck.keys)
        else { return nil }
        let uuid = fields.required("from", of: "'read'", text.diagnostics).flatMap {
            reader.uuid($0, "a characteristic")
        }
        let central = reader.central(fields["on"], for: node)
        let match = reader.match(fields, "'read'")
        let check = fields["from"].flatMap { DescribedCheck.read(fields, of: $0, reader) }
        guard let uuid, let central else { return nil }
        return ReadStep(characteristic: uuid, central: central, match: match, check: check)
    }
}
