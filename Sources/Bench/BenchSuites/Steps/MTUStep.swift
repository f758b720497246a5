import Bench
import BenchModel
import BLECentral
import YAMLReading
import Yams

/// `mtu`: exchanges the ATT MTU.
struct MTUStep: SuiteStep {
    static let kind = StepKind(
        word: "mtu", argument: .required,
        reference: [StepReference("`mtu: {offer: 185, effective: 185, within: 1 s, on: second}`", "")],
        examples: ["mtu: {offer: 185, effective: 185, on: second}"],
        mistake: "mtu: {offer: 22}", isLimited: true,
        read: MTUStep.read)

    /// The valid MTUs: from the minimum of LE to the size that fits the longest attribute value.
    private static let range: ClosedRange<Int64> = 23...517

    /// The central.
    var central: CentralReference
    /// The offered MTU.
    var offer: Expression
    /// The expected MTU; `nil`: any.
    var effective: Expression?

    let changesState = true

    var needs: Set<BenchAbility> { [.central(.mtuExchange)] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        let offer = try run.number(offer, Self.range, "an MTU")
        let effective: Int? = if let effective { try run.number(effective, Self.range, "an MTU") } else { nil }
        let expected = "an MTU" + (effective.map { " of \($0)" } ?? "") + " for an offer of \(offer)"
        let mtu = try await run.session.exchangeMTU(offer, by: run.central(central), expected: expected)
        if let effective, effective != mtu { throw BenchFailure(.assertion, expected: expected, got: "\(mtu)") }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        guard let fields = text.fields(of: "'mtu'", ["offer", "effective", "within", "on"]) else { return nil }
        let offer = fields.required("offer", of: "'mtu'", text.diagnostics).flatMap {
            reader.bounded($0, "'offer'", range)
        }
        let effective = fields["effective"].flatMap { reader.bounded($0, "'effective'", range) }
        guard let offer, let central = reader.central(fields["on"], for: text.value) else { return nil }
        return MTUStep(central: central, offer: offer, effective: effective)
    }
}
