import BLECentral
import Bench
import YAMLReading
import Yams

/// `expect: {disconnect: …}`: the end of a connection that the suite did not ask for, for this reason (HCI error code)
/// or any.
struct DisconnectExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "disconnect", options: ["on", "within"],
        reference: [
            StepReference("`expect: {disconnect: 0x08, within: 30 s, on: second}`", "the HCI reason, or `any`")
        ], examples: ["expect: {disconnect: 0x08, within: 30 s, on: second}", "expect: {disconnect: any}"],
        mistake: "expect: {disconnect: all}"
    ) { subject, fields, reader in
        guard let central = reader.central(fields["on"], for: fields.node) else { return nil }
        if subject.scalar?.string == "any" { return DisconnectExpectation(central: central) }
        return reader.scalars.expression(subject, "an HCI error code or 'any'", reader.parameters).map {
            DisconnectExpectation(central: central, reason: $0)
        }
    }

    var central: CentralReference
    /// The reason; `nil`: any.
    var reason: Expression?

    var needs: Set<BenchAbility> { reason == nil ? [] : [.central(.disconnectReason)] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let octet: UInt8? = if let reason { try run.octet(reason) } else { nil }
        try await run.session.expect(.disconnect(run.central(central), reason: octet), within: timeout)
    }
}
