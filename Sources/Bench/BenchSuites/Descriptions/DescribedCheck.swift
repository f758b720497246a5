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
        case range(ClosedRange<Double>, text: String)
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
        case .range(_, let text): "\(path) \(text)"
        }
    }

    /// True if `content` meets the requirement.
    func holds(_ content: DescribedContent, _ run: StepRun) throws(BenchFailure) -> Bool {
        switch wanted {
        case .equal(let template): return value.isEqual(content, try run.content(template))
        case .range(let range, _): return content.number.map(range.contains) ?? false
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
        let unit = value.unit.map { " \($0)" } ?? ""
        if key == "about" {
            guard let number = number(node, "a number", reader) else { return nil }
            let allowed = tolerance.map { self.number($0, "a tolerance", reader) } ?? max(abs(number) * part, 1e-9)
            guard let allowed, allowed >= 0 else { return nil }
            return .range(number - allowed...number + allowed, text: "about \(node.scalar?.string ?? "")\(unit)")
        }
        guard case .sequence(let list) = node, list.count == 2, let low = number(list[0], "a number", reader),
            let high = number(list[1], "a number", reader), low <= high
        else {
            reader.diagnostics.report("expected 'between' to be a list such as [20, 30], got \(node.summary)", at: node)
            return nil
        }
        let bounds = list.map { $0.scalar?.string ?? "" }
        return .range(low...high, text: "between \(bounds[0]) and \(bounds[1])\(unit)")
    }

    private static func number(_ node: Node, _ what: String, _ reader: SuiteReader) -> Double? {
        if let number = node.scalar.flatMap({ Double($0.string) }), number.isFinite { return number }
        reader.diagnostics.report("expected \(what), got \(node.summary)", at: node)
        return nil
    }
}

extension StepRun {
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
