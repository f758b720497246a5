import BLECore
import BLEDescriptions
import Bench
import BenchModel

/// The context of a step: the session, the suite's names, and the values of the parameters.
final class StepRun {
    let session: BenchSession
    let suite: Suite
    /// The session's centrals, by their index in the suite.
    let centrals: [CentralID]
    /// The files of expected pictures; `nil`: none can be expected.
    let pictures: (any PictureFiles)?
    var context = EvaluationContext()
    /// The decoding contexts of described services: values, read or written, that other values depend on.
    var described: [String: DecodingContext] = [:]
    /// The step in progress.
    var step: Step
    /// The total number of repetitions of the step in the blocks around it.
    var repetitions = 1
    /// The steps that have planned a fault or a power cut, by the planned point.
    var planners: [PlannedPoint: Step] = [:]

    init(
        _ session: BenchSession, _ suite: Suite, _ centrals: [CentralID], _ pictures: (any PictureFiles)?, step: Step
    ) {
        self.session = session
        self.suite = suite
        self.centrals = centrals
        self.pictures = pictures
        self.step = step
    }

    /// The session's board, by its index in the suite.
    func board(_ reference: BoardReference) -> BoardID { BoardID(index: reference.index) }

    func central(_ reference: CentralReference) -> CentralID { centrals[reference.index] }

    func name(_ reference: CentralReference) -> String { suite.centrals[reference.index].name }

    func uuid(_ reference: UUIDReference) -> BLEUUID { suite.uuids[reference.index].uuid }

    func name(_ reference: UUIDReference) -> String { suite.uuids[reference.index].name }

    // MARK: Values

    /// A text with the parameters' values put in.
    func text(_ template: TextTemplate) throws(BenchFailure) -> String {
        do throws(ExpressionError) {
            return try template.rendered(&context)
        } catch {
            throw BenchFailure(.suite, expected: "a text", got: error.message, position: step.position)
        }
    }

    /// A console pattern with the parameters' values put in.
    func pattern(_ template: ConsoleTemplate) throws(BenchFailure) -> ConsolePattern {
        switch template {
        case .line(let template): .line(try text(template))
        case .regex(let pattern): .regex(pattern)
        case .match(let template): .value(try match(template))
        }
    }

    /// A value's bytes for the current parameters.
    func bytes(_ template: ValueTemplate) throws(BenchFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(EvaluationError) {
            try template.evaluate(&context, into: &bytes)
        } catch {
            throw BenchFailure(error)
        }
        return bytes
    }

    /// The bytes of a stream: at least one.
    func stream(_ template: ValueTemplate) throws(BenchFailure) -> [UInt8] {
        let bytes = try bytes(template)
        guard !bytes.isEmpty else {
            throw BenchFailure(
                .suite, expected: "at least one byte (an empty list tests nothing)", got: "none",
                position: step.position)
        }
        return bytes
    }

    /// The octet that `expression` computes.
    func octet(_ expression: Expression) throws(BenchFailure) -> UInt8 {
        let value = try integer(expression)
        guard let octet = UInt8(exactly: value) else {
            throw BenchFailure(.suite, expected: "a code 0...255", got: "\(value)", position: step.position)
        }
        return octet
    }

    /// The number that `expression` computes, within `range`; failures call the number `what`.
    func number(
        _ expression: Expression, _ range: ClosedRange<Int64>, _ what: String = "a number"
    ) throws(BenchFailure) -> Int {
        let value = try integer(expression)
        guard range.contains(value) else {
            throw BenchFailure(
                .suite, expected: "\(what) of \(range.lowerBound)...\(range.upperBound)", got: "\(value)",
                position: step.position)
        }
        return Int(value)
    }

    private func integer(_ expression: Expression) throws(BenchFailure) -> Int64 {
        do throws(EvaluationError) {
            return try expression.evaluate(&context, at: step.position)
        } catch {
            throw BenchFailure(error)
        }
    }
}

extension BenchFailure {
    init(_ error: EvaluationError) {
        self.init(.suite, expected: "a value", got: error.message, position: error.position)
    }
}
