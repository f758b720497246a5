import SourceText
import BLEDescriptions
import Bench
import YAMLReading
import Yams

/// The requirement on a decoded value.
struct DescribedCheck: Sendable {
    /// The keys, exactly one of which must be given.
    static let keys = ["is", "about", "between"]
    /// The tolerance of `about`, as a fraction of the number, if the step gives none.
    private static let part = 0.01

    enum Wanted: Sendable {
        case equal(ContentTemplate)
        case about(RealExpression, tolerance: RealExpression?)
        case between(RealExpression, RealExpression)
    }

    let place: DescribedPlace
    /// The value's index in its characteristic.
    let index: Int
    let wanted: Wanted

    var value: ValueDescription { place.characteristic.values[index] }
    /// The value's name, preceded by its service's name.
    var path: String { "\(place.service.name).\(value.name)" }

    /// The expectation in words, for failures.
    func expectation(_ run: StepRun) throws(BenchFailure) -> String {
        switch wanted {
        case .equal(let content): "\(path) to be \(try value.text(run.content(content)))"
        case .about(let number, _): "\(path) about \(try run.value(number).decimal)\(unit)"
        case .between(let low, let high):
            "\(path) between \(try run.value(low).decimal) and \(try run.value(high).decimal)\(unit)"
        }
    }

    /// The unit after a number.
    private var unit: String { value.unit.map { " \($0)" } ?? "" }

    /// True if `content` meets the requirement.
    func holds(_ content: DescribedContent, _ run: StepRun) throws(BenchFailure) -> Bool {
        switch wanted {
        case .equal(let template): return value.isEqual(content, try run.content(template))
        case .about(let template, let tolerance):
            let number = try run.value(template)
            let allowed =
                if let tolerance { try run.value(tolerance) } else { max(abs(number) * Self.part, 1e-9) }
            return content.number.map { abs($0 - number) <= allowed } ?? false
        case .between(let low, let high):
            let (low, high) = (try run.value(low), try run.value(high))
            return content.number.map { $0 >= low && $0 <= high } ?? false
        }
    }

    /// Reads the keys of a check; `nil` if there is no check, or an error was reported.
    static func read(_ fields: Fields, of target: Node, _ reader: SuiteReader) -> DescribedCheck? {
        let given = keys.filter { fields[$0] != nil }
        guard let key = given.first, let node = fields[key] else { return nil }
        if given.count > 1 { reader.diagnostics.report("expected one of: \(keys.list); got \(given.list)", at: node) }
        guard let (place, _) = reader.place(target, "a described value") else { return nil }
        guard let index = place.value else {
            let names = place.characteristic.values.map { "\(place.service.name).\($0.name)" }
            reader.diagnostics.report("expected one value, one of: \(names.list)", at: target)
            return nil
        }
        let value = place.characteristic.values[index]
        guard let wanted = wanted(key, node, fields["tolerance"], value, reader) else { return nil }
        return DescribedCheck(place: place, index: index, wanted: wanted)
    }

    private static func wanted(
        _ key: String, _ node: Node, _ tolerance: Node?, _ value: ValueDescription, _ reader: SuiteReader
    ) -> Wanted? {
        if let tolerance, key != "about" { reader.diagnostics.report("'tolerance' belongs to 'about'", at: tolerance) }
        if key == "is" { return reader.content(node, of: value).map { .equal($0) } }
        guard value.isNumber else {
            reader.diagnostics.report("'\(value.name)' is not a number, expected 'is'", at: node)
            return nil
        }
        if key == "about" {
            guard let number = reader.number(node, "a number") else { return nil }
            guard let tolerance else { return .about(number, tolerance: nil) }
            guard let allowed = reader.number(tolerance, "a tolerance") else { return nil }
            if let constant = allowed.constant, constant < 0 {
                reader.diagnostics.report("expected a tolerance of 0 or more, got \(tolerance.summary)", at: tolerance)
            }
            return .about(number, tolerance: allowed)
        }
        guard case .sequence(let list) = node, list.count == 2 else {
            reader.diagnostics.report("expected 'between' to be a list such as [20, 30], got \(node.summary)", at: node)
            return nil
        }
        guard let low = reader.number(list[0], "a number"), let high = reader.number(list[1], "a number") else {
            return nil
        }
        if let lower = low.constant, let upper = high.constant, lower > upper {
            reader.diagnostics.report(
                "expected 'between' to begin with its lower end, got \(lower) and \(upper)", at: node)
        }
        return .between(low, high)
    }
}

extension SuiteReader {
    fileprivate func number(_ node: Node, _ what: String) -> RealExpression? {
        do throws(ExpressionError) {
            if let text = node.scalar?.string, !text.isEmpty,
                let number = try RealExpression(text, parameters: parameters)
            {
                return number
            }
            diagnostics.report("expected \(what), got \(node.summary)", at: node)
        } catch {
            diagnostics.report("expected \(what): \(error.message)", at: node)
        }
        return nil
    }
}

extension StepRun {
    /// A number for the current parameters.
    fileprivate func value(_ number: RealExpression) throws(BenchFailure) -> Double {
        try real { context throws(ExpressionError) in try number.evaluate(&context) }
    }

    func content(_ template: ContentTemplate) throws(BenchFailure) -> DescribedContent {
        do throws(EvaluationError) {
            return try template.evaluate(&context)
        } catch {
            throw BenchFailure(error)
        }
    }

    /// Decodes a characteristic's value by the description; keeps the results that later values depend on.
    func decode(_ bytes: [UInt8], _ place: DescribedPlace) throws(DescriptionError) -> DescribedReading {
        let reading = try place.characteristic.decode(bytes, described[place.service.name] ?? DecodingContext())
        if place.characteristic.role != .data {
            described[place.service.name, default: DecodingContext()].note(reading)
        }
        return reading
    }

    /// Keeps a value that was read or written if other values depend on it, e.g. a calibration or a range.
    func note(_ bytes: [UInt8], of characteristic: UUIDReference) {
        let uuid = uuid(characteristic)
        for service in suite.descriptions.flatMap(\.services) {
            guard let found = service.characteristic(uuid), found.role != .data else { continue }
            _ = try? decode(bytes, DescribedPlace(service: service, characteristic: found, value: nil))
        }
    }
}
