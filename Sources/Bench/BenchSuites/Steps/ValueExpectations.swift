import Bench
import BenchExecutor
import BenchModel
import BLECore
import BLEDescriptions
import MonotonicTime
import SourceText
import YAMLReading
import Yams

/// `expect: {notification: …}` and `{indication: …}`: the next value on this link must be this one.
package struct ValueExpectation: SuiteExpectation {
    static let notification = ExpectationKind(
        word: "notification", options: MatchTemplate.keys + ["order", "on", "within"],
        reference: [
            StepReference(
                "`expect: {notification: output, bytes: […], within: 1 s, on: second}`",
                """
                also `indication`; with any conditions on the value, or without: any value; `order: before` or `after`: \
                before or after the response of the last write on this link
                """)
        ],
        examples: [
            "expect: {notification: 2A19, bytes: [1], within: 1 s, on: second}",
            "expect: {notification: 2A19, json: {wifi: false}, length: 12...}",
            "expect: {notification: 2A19, order: after}",
            "expect: {notification: 2A19, bytes: [0x10, 0, 0x20], mask: [0xff, 0, 0xf0]}",
        ],
        mistake: "expect: {notification: 2A19, bytes: 1}"
    ) { read($0, $1, $2, isIndication: false) }

    static let indication = ExpectationKind(
        word: "indication", options: MatchTemplate.keys + ["order", "on", "within"], reference: [],
        examples: ["expect: {indication: 2A19}"],
        mistake: "expect: {indication: 2A19, pin: 3}"
    ) { read($0, $1, $2, isIndication: true) }

    var characteristic: UUIDReference
    /// The central.
    var central: CentralReference
    /// True if an indication is expected; false: a notification.
    var isIndication: Bool
    /// The conditions on the value; `nil`: any value.
    var match: MatchTemplate?
    /// The place relative to the response of the last write; `nil`: any.
    var order: ResponseOrder?

    /// All bytes of the value, if the step gives them.
    package var value: ValueTemplate? { match?.value }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        try await run.session.expect(
            .value(
                of: run.uuid(characteristic), by: run.central(central), isIndication: isIndication,
                try match.map(run.match), order),
            within: timeout)
    }

    private static func read(
        _ subject: Node, _ fields: Fields, _ reader: SuiteReader, isIndication: Bool
    ) -> ValueExpectation? {
        let uuid = reader.uuid(subject, "a characteristic")
        let match = reader.match(fields, "'expect'")
        guard let uuid, let central = reader.central(fields["on"], for: fields.node) else { return nil }
        var expectation = ValueExpectation(
            characteristic: uuid, central: central, isIndication: isIndication, match: match)
        if let node = fields["order"] {
            expectation.order = reader.scalars.choice(node, "'order'")
            guard expectation.order != nil else { return nil }
        }
        return expectation
    }
}

/// `expect: {value: …}`: a value that the board sends, by its name in the suite's description; earlier values of the
/// same characteristic are skipped.
package struct DescribedExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "value", options: DescribedCheck.keys + ["tolerance", "on", "within"],
        reference: [
            StepReference(
                "`expect: {value: humidity.relative, about: 40.2, within: 1 s, on: second}`",
                """
                a decoded value that is notified or indicated, by the names of the suite's `description`; earlier \
                values are skipped. `about`: within 1 % or `tolerance: 0.5`; `between: [40, 41]`; `is: on`: a number, \
                its name, or a text
                """)
        ],
        examples: [
            "expect: {value: battery.level, about: 40, tolerance: 2, within: 1 s, on: second}",
            "expect: {value: battery.level, is: 40}", "expect: {value: battery.level, between: [20, 30]}",
        ],
        mistake: "expect: {value: battery.levle, is: 40}", read: DescribedExpectation.read)

    var check: DescribedCheck
    var characteristic: UUIDReference
    /// The central.
    var central: CentralReference

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let (session, described) = (run.session, check.place.characteristic)
        let expected = try check.expectation(run)
        let begin = session.bench.executor.now
        // The session lengthens the time that it is given.
        let factor = session.bench.timeFactor
        var last: (text: String, count: Int)?
        while true {
            let left = timeout - begin.duration(to: session.bench.executor.now) / factor
            let bytes: [UInt8]
            do throws(BenchFailure) {
                bytes = try await session.nextValue(
                    of: run.uuid(characteristic), by: run.central(central),
                    isIndication: !described.properties.contains(.notify), within: max(.zero, left))
            } catch {
                var failure = error
                failure.expected = "\(expected) within \(timeout.brief)"
                if let last, error.cause == .timedOut {
                    failure.cause = .assertion
                    failure.got = last.count == 1 ? last.text : "\(last.text), the last of \(last.count) values"
                }
                throw failure
            }
            let reading: DescribedReading
            do throws(DescriptionError) {
                reading = try run.decode(bytes, check.place)
            } catch {
                throw BenchFailure(.assertion, expected: expected, got: "\(BenchFailure.text(bytes)): \(error)")
            }
            let value = reading.value(at: check.index)
            if let value, try check.holds(value.content, run) { return }
            last = (value?.text ?? "\(reading.text), without it", (last?.count ?? 0) + 1)
        }
    }

    private static func read(_ subject: Node, _ fields: Fields, _ reader: SuiteReader) -> (any SuiteExpectation)? {
        guard let check = DescribedCheck.read(fields, of: subject, reader) else {
            if DescribedCheck.keys.allSatisfy({ fields[$0] == nil }) {
                reader.diagnostics.report(
                    "'expect' of a value lacks what it must be, expected one of: \(DescribedCheck.keys.list)",
                    at: fields.node)
            }
            return nil
        }
        guard let uuid = reader.uuid(subject, "a described value"),
            let central = reader.central(fields["on"], for: fields.node)
        else { return nil }
        return DescribedExpectation(check: check, characteristic: uuid, central: central)
    }
}
