import Bench
import BLECore
import YAMLReading
import Yams

/// `subscribe`: writes a Client Characteristic Configuration.
package struct SubscribeStep: FallibleStep {
    static let kind = StepKind(
        word: "subscribe", argument: .required,
        reference: [
            StepReference(
                "`subscribe: output`, `{to: output, kind: indications, within: 1 s, on: second}`",
                "`kind`: `notifications`, `indications`, `none`")
        ], examples: ["subscribe: 2A19", "subscribe: {to: 2A19, kind: indications, on: second}"],
        mistake: "subscribe: {to: 2A19, kind: both}", isLimited: true,
        read: SubscribeStep.read)

    var characteristic: UUIDReference
    /// The central.
    var central: CentralReference
    var subscription: Subscription
    package var expectedError: ExpectedError?

    var errorWords: [(word: String, error: ExpectedError)]? { ExpectedError.commonWords }

    let changesState = true

    func run(_ run: StepRun) async throws(BenchFailure) {
        let outcome = try await run.session.subscribe(
            to: run.uuid(characteristic), subscription, by: run.central(central))
        try run.check(outcome, expectedError)
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let node = text.value
        if case .scalar = node { return SubscribeStep(of: node, central: nil, .notifications, text) }
        guard let fields = text.fields(of: "'subscribe'", ["to", "kind", "within", "on"]),
            let characteristic = fields.required("to", of: "'subscribe'", text.diagnostics)
        else { return nil }
        let subscription: Subscription? =
            fields["kind"].map { text.scalars.choice($0, "what to subscribe to") } ?? .notifications
        return subscription.flatMap { SubscribeStep(of: characteristic, central: fields["on"], $0, text) }
    }

    init?(of characteristic: Node, central: Node?, _ subscription: Subscription, _ text: StepText) {
        guard let uuid = text.reader.uuid(characteristic, "a characteristic"),
            let central = text.reader.central(central, for: text.value)
        else { return nil }
        self.characteristic = uuid
        self.central = central
        self.subscription = subscription
    }
}

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
