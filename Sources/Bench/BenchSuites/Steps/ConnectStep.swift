import Bench
import BLECentral
import YAMLReading

/// `connect`: scans, connects and, by default, discovers the services.
package struct ConnectStep: SuiteStep {
    static let kind = StepKind(
        word: "connect", argument: .required,
        reference: [
            StepReference(
                "`connect: {advertising: service, name: X, within: 5 s, as: second}`",
                """
                scans, connects, discovers; each `as` is a separate central (without it: `first`); in a suite with \
                `boards`, `board: server` (alone or with other conditions) selects the peer by the board's public \
                address, or, on the virtual bench, by a random address with which the board advertises
                """),
            StepReference(
                "`connect: {advertising: service, discover: false}`",
                """
                ends at Connection Complete, long before the board's host requests version and features; \
                `disconnect`, `encrypt`, `subscribe`, `write` and `att` then follow at once, with the \
                attributes of the last discovery by any central
                """),
        ], examples: ["connect: {advertising: 180F, within: 5 s, as: second}", "connect: {name: X, discover: false}"],
        mistake: "connect: {as: second}", read: ConnectStep.read)

    var advertisement: AdvertisementTemplate
    /// The central.
    package var central: CentralReference
    /// The time limit of the search and the connection together.
    package var timeout: Duration
    /// True if the step ends after the discovery of the services; false if it ends at Connection Complete, and later
    /// steps use the services discovered last.
    package var discovers: Bool

    let changesState = true

    var needs: Set<BenchAbility> { discovers ? [] : [.central(.discoveryOnRequest)] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.connect(
            run.central(central), to: run.filter(advertisement), within: timeout, discovers: discovers)
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        guard let fields = text.fields(of: "'connect'", ["advertising", "name", "within", "as", "discover", "board"])
        else {
            return nil
        }
        let central = reader.introducedCentral(fields["as"])
        let within = fields["within"].flatMap { text.scalars.duration($0, "'within'") }
        guard let advertisement = reader.advertisement(fields, "'connect'") else { return nil }
        let discovers = fields["discover"].flatMap { text.scalars.bool($0, "'discover'") } ?? true
        return ConnectStep(
            advertisement: advertisement, central: central, timeout: within ?? reader.defaults.connect,
            discovers: discovers)
    }
}
