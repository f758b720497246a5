import YAMLReading
import Bench

/// `scan`: scans for an advertisement.
struct ScanStep: SuiteStep {
    static let kind = StepKind(
        word: "scan", argument: .required,
        reference: [
            StepReference(
                "`scan: {advertising: service, name: X, within: 5 s, as: second}`",
                """
                advertised in time; `absent: 2 s` in place of `within`: not advertised during that time; `board` as \
                for `connect`
                """)
        ], examples: ["scan: {advertising: 180F, within: 5 s, as: second}", "scan: {name: X, absent: 2 s}"],
        mistake: "scan: {within: 5 s}", read: ScanStep.read)

    var advertisement: AdvertisementTemplate
    /// The central.
    var central: CentralReference
    /// Whether the advertisement is expected, or its absence.
    var isExpected: Bool
    /// The longest scan; when absence is expected, the whole scan.
    var duration: Duration

    let changesState = false

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.scan(
            for: run.filter(advertisement), by: run.central(central), isExpected: isExpected, within: duration)
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let (reader, scalars) = (text.reader, text.scalars)
        guard let fields = text.fields(of: "'scan'", ["advertising", "name", "within", "absent", "as", "board"]) else {
            return nil
        }
        if fields["within"] != nil, let absent = fields["absent"] {
            return text.refuse("'scan' takes 'within' (it is found) or 'absent' (it is not), got both", at: absent)
        }
        let central = reader.introducedCentral(fields["as"])
        let absent = fields["absent"].flatMap { scalars.provingDuration($0, "'absent'") }
        let within = fields["within"].flatMap { scalars.duration($0, "'within'") }
        guard let advertisement = reader.advertisement(fields, "'scan'") else { return nil }
        return ScanStep(
            advertisement: advertisement, central: central, isExpected: fields["absent"] == nil,
            duration: absent ?? within ?? reader.defaults.connect)
    }
}
