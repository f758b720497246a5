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
        case about(NumberTemplate, tolerance: NumberTemplate?)
        case between(NumberTemplate, NumberTemplate)
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
        case .about(let number, _): "\(path) about \(try run.value(number).text)\(unit)"
        case .between(let low, let high):
            "\(path) between \(try run.value(low).text) and \(try run.value(high).text)\(unit)"
        }
    }

    /// The unit after a number.
    private var unit: String { value.unit.map { " \($0)" } ?? "" }

    /// True if `content` meets the requirement.
    func holds(_ content: DescribedContent, _ run: StepRun) throws(BenchFailure) -> Bool {
        switch wanted {
        case .equal(let template): return value.isEqual(content, try run.content(template))
        case .about(let template, let tolerance):
            let number = try run.value(template).number
            let allowed =
                if let tolerance { try run.value(tolerance).number } else { max(abs(number) * Self.part, 1e-9) }
            return content.number.map { abs($0 - number) <= allowed } ?? false
        case .between(let low, let high):
            let (low, high) = (try run.value(low).number, try run.value(high).number)
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

/// A number of a check: written with a fraction, or an integer expression with the case's parameters.
enum NumberTemplate: Sendable {
    case real(Double, text: String)
    case expression(Expression, SourcePosition)

    /// The value, if it does not depend on a parameter.
    var constant: Double? {
        switch self {
        case .real(let number, _): number
        case .expression(let expression, _): expression.constant.map { Double($0) }
        }
    }
}

extension SuiteReader {
    fileprivate func number(_ node: Node, _ what: String) -> NumberTemplate? {
        if let text = node.scalar?.string, let number = Double(text), number.isFinite, Int64(text) == nil {
            return .real(number, text: text)
        }
        return scalars.expression(node, what, parameters).map { .expression($0, node.textPosition) }
    }
}

extension StepRun {
    /// A number for the current parameters, and its text for failures.
    fileprivate func value(_ template: NumberTemplate) throws(BenchFailure) -> (number: Double, text: String) {
        switch template {
        case .real(let number, let text): return (number, text)
        case .expression(let expression, let position):
            do throws(EvaluationError) {
                let number = try expression.evaluate(&context, at: position)
                return (Double(number), "\(number)")
            } catch {
                throw BenchFailure(error)
            }
        }
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
