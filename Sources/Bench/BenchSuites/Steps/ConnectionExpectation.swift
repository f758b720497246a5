import Bench
import BenchModel
import BLECentral
import BLECore
import YAMLReading
import Yams

/// `expect: {connection: …}`: the parameters of a link.
package struct ConnectionExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "connection", options: ["on", "within"],
        reference: [
            StepReference(
                "`expect: {connection: {interval: 30 ms, latency: 0, timeout: 4 s, phy: 2M}, within: 2 s}`",
                """
                the parameters of a link, which it has or gets in that time: any of the connection interval (also \
                `24...40 ms`), the latency, the supervision time-out, and the PHY of both directions: `1M`, `2M` or `coded`. \
                The virtual centrals connect with 7.5 ms, latency 0, 2 s and 1M, and accept what the board asks for
                """)
        ],
        examples: [
            "expect: {connection: {interval: 30 ms, latency: 0, timeout: 4 s, phy: 2M}, within: 2 s, on: second}"
        ],
        mistake: "expect: {connection: {interval: fast}}", read: ConnectionExpectation.read)

    /// The keys, in the order of failures' texts.
    private static let keys = ["interval", "latency", "timeout", "phy"]
    private static let times = [("ms", 1.0), ("us", 0.001), ("s", 1000.0)]

    private var interval: Measure?
    private var latency: Measure?
    private var timeout: Measure?
    private var phy: PHY?
    private var words: String
    private var central: CentralReference

    var needs: Set<BenchAbility> { [.central(.linkParameters)] }

    func run(_ run: StepRun, within time: Duration) async throws(BenchFailure) {
        func range(_ measure: Measure?) throws(BenchFailure) -> ClosedRange<Double>? {
            guard let measure else { return nil }
            return try run.real { context throws(ExpressionError) in try measure.evaluate(&context) }
        }
        let (interval, latency, timeout) = (try range(interval), try range(latency), try range(timeout))
        let expected = "the link of '\(run.name(central))' to have \(words)"
        let (central, session, phy) = (run.central(central), run.session, phy)
        try await session.expectState(expected, within: time) { () async throws(BenchFailure) -> String? in
            let found = try await session.linkParameters(of: central, expected: expected)
            let isReached =
                interval?.contains(found.interval / .milliseconds(1)) ?? true
                && latency?.contains(Double(found.latency)) ?? true
                && timeout?.contains(found.supervisionTimeout / .milliseconds(1)) ?? true
                && phy.map { found.sendPHY == $0 && found.receivePHY == $0 } ?? true
            return isReached ? nil : Self.text(found)
        }
    }

    private static func text(_ link: LinkParameters) -> String {
        let phys =
            link.sendPHY == link.receivePHY
            ? link.sendPHY.rawValue : "\(link.sendPHY.rawValue) to the board, \(link.receivePHY.rawValue) from it"
        return
            "interval \(link.interval.brief), latency \(link.latency), timeout \(link.supervisionTimeout.brief), phy \(phys)"
    }

    private static func read(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> (any SuiteExpectation)? {
        guard let found = Fields(subject, of: "'connection'", known: keys, reader.diagnostics),
            let central = reader.central(fields["on"], for: fields.node)
        else { return nil }
        let given = keys.filter { found[$0] != nil }
        if given.isEmpty {
            reader.diagnostics.report(
                "'connection' without a parameter proves nothing, expected: \(keys.list)", at: subject)
        }
        var expectation = ConnectionExpectation(
            words: given.map { "\($0) \(found[$0]?.scalar?.string ?? "")" }.joined(separator: ", "), central: central)
        // Core 5.4, Vol 4 Part E 7.8.12.
        for (key, path, units, range) in [
            ("interval", \Self.interval, times, 7.5...4000), ("latency", \Self.latency, [], 0...499),
            ("timeout", \Self.timeout, times, 100...32_000),
        ] as [(String, WritableKeyPath<Self, Measure?>, [(String, Double)], ClosedRange<Double>)] {
            guard let node = found[key] else { continue }
            guard units.isEmpty || units.contains(where: { node.scalar?.string.hasSuffix($0.0) == true }) else {
                reader.diagnostics.report(
                    "expected a time with a unit for '\(key)', such as 30 ms (24 units of 1.25 ms), got \(node.summary)",
                    at: node)
                return nil
            }
            guard let measure = reader.measure(node, "'\(key)'", units: units, range) else { return nil }
            expectation[keyPath: path] = measure
        }
        guard let node = found["phy"] else { return expectation }
        expectation.phy = reader.scalars.choice(node, "'phy'")
        return expectation.phy == nil ? nil : expectation
    }
}
