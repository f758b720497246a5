import Bench
import YAMLReading
import Yams

/// `scan`: scans for an advertisement.
struct ScanStep: SuiteStep {
    static let kind = StepKind(
        word: "scan", argument: .required,
        reference: [
            StepReference(
                "`scan: {advertising: service, name: X, within: 5 s, as: second}`",
                """
                expects an advertisement within the time; `absent: 2 s` in place of `within` expects no advertisement \
                during that time; `board` works as in `connect`
                """)
        ], examples: ["scan: {advertising: 180F, within: 5 s, as: second}", "scan: {name: X, absent: 2 s}"],
        mistake: "scan: {within: 5 s}", read: ScanStep.read)

    var advertisement: AdvertisementTemplate
    /// The central.
    var central: CentralReference
    /// True if an advertisement is expected; false if no advertisement is expected.
    var isExpected: Bool
    /// The maximum duration of the scan; if no advertisement is expected, the whole scan.
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

/// The advertisement that a step looks for; one advertisement must meet all conditions.
struct AdvertisementTemplate: Sendable {
    /// Services that are all advertised.
    var services: [UUIDReference]
    /// The local name.
    var name: String?
    /// The board that sends it; `nil`: any device.
    var board: BoardReference?
}

extension SuiteReader {
    /// Reads `advertising`, `name` and `board`, at least one of which is required.
    func advertisement(_ fields: Fields, _ what: String) -> AdvertisementTemplate? {
        let services: [UUIDReference?] =
            fields["advertising"].map { node in
                (node.sequence.map { Array($0) } ?? [node]).map { uuid($0, "an advertised service") }
            } ?? []
        let name = fields["name"].flatMap { scalars.text($0, "a local name") }
        let sender = fields["board"]
        if services.isEmpty, name == nil, sender == nil {
            diagnostics.report(
                "\(what) lacks what to look for, expected 'advertising', 'name' or, where 'boards' are named, 'board'",
                at: fields.node)
            return nil
        }
        let board = namedBoard(sender)
        guard !services.contains(nil), board != nil || sender == nil else { return nil }
        return AdvertisementTemplate(services: services.compactMap(\.self), name: name, board: board)
    }
}

extension StepRun {
    func filter(_ template: AdvertisementTemplate) -> AdvertisementFilter {
        AdvertisementFilter(
            services: template.services.map { uuid($0) }, name: template.name, board: template.board.map { board($0) })
    }
}
