import BLECentral
import BLECore
import Bench
import YAMLReading
import Yams

/// `expect: {advertisement: …}`: an advertisement with these data; others are skipped.
struct AdvertisementExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "advertisement", options: ["as", "within", "board"],
        reference: [
            StepReference(
                "`expect: {advertisement: {manufacturer: {company: 0x02E5, contains: [1]}}, within: 5 s, as: second}`",
                """
                scans until one advertisement, with its scan response, meets all conditions; others are skipped. \
                `manufacturer` and `service data: {180F: {bytes: [97]}}` with any conditions on the data (`180F: \
                any`), `bthome: {temperature: 21...23}`, `ibeacon: {uuid: …, major: 1, minor: 2, power: -59}`, \
                `eddystone: {url: "https://…"}` with values as in `json`, `name`, `services`, `address`, \
                `appearance`, `tx power`, `flags`, `connectable: false`, and `interval: 100...112 ms`: the time \
                since the event before, which has a random delay of 0 to 10 ms. Without `name`, `services` and \
                `address`, only advertisements of the board count, or of `board: server`
                """)
        ],
        examples: [
            "expect: {advertisement: {manufacturer: {company: 0x02E5, contains: [1]}}, within: 5 s, as: second}",
            "expect: {advertisement: {service data: {180F: {bytes: [97]}, 181A: any}, appearance: 833, tx power: 3}}",
            "expect: {advertisement: {bthome: {temperature: 21...23, battery: 97}}}",
            "expect: {advertisement: {name: X, services: [180F], flags: 6, connectable: true, interval: 100...112 ms}}",
        ],
        mistake: "expect: {advertisement: {company: 3}}", read: AdvertisementExpectation.read)

    private static let keys =
        [
            "name", "services", "address", "manufacturer", "service data", "appearance", "tx power", "flags",
            "connectable",
            "interval",
        ] + BeaconFormat.allCases.map(\.rawValue)

    private static let companies: ClosedRange<Int64> = 0...0xFFFF
    private static let powers: ClosedRange<Int64> = -127...127
    private static let octets: ClosedRange<Int64> = 0...0xFF
    /// The times between advertising events in ms, with their random delay (Core 5.4, Vol 6 Part B 4.4.2.2).
    private static let intervals: ClosedRange<Double> = 20...10_250

    /// The conditions that do not depend on parameters.
    private var fixed = AdvertisementMatch()
    private var services: [UUIDReference] = []
    private var manufacturer: (company: Expression, match: MatchTemplate?)?
    private var serviceData: [(service: UUIDReference, match: MatchTemplate?)] = []
    private var beacons: [(format: BeaconFormat, values: JSONTemplate)] = []
    private var appearance: Expression?
    private var txPower: Expression?
    private var flags: Expression?
    private var interval: (measure: Measure, text: String)?
    private var central: CentralReference
    private var board: BoardReference?

    private init(_ central: CentralReference) {
        self.central = central
    }

    var needs: Set<BenchAbility> {
        var needs: Set<BenchAbility> = []
        let needsServiceData = !serviceData.isEmpty || beacons.contains { $0.format != .iBeacon }
        if appearance != nil || flags != nil || needsServiceData { needs.insert(.central(.advertisedData)) }
        if interval != nil { needs.insert(.central(.everyAdvertisement)) }
        return needs
    }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        var match = fixed
        match.services = services.map { run.uuid($0) }
        if let manufacturer {
            let company = try run.number(manufacturer.company, Self.companies, "a company")
            match.manufacturer = AdvertisementMatch.ManufacturerData(
                UInt16(company), try manufacturer.match.map(run.match))
        }
        for (service, data) in serviceData {
            match.serviceData.append(AdvertisementMatch.ServiceData(run.uuid(service), try data.map(run.match)))
        }
        for (format, values) in beacons {
            match.beacons.append(AdvertisementMatch.Beacon(format, try run.json(values)))
        }
        if let appearance { match.appearance = try run.number(appearance, Self.companies) }
        if let txPower { match.txPower = try run.number(txPower, Self.powers) }
        if let flags { match.flags = try run.number(flags, Self.octets) }
        if let interval {
            let range = try run.real { context throws(ExpressionError) in try interval.measure.evaluate(&context) }
            match.interval = AdvertisementMatch.Interval(milliseconds: range, text: interval.text)
        }
        try await run.session.expectAdvertisement(
            match, from: board.map { run.board($0) }, by: run.central(central), within: timeout)
    }

    // MARK: Reading

    private static func read(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> (any SuiteExpectation)? {
        var expectation = AdvertisementExpectation(reader.introducedCentral(fields["as"]))
        guard let conditions = Fields(subject, of: "an advertisement", known: keys, reader.diagnostics) else {
            return nil
        }
        guard subject.mapping?.isEmpty == false else {
            reader.diagnostics.report(
                "'advertisement' without a condition proves nothing, expected one of: \(keys.list)", at: subject)
            return nil
        }
        expectation.readAdvertiser(conditions, reader)
        expectation.readData(conditions, reader)
        expectation.appearance = conditions["appearance"].flatMap { reader.bounded($0, "'appearance'", companies) }
        expectation.txPower = conditions["tx power"].flatMap { reader.bounded($0, "'tx power'", powers) }
        expectation.flags = conditions["flags"].flatMap { reader.bounded($0, "'flags'", octets) }
        expectation.fixed.isConnectable = conditions["connectable"].flatMap { reader.scalars.bool($0, "'connectable'") }
        if let node = conditions["interval"] {
            let measure = reader.measure(node, "'interval'", units: [("ms", 1), ("s", 1000)], intervals)
            if let range = measure?.constant, range.lowerBound <= intervals.lowerBound,
                range.upperBound >= intervals.upperBound
            {
                reader.diagnostics.report("an 'interval' of \(node.summary) proves nothing: all are in it", at: node)
            }
            expectation.interval = measure.map { ($0, node.scalar?.string ?? "") }
        }
        if let board = fields["board"] {
            expectation.board = reader.namedBoard(board)
        } else if ["name", "services", "address"].allSatisfy({ conditions[$0] == nil }) {
            guard let board = reader.board(nil, for: fields.node) else { return nil }
            expectation.board = board
        }
        return expectation
    }

    private mutating func readAdvertiser(_ conditions: Fields, _ reader: SuiteReader) {
        fixed.name = conditions["name"].flatMap { reader.scalars.text($0, "a local name") }
        if let node = conditions["services"] {
            services = (node.sequence.map { Array($0) } ?? [node]).compactMap {
                reader.uuid($0, "an advertised service")
            }
        }
        if let node = conditions["address"] {
            fixed.address = node.scalar.flatMap { DeviceAddress($0.string, .public)?.value }
            if fixed.address == nil {
                reader.diagnostics.report(
                    "expected an address such as '24:0A:C4:00:01:10', got \(node.summary)", at: node)
            }
        }
    }

    private mutating func readData(_ conditions: Fields, _ reader: SuiteReader) {
        if let node = conditions["manufacturer"],
            let fields = Fields(
                node, of: "manufacturer data", known: ["company"] + MatchTemplate.keys, reader.diagnostics),
            let company = fields.required("company", of: "manufacturer data", reader.diagnostics).flatMap({
                reader.bounded($0, "a company", Self.companies)
            })
        {
            manufacturer = (company, reader.match(fields, "'manufacturer'"))
        }
        for format in BeaconFormat.allCases {
            guard let node = conditions[format.rawValue] else { continue }
            guard case .mapping = node else {
                reader.diagnostics.report(
                    "expected '\(format.rawValue)' to map names to values, got \(node.summary)", at: node)
                continue
            }
            if let values = reader.contents(node) { beacons.append((format, values)) }
        }
        guard let node = conditions["service data"] else { return }
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            return reader.diagnostics.report(
                "expected 'service data' to map services to conditions, as {180F: {bytes: [97]}}, got \(node.summary)",
                at: node)
        }
        for (key, value) in mapping {
            guard let service = reader.uuid(key, "a service") else { continue }
            if value.scalar?.string == "any" {
                serviceData.append((service, nil))
            } else if let fields = Fields(value, of: "service data", known: MatchTemplate.keys, reader.diagnostics) {
                serviceData.append((service, reader.match(fields, "'service data'")))
            }
        }
    }
}
