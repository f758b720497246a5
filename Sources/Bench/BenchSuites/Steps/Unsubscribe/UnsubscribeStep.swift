import Bench
import BLECore
import YAMLReading
import Yams

/// `unsubscribe`: ends a subscription.
struct UnsubscribeStep: FallibleStep {
    static let kind = StepKind(
        word: "unsubscribe", argument: .required,
        reference: [StepReference("`unsubscribe: output`, `{from: output, within: 1 s, on: second}`", "")],
        examples: ["unsubscribe: 2A19", "unsubscribe: {from: 2A19, on: second}"], mistake: "unsubscribe: {on: second}",
        isLimited: true,
        read: UnsubscribeStep.read)

    var step: SubscribeStep

    var expectedError: ExpectedError? {
        get { step.expectedError }
        set { step.expectedError = newValue }
    }

    var errorWords: [(word: String, error: ExpectedError)]? { step.errorWords }

    let changesState = true

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await step.run(run)
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let node = text.value
        if case .scalar = node {
            return SubscribeStep(of: node, central: nil, .none, text).map { UnsubscribeStep(step: $0) }
        }
        guard let fields = text.fields(of: "'unsubscribe'", ["from", "within", "on"]),
            let characteristic = fields.required("from", of: "'unsubscribe'", text.diagnostics)
        else { return nil }
        return SubscribeStep(of: characteristic, central: fields["on"], .none, text).map { UnsubscribeStep(step: $0) }
    }
}
