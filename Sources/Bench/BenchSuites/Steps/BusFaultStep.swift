import Bench
import BenchModel
import BoardParts
import YAMLReading
import Yams

/// `fault` of one of the suite's parts: a fault on its I²C bus.
package struct BusFaultStep: SuiteStep {
    static var kind: StepKind { FaultStep.kind }

    /// The row of the reference.
    static let reference = StepReference(
        "`fault: {nack: climate}`, `{flip: climate, byte: 2, bit: 7, nth: 3}`, `{stuck: climate, for: 1 s}`",
        """
        once, in the n-th transaction with a part on an I²C bus: `nack` (it does not acknowledge its address, or the \
        written `byte: n`), `stretch` (it holds SCL low, `by: 20 ms`), `flip` (a bit of a byte that it sends, or that is \
        written to it: `from: board`, is inverted); bytes are counted from 1; `every: true`: from that transaction on; \
        `stuck`: the part holds SDA low from now on, also for others on the bus, until `fault: none` or for that time. A \
        sensor that is asked in two transactions, as with `endTransmission()` and `requestFrom()`, sends its bytes in the second
        """)

    /// The words for the kinds of faults.
    private static let words = ["nack", "stretch", "flip", "stuck"]

    /// The sender of the byte.
    private enum Sender: String, CaseIterable {
        case board
        case part
    }

    /// A kind of fault; its numbers are expressions.
    private enum Action {
        case nack(byte: Expression?)
        case stretch(Duration)
        case flip(byte: Expression, bit: Expression, isWritten: Bool)
        case stuck(Duration?)
    }

    private var part: SuitePart
    private var action: Action
    /// The transaction, counted from 1.
    private var count: Expression
    private var isRepeated: Bool

    let changesState = true

    var needs: Set<BenchAbility> { [.parts] }

    private static let bytes: ClosedRange<Int64> = 1...65_536
    private static let bits: ClosedRange<Int64> = 0...7

    func run(_ run: StepRun) async throws(BenchFailure) {
        func byte(_ expression: Expression) throws(BenchFailure) -> Int {
            try run.number(expression, Self.bytes, "a byte, counted from 1,")
        }
        let kind: BusFault.Kind
        switch action {
        case .nack(let expression?): kind = .noAcknowledgement(byte: try byte(expression))
        case .nack(nil): kind = .noAcknowledgement(byte: nil)
        case .stretch(let time): kind = .stretchedClock(time)
        case .flip(let expression, let bit, let isWritten):
            kind = .invertedBit(try run.number(bit, Self.bits), byte: try byte(expression), isWritten: isWritten)
        case .stuck(let time): kind = .heldData(for: time)
        }
        let fault = BusFault(
            kind, transaction: try run.number(count, 1...Int64(Int32.max)), isRepeated: isRepeated)
        run.planned(
            try await run.session.plan(fault, of: part.part.name, run.step.source, at: run.board(part.board)))
    }

    // MARK: Reading

    /// True if the step is about a part.
    static func isMeant(by node: Node) -> Bool {
        node.mapping?.keys.contains { words.contains($0.scalar?.string ?? "") } == true
    }

    /// Reads the step.
    static func read(_ text: StepText) -> (any SuiteStep)? {
        let reader = text.reader
        let owners = [
            "byte": ["nack", "flip"], "bit": ["flip"], "from": ["flip"], "by": ["stretch"], "for": ["stuck"],
            "nth": ["nack", "stretch", "flip"], "every": ["nack", "stretch", "flip"],
        ]
        guard let fields = text.fields(of: "'fault' of a part", words + owners.keys.sorted()),
            let (kind, subject) = reader.only(words, of: fields, "'fault' of a part takes"),
            let (part, name) = reader.part(subject)
        else { return nil }
        for (key, kinds) in owners.sorted(by: { $0.key < $1.key }) where !kinds.contains(kind) {
            if let node = fields[key] { text.diagnostics.report("'\(key)' belongs to \(kinds.list)", at: node) }
        }
        if let name {
            return text.refuse("expected the part '\(part.part.name)' alone, without '.\(name)'", at: subject)
        }
        guard part.part.need == .address else {
            return text.refuse("'\(part.part.name)' is not on an I²C bus: expected a part that is", at: subject)
        }
        let count = fields["nth"].map { reader.count($0, "'nth'") } ?? Expression(constant: 1)
        guard let count, let action = action(kind, fields, reader) else { return nil }
        let isRepeated = fields["every"].flatMap { text.scalars.bool($0, "'every'") } ?? false
        return BusFaultStep(part: part, action: action, count: count, isRepeated: isRepeated)
    }

    private static func action(_ kind: String, _ fields: Fields, _ reader: SuiteReader) -> Action? {
        let byte = fields["byte"].map { reader.bounded($0, "'byte'", bytes) }
        switch kind {
        case "nack":
            guard let byte else { return .nack(byte: nil) }
            return byte.map { .nack(byte: $0) }
        case "stretch":
            return fields.required("by", of: "a stretched clock", reader.diagnostics)
                .flatMap { reader.scalars.provingDuration($0, "'by'") }.map { .stretch($0) }
        case "flip":
            let bit = fields["bit"].map { reader.bounded($0, "'bit'", bits) } ?? Expression(constant: 0)
            let sender: Sender? = fields["from"].map { reader.scalars.choice($0, "who sends the byte") } ?? .part
            guard let byte = byte ?? Expression(constant: 1), let bit, let sender else { return nil }
            return .flip(byte: byte, bit: bit, isWritten: sender == .board)
        default:
            guard let time = fields["for"] else { return .stuck(nil) }
            return reader.scalars.provingDuration(time, "'for'").map { .stuck($0) }
        }
    }
}
