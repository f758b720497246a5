import SourceText
import YAMLReading
import Yams

/// Reads the simulation of a value: a constant, or a wave such as `{sine: [20, 30], every: 60 s}`.
struct WaveReader {
    private static let kinds = ["sine", "ramp", "steps", "noise", "count"]

    private let reader: DescriptionReader
    private let names: [String]

    /// - Parameter names: the names of whole numbers.
    init(_ reader: DescriptionReader, _ names: [(Int, String)]) {
        self.reader = reader
        self.names = names.map(\.1)
    }

    func wave(_ node: Node) -> Wave? {
        guard case .mapping = node else { return content(node).map { .constant($0) } }
        guard let fields = Fields(node, of: "'simulated'", known: Self.kinds + ["every"], reader.diagnostics) else {
            return nil
        }
        let given = Self.kinds.filter { fields[$0] != nil }
        guard given.count == 1, let kind = given.first, let subject = fields[kind] else {
            reader.diagnostics.report(
                "expected one of: \(Self.kinds.list); got \(given.isEmpty ? "none" : given.list)", at: node)
            return nil
        }
        let time = fields.required("every", of: "'simulated'", reader.diagnostics).flatMap(time)
        switch kind {
        case "steps":
            guard case .sequence(let list) = subject, !list.isEmpty else {
                reader.diagnostics.report(
                    "expected 'steps' to be a list of values, got \(subject.summary)", at: subject)
                return nil
            }
            let contents = list.compactMap(content)
            return time.flatMap { contents.count == list.count ? .steps(contents, step: $0) : nil }
        case "count":
            let text = reader.scalars.text(subject, "a text with %, such as Count %")
            return time.flatMap { time in text.map { .count($0, step: time) } }
        default:
            guard let range = range(subject, kind), let time else { return nil }
            return kind == "sine"
                ? .sine(range, period: time) : kind == "ramp" ? .ramp(range, period: time) : .noise(range, step: time)
        }
    }

    private func time(_ node: Node) -> Duration? {
        guard let time = reader.scalars.duration(node, "'every'") else { return nil }
        if time >= DescriptionReader.shortestTime { return time }
        reader.diagnostics.report("expected 'every' to be at least 1 ms, got \(node.summary)", at: node)
        return nil
    }

    private func range(_ node: Node, _ kind: String) -> ClosedRange<Double>? {
        if case .sequence(let list) = node, list.count == 2 {
            let bounds = list.map { reader.number($0, "the bound of a range") }
            guard let low = bounds[0], let high = bounds[1] else { return nil }
            if low <= high { return low...high }
        }
        reader.diagnostics.report(
            "expected '\(kind)' to be the lowest and the highest number, such as [20, 30], got \(node.summary)",
            at: node)
        return nil
    }

    /// A number, a text, true or false, or a list of numbers.
    private func content(_ node: Node) -> DescribedContent? {
        switch node {
        case .sequence(let list):
            let elements = list.compactMap(content)
            return elements.count == list.count ? .list(elements) : nil
        case .scalar(let scalar):
            let text = scalar.string
            guard scalar.style == .plain, !names.contains(text) else { return .text(text) }
            if text == "true" || text == "false" { return .flag(text == "true") }
            if let formula = try? FormulaCompiler.formula(text), let number = formula.constant { return number.content }
            return .text(text)
        default:
            reader.diagnostics.report("expected a number, a text or a wave, got \(node.summary)", at: node)
            return nil
        }
    }
}

extension PeripheralDescription {
    /// Reads the simulation of a value, in the form of the key `simulated` in a description: `40.2`, `on`,
    /// `{sine: [20, 30], every: 60 s}`.
    ///
    /// - Parameters:
    ///   - path: the path of the value, e.g. `humidity.relative`.
    ///   - file: the name of the text in messages.
    /// - Throws: ``DescriptionError`` `unknownName`; `DocumentError`.
    public func wave(_ yaml: String, of path: String, file: String) throws -> Wave {
        let value = try value(path)
        let diagnostics = DiagnosticCollector(file: file)
        var wave: Wave?
        switch diagnostics.document(yaml) {
        case .root(let node): wave = WaveReader(DescriptionReader(diagnostics, yaml), value).wave(node)
        case .empty: wave = .constant(.text(""))
        case .faulty: break
        }
        try diagnostics.finish()
        guard let wave else { preconditionFailure("expected a report of what is wrong with '\(yaml)'") }
        return wave
    }

    /// Reads the simulation of the value `path`; reports a fault, and returns `nil`.
    package func wave(_ node: Node, of path: Node, _ diagnostics: DiagnosticCollector) -> Wave? {
        do throws(DescriptionError) {
            let value = try value(path.scalar?.string ?? "")
            return WaveReader(DescriptionReader(diagnostics, ""), value).wave(node)
        } catch {
            diagnostics.report(error.description, at: path)
            return nil
        }
    }

    private func value(_ path: String) throws(DescriptionError) -> ValueDescription {
        let names = try ValuePath(path, in: self)
        let values = try service(named: names.service).characteristics.flatMap(\.values)
        if let value = values.first(where: { $0.name == names.rest }) { return value }
        throw DescriptionError(unknown: "value", names.rest, in: names.service, among: values.map(\.name))
    }
}

extension WaveReader {
    fileprivate init(_ reader: DescriptionReader, _ value: ValueDescription) {
        self.init(reader, value.names.map { (Int(clamping: $0.number), $0.name) })
    }
}
