import Bench
import BenchModel
import BoardParts
import YAMLReading
import Yams

/// `set`: sets quantities of parts, at once or over time.
package struct SetStep: SuiteStep {
    static let kind = StepKind(
        word: "set", argument: .required,
        reference: [
            StepReference(
                "`set: {climate.temperature: 31.5, door: pressed}`",
                """
                quantities of the suite's `parts` (`espbench parts` lists them): a number, an integer expression, or \
                `0.1 * t`; a part's only quantity needs no name; `20...35 over 60 s`: evenly over a time; `outdoor.csv`: as \
                recorded in a file beside the suite, with the columns `time` (in seconds; also `time (ms)`) and \
                `temperature` (`climate: outdoor.csv`: all its columns), whose time 0 is this step: evenly in between, the \
                first value before the first time and the last one after the last; `unplugged` and `plugged`: a part \
                without connection
                """)
        ],
        examples: ["set: {climate.temperature: 31.5, door: pressed}", "set: {climate.temperature: 20...35 over 60 s}"],
        mistake: "set: {climate.temprature: 31.5}", read: SetStep.read)

    /// A change of one part.
    private struct Change {
        enum Value {
            case number(quantity: PartKind.Quantity, RealExpression)
            case word(quantity: PartKind.Quantity, Int)
            case ramp(quantity: PartKind.Quantity, RealExpression, RealExpression, Duration)
            case recording(quantity: PartKind.Quantity, [QuantityCourse.Point], file: String)
            case plugged(Bool)
        }

        var part: SuitePart
        var value: Value
    }

    private var changes: [Change]

    let changesState = true

    var needs: Set<BenchAbility> { [.parts] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        for change in changes {
            let (name, board) = (change.part.part.name, run.board(change.part.board))
            switch change.value {
            case .plugged(let isPlugged): try await run.session.setPlugged(name, isPlugged, of: board)
            case .word(let quantity, let number):
                try await run.session.set(
                    name, quantity.name, to: .constant(Double(number)), quantity.text(Double(number)), of: board)
            case .number(let quantity, let expression):
                let value = try run.value(expression, of: quantity, name)
                try await run.session.set(
                    name, quantity.name, to: .constant(value), quantity.text(value), of: board)
            case .ramp(let quantity, let first, let last, let time):
                let (from, to) = (
                    try run.value(first, of: quantity, name), try run.value(last, of: quantity, name)
                )
                try await run.session.set(
                    name, quantity.name, to: .ramp(from: from, to: to, start: run.session.now, over: time),
                    "\(from.decimal) to \(quantity.text(to)) over \(time.brief)", of: board)
            case .recording(let quantity, let points, let file):
                try await run.session.set(
                    name, quantity.name, to: .recording(points, start: run.session.now), file, of: board)
            }
        }
    }

    // MARK: Reading

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        guard case .mapping(let mapping) = text.value, !mapping.isEmpty else {
            return text.refuse(
                "expected 'set' to map quantities to values, such as {climate.temperature: 31.5}, got \(text.value.summary)",
                at: text.value)
        }
        let changes = mapping.map { change($0.key, $0.value, text.reader) }
        return changes.contains { $0 == nil } ? nil : SetStep(changes: changes.compactMap(\.self).flatMap(\.self))
    }

    /// The changes of one entry: several for a recording.
    private static func change(_ key: Node, _ value: Node, _ reader: SuiteReader) -> [Change]? {
        guard let (part, name) = reader.part(key) else { return nil }
        let word = value.scalar?.string ?? ""
        if name == nil, ["unplugged", "plugged"].contains(word) {
            return [Change(part: part, value: .plugged(word == "plugged"))]
        }
        if word.hasSuffix(".csv") {
            do throws(RecordingFile.Fault) {
                return try recording(word, of: part, name, reader)
            } catch {
                reader.diagnostics.report(error.text, at: value)
                return nil
            }
        }
        return self.change(part, name, key, value, reader).map { [$0] }
    }

    /// The changes by the columns of a recording: all of them, or the one for a quantity.
    private static func recording(
        _ path: String, of part: SuitePart, _ name: String?, _ reader: SuiteReader
    ) throws(RecordingFile.Fault) -> [Change] {
        let text: String
        do {
            guard let source = reader.descriptionSource else { throw RecordingFile.Fault(text: "no files are known") }
            text = try source(path)
        } catch {
            throw RecordingFile.Fault(text: "\(error)")
        }
        let file = try RecordingFile(text, name: path)
        let known = part.part.kind.quantities
        var changes: [Change] = []
        for (column, title) in file.columns.enumerated() where name == nil || title == name {
            guard let quantity = known.first(where: { $0.name == title }) else {
                throw file.fault(
                    1,
                    "unknown quantity '\(title)' of '\(part.part.name)'"
                        + Suggestion.text(for: title, in: known.map(\.name))
                        + ", expected one of: \(known.map(\.name).list)")
            }
            let points = try file.points(of: quantity, column: column)
            changes.append(Change(part: part, value: .recording(quantity: quantity, points, file: path)))
        }
        guard !changes.isEmpty else {
            throw file.fault(1, "expected a column '\(name ?? "")', got \(file.columns.list)")
        }
        return changes
    }

    private static func change(
        _ part: SuitePart, _ name: String?, _ key: Node, _ value: Node, _ reader: SuiteReader
    ) -> Change? {
        let word = value.scalar?.string ?? ""
        let known = part.part.kind.quantities
        guard let quantity = name == nil && known.count == 1 ? known[0] : known.first(where: { $0.name == name }) else {
            let expected = known.map { "\(part.part.name).\($0.name)" }.list
            let meant = name.map { Suggestion.text(for: $0, in: known.map(\.name)) } ?? ""
            reader.diagnostics.report(
                known.isEmpty
                    ? "nothing can be set of a \(part.part.kind.name) but 'unplugged' and 'plugged'"
                    : "\(name.map { "unknown quantity '\($0)'\(meant)" } ?? "which quantity"), expected one of: \(expected)",
                at: key)
            return nil
        }
        if !quantity.words.isEmpty {
            let words = quantity.words.enumerated().map { ($0.element, $0.offset) }
            return reader.scalars.choice(value, "'\(quantity.name)' of '\(part.part.name)'", among: words).map {
                Change(part: part, value: .word(quantity: quantity, $0))
            }
        }
        let halves = word.split(separator: " over ", maxSplits: 1).map(String.init)
        guard halves.count == 2, let dots = halves[0].firstRange(of: "..."), let time = Duration(text: halves[1]),
            time > .zero
        else {
            if let fault = courseFault(word) {
                reader.diagnostics.report("\(fault), got \(value.summary)", at: value)
                return nil
            }
            return reader.real(value, word, quantity).map { Change(part: part, value: .number(quantity: quantity, $0)) }
        }
        guard let first = reader.real(value, String(halves[0][..<dots.lowerBound]), quantity),
            let last = reader.real(value, String(halves[0][dots.upperBound...]), quantity)
        else { return nil }
        return Change(part: part, value: .ramp(quantity: quantity, first, last, time))
    }

    private static func spaceless(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The fault of a text that is meant as a course, with the course as it should be written; `nil`: it is not one.
    private static func courseFault(_ text: String) -> String? {
        let preposition = [" over ", " in ", " for ", " during ", " within "].lazy
            .compactMap { text.firstRange(of: $0) }.first
        let ends = text[..<(preposition?.lowerBound ?? text.endIndex)]
        guard let dots = ["...", "…", "..", " to "].lazy.compactMap({ ends.firstRange(of: $0) }).first else {
            return preposition == nil ? nil : "a course needs both of its ends: 20...35 over 60 s"
        }
        let range = "\(spaceless(ends[..<dots.lowerBound]))...\(spaceless(ends[dots.upperBound...]))"
        guard let preposition else { return "a course needs a time: \(range) over 10 s" }
        let time = spaceless(text[preposition.upperBound...])
        if Duration(text: time) != nil { return "a course is written \(range) over \(time)" }
        let example = Duration(text: time + " s") == nil ? "10 s" : time + " s"
        return "a course needs a time with a unit (us, ms, s or min): \(range) over \(example)"
    }
}

extension SuiteReader {
    /// A number for a quantity; a constant out of its range is reported.
    fileprivate func real(_ node: Node, _ text: String, _ quantity: PartKind.Quantity) -> RealExpression? {
        var text = text
        text.dropUnit(quantity.unit)
        guard node.scalar != nil else {
            diagnostics.report("expected a number for '\(quantity.name)', got \(node.summary)", at: node)
            return nil
        }
        do throws(ExpressionError) {
            guard let value = try RealExpression(text, parameters: parameters) else { return nil }
            if let fault = value.constant.flatMap(quantity.fault) { diagnostics.report(fault, at: node) }
            return value
        } catch {
            diagnostics.report("expected a number for '\(quantity.name)': \(error.message)", at: node)
            return nil
        }
    }
}

extension StepRun {
    /// The value of a quantity for the current parameters.
    fileprivate func value(
        _ expression: RealExpression, of quantity: PartKind.Quantity, _ part: String
    ) throws(BenchFailure) -> Double {
        let value = try real { context throws(ExpressionError) in try expression.evaluate(&context) }
        if let fault = quantity.fault(of: value) {
            throw BenchFailure(
                .suite, expected: "a value of \(part).\(quantity.name)", got: fault, position: step.position)
        }
        return value
    }

    /// A value computed from the current parameters.
    func real<Value>(
        _ evaluate: (inout EvaluationContext) throws(ExpressionError) -> Value
    ) throws(BenchFailure) -> Value {
        do throws(ExpressionError) {
            return try evaluate(&context)
        } catch {
            throw BenchFailure(.suite, expected: "a number", got: error.message, position: step.position)
        }
    }
}
