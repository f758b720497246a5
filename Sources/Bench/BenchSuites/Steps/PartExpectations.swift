import Bench
import BenchModel
import BoardParts
import YAMLReading
import Yams

/// `expect: {alarm: on}`: a reading of one of the suite's parts.
package struct PartExpectation: SuiteExpectation {
    /// The keys beside the part's.
    static let options = ["for", "within"]

    /// The expected value.
    private enum Value {
        case text(String)
        case number(Measure)
        case bytes(ValueTemplate)
        case picture(TextTemplate)
        case content(ConsoleTemplate)
        case lines([TextTemplate])
    }

    private var part: SuitePart
    private var reading: PartKind.Reading
    private var value: Value
    private var time: Duration?

    var needs: Set<BenchAbility> { [.parts] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let name = part.part.name
        let pattern: StatePattern
        switch value {
        case .text(let text): pattern = .text(part: name, reading: reading.name, text)
        case .bytes(let template):
            let text = PartReading.bytes(try run.bytes(template)).text(.bytes)
            pattern = .text(part: name, reading: reading.name, text)
        case .number(let measure):
            let range = try run.real { context throws(ExpressionError) in try measure.evaluate(&context) }
            pattern = .number(part: name, reading: reading.name, range)
        case .content(let template):
            pattern = .content(part: name, reading: reading.name, ValueMatch(try run.pattern(template)))
        case .lines(let templates):
            var lines: [String] = []
            for template in templates { lines.append(try run.text(template)) }
            let match = ValueMatch(.line(lines.joined(separator: "\n")))
            pattern = .content(part: name, reading: reading.name, match)
        case .picture(let file):
            let check = PictureCheck(
                run: run, part: name, reading: reading.name, board: run.board(part.board), path: try run.text(file))
            return try await check.expect(for: time ?? .zero, within: timeout)
        }
        try await run.session.expect(pattern, for: time ?? .zero, within: timeout, of: run.board(part.board))
    }

    /// The row of the reference.
    static let reference = StepReference(
        "`expect: {alarm: on, within: 1 s}`, `expect: {lock.angle: 90 ± 2}`",
        """
        a reading of one of the suite's `parts` (`espbench parts` lists them), as it is or becomes in that time: a word, a \
        number (`90`: it rounds to it; `90 ± 2`, `80...100`), colours (`["#FF0000", "#000000"]`), bytes, the \
        picture of a display: all pixels of a PNG file beside the suite (`screen: warm.png`, \
        `screen: "value-{t}.png"`), or the text of a character display: `lcd: "Hello"`, `lcd: [Hello, World]` for two \
        lines, `lcd.line2: /[0-9]+ °C/`, `lcd: {contains: Hello}`; a part's first reading needs no name; `for: 2 s` as for a pin
        """)

    /// Reads the expectation if a key of the step names a part; `nil`: none does.
    static func find(_ node: Node, _ reader: SuiteReader) -> (key: Node, value: Node)? {
        node.mapping?.first { key, _ in key.scalar.map { reader.namesPart($0.string) } == true }
            .map { ($0.key, $0.value) }
    }

    /// Reads the expectation of a part.
    static func read(_ key: Node, _ subject: Node, _ text: StepText) -> ExpectStep? {
        let reader = text.reader
        guard let word = key.scalar?.string, let (part, name) = reader.part(key),
            let fields = text.fields(of: "'expect' of a part", [word] + options)
        else { return nil }
        let known = part.part.kind.readings
        guard let reading = name == nil ? known.first : known.first(where: { $0.name == name }) else {
            let meant = name.map { Suggestion.text(for: $0, in: known.map(\.name)) } ?? ""
            reader.diagnostics.report(
                known.isEmpty
                    ? "nothing can be expected of a \(part.part.kind.name)"
                    : "unknown reading '\(name ?? "")'\(meant), expected one of: \(known.map { "\(part.part.name).\($0.name)" }.list)",
                at: key)
            return nil
        }
        guard let value = value(subject, reading, reader) else { return nil }
        let time = fields["for"].flatMap { reader.scalars.provingDuration($0, "'for'") }
        let within = fields["within"].flatMap { reader.scalars.duration($0, "'within'") } ?? reader.defaults.within
        return ExpectStep(
            expectation: PartExpectation(part: part, reading: reading, value: value, time: time), timeout: within)
    }

    private static func value(_ node: Node, _ reading: PartKind.Reading, _ reader: SuiteReader) -> Value? {
        switch reading.form {
        case .words(let words):
            return reader.scalars.choice(node, "'\(reading.name)'", among: words.map { ($0, $0) }).map(Value.text)
        case .number(let unit):
            return reader.measure(node, "'\(reading.name)'", units: [(unit, 1)]).map(Value.number)
        case .colours:
            let items = node.sequence.map { Array($0) } ?? [node]
            let colours = items.compactMap { colour($0, reader) }
            return colours.count == items.count && !items.isEmpty ? .text(colours.joined(separator: " ")) : nil
        case .bytes:
            guard case .sequence(let sequence) = node else {
                reader.diagnostics.report("expected a list of bytes, got \(node.summary)", at: node)
                return nil
            }
            let elements = sequence.map(reader.element)
            return elements.contains { $0 == nil }
                ? nil : .bytes(ValueTemplate(elements: elements.compactMap(\.self)))
        case .text:
            if case .sequence(let sequence) = node {
                let lines = sequence.map { reader.scalars.template($0, "a line", reader.parameters) }
                return lines.contains { $0 == nil } ? nil : .lines(lines.compactMap(\.self))
            }
            // An empty display.
            if case .scalar(let scalar) = node, scalar.string.isEmpty, scalar.style != .plain { return .lines([]) }
            return ConsoleExpectation.line(node, reading.name, reader).map(Value.content)
        case .picture:
            guard let file = reader.scalars.template(node, "a picture's file, such as warm.png", reader.parameters)
            else {
                return nil
            }
            guard let fault = PictureCheck.fault(ofPath: file.source) else { return .picture(file) }
            reader.diagnostics.report(fault, at: node)
            return nil
        }
    }

    private static func colour(_ node: Node, _ reader: SuiteReader) -> String? {
        guard let text = node.scalar?.string, text.hasPrefix("#"), text.count == 7,
            let number = UInt32(text.dropFirst(), radix: 16)
        else {
            reader.diagnostics.report("expected a colour such as '#FF8000', got \(node.summary)", at: node)
            return nil
        }
        return PartReading.text(colour: number)
    }
}

/// `expect: {pwm: …}`: the PWM signal of a pin.
package struct PWMExpectation: SuiteExpectation {
    static let kind = ExpectationKind(
        word: "pwm", options: ["duty", "frequency", "for", "within", "board"],
        reference: [
            StepReference(
                "`expect: {pwm: 5, duty: 50 ± 1 %, frequency: 5 kHz}`",
                """
                the PWM signal of a pin (`ledcWrite`, `analogWrite`, `tone`), as it is or becomes in that time; \
                `duty: off`: there is none any more
                """)
        ],
        examples: ["expect: {pwm: 5, duty: 50 ± 1 %, frequency: 5 kHz}", "expect: {pwm: 5, duty: off, within: 1 s}"],
        mistake: "expect: {pwm: 5}"
    ) { subject, fields, reader in
        guard let pin = reader.bounded(subject, "'pwm'", ButtonStep.pins),
            let board = reader.board(fields["board"], for: fields.node)
        else { return nil }
        let time = fields["for"].flatMap { reader.scalars.provingDuration($0, "'for'") }
        if fields["duty"]?.scalar?.string == "off", fields["frequency"] == nil {
            return PWMExpectation(pin: pin, isOff: true, time: time, board: board)
        }
        let duty = fields["duty"].map { reader.measure($0, "'duty'", units: [("%", 1)], 0...100) }
        let frequency = fields["frequency"].map {
            reader.measure($0, "'frequency'", units: [("kHz", 1000), ("MHz", 1_000_000), ("Hz", 1)])
        }
        if duty == nil, frequency == nil {
            reader.diagnostics.report(
                "'expect' of a PWM signal lacks what it expects: 'duty' or 'frequency'", at: fields.node)
        }
        if case .some(.none) = duty { return nil }
        if case .some(.none) = frequency { return nil }
        return PWMExpectation(
            pin: pin, duty: duty ?? nil, frequency: frequency ?? nil, time: time, board: board)
    }

    private var pin: Expression
    private var duty: Measure?
    private var frequency: Measure?
    private var isOff = false
    private var time: Duration?
    private var board: BoardReference

    var needs: Set<BenchAbility> { [.pwm] }

    func run(_ run: StepRun, within timeout: Duration) async throws(BenchFailure) {
        let pin = try run.number(pin, ButtonStep.pins, "a pin")
        func range(_ measure: Measure?) throws(BenchFailure) -> ClosedRange<Double>? {
            guard let measure else { return nil }
            return try run.real { context throws(ExpressionError) in try measure.evaluate(&context) }
        }
        let pattern: StatePattern =
            isOff ? .noPWM(pin) : .pwm(pin, duty: try range(duty), frequency: try range(frequency))
        try await run.session.expect(pattern, for: time ?? .zero, within: timeout, of: run.board(board))
    }
}

extension SuiteReader {
    /// An expected real number.
    func measure(
        _ node: Node, _ what: String, units: [(name: String, scale: Double)], _ range: ClosedRange<Double>? = nil
    ) -> Measure? {
        do throws(ExpressionError) {
            if let text = node.scalar?.string, !text.isEmpty,
                let measure = try Measure(text, units: units, parameters: parameters)
            {
                if let range, let constant = measure.constant, !constant.overlaps(range) {
                    diagnostics.report(
                        "expected \(what) of \(range.lowerBound.decimal)...\(range.upperBound.decimal), got \(node.summary)",
                        at: node)
                }
                return measure
            }
            diagnostics.report(
                "expected a number for \(what), such as 50, '50 ± 1' or 40...60, got \(node.summary)", at: node)
        } catch {
            diagnostics.report("expected a number for \(what): \(error.message)", at: node)
        }
        return nil
    }
}
