import Bench
import YAMLReading
import Yams

/// `expect: {notification: …}` and `{indication: …}`: the next value on this link must be this one.
package struct ValueExpectation: SuiteExpectation {
    static let notification = ExpectationKind(
        word: "notification", options: ["bytes", "text", "on", "within"],
        reference: [
            StepReference(
                "`expect: {notification: output, bytes: […], within: 1 s, on: second}`",
                "also `indication`; without `bytes` or `text`: any value")
        ], examples: ["expect: {notification: 2A19, bytes: [1], within: 1 s, on: second}"],
        mistake: "expect: {notification: 2A19, bytes: 1}"
    ) { read($0, $1, $2, isIndication: false) }

    static let indication = ExpectationKind(
        word: "indication", options: ["bytes", "text", "on", "within"], reference: [],
        examples: ["expect: {indication: 2A19}"],
        mistake: "expect: {indication: 2A19, pin: 3}"
    ) { read($0, $1, $2, isIndication: true) }

    var characteristic: UUIDReference
    /// The central.
    var central: CentralReference
    /// Whether an indication, not a notification, must come.
    var isIndication: Bool
    /// The value; `nil`: any.
    package var value: ValueTemplate?

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let bytes: [UInt8]? = if let value { try run.bytes(value) } else { nil }
        try await run.session.expect(
            .value(
                of: run.uuid(characteristic), by: run.central(central), isIndication: isIndication, bytes: bytes,
                isText: value?.isText ?? false),
            within: timeout)
    }

    private static func read(
        _ subject: Node, _ fields: Fields, _ reader: SuiteReader, isIndication: Bool
    ) -> ValueExpectation? {
        let uuid = reader.uuid(subject, "a characteristic")
        let value = reader.value(fields, "'expect'")
        guard let uuid, let central = reader.central(fields["on"], for: fields.node) else { return nil }
        return ValueExpectation(characteristic: uuid, central: central, isIndication: isIndication, value: value)
    }
}
