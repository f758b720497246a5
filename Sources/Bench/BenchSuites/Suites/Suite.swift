public import Bench
public import BenchModel
public import BLECore
public import BLEDescriptions
import Console
public import YAMLReading

/// A suite: cases that a board has to pass, as read from a YAML file.
///
/// Every expression is compiled and every name resolved; only values that depend on parameters are computed at run
/// time.
public struct Suite: Sendable {
    /// The suite's file, as the user named it.
    public var file: String
    /// The suite's name.
    public var name: String
    /// The sketch that the file names; with several boards, the first board's sketch. `nil`: the sketch beside the
    /// suite.
    public var sketchReference: SketchReference?
    /// The sketch's name in results, or the names of several boards' sketches, as in the file; empty until the name is
    /// known.
    public var sketch: String
    /// The build of the sketch; `nil` until it is known, or with several boards.
    public var firmware: FirmwareInformation?
    /// The boards that the file names, all on one air; empty: a single board without a name.
    public var boards: [SuiteBoard] = []
    /// The parts that are wired to the boards.
    public var parts: [SuitePart] = []
    /// Remarks on its files: what is in them and has no effect.
    public var notes: [DocumentError.Diagnostic] = []
    /// Every UUID that the steps use; a ``UUIDReference`` is an index in this list.
    public var uuids: [NamedUUID]
    /// Descriptions of peripherals that the suite names; they explain the peripherals' values.
    public var descriptions: [PeripheralDescription] = []
    /// The centrals that the steps use; a ``CentralReference`` is an index in this list.
    public var centrals: [CentralDescription]
    /// Steps that establish the state from which every case starts.
    public var before: [Step]
    /// Steps that run after every case, passed or failed.
    public var after: [Step]
    /// The cases in order.
    public var cases: [SuiteCase]
    /// The regular expressions of its steps, shared by all benches that run the suite.
    private(set) var patterns = LinePatterns()
    /// Words by which a run selects the suite's cases.
    public var tags: [String] = []

    /// The tags of a case: the suite's and the case's own.
    public func tags(of suiteCase: SuiteCase) -> [String] {
        tags + suiteCase.tags.filter { !tags.contains($0) }
    }

    /// The total number of instances of all cases.
    public var instanceCount: Int { cases.reduce(0) { $0 + $1.matrix.count } }

    /// The suite as a run announces it.
    public var information: SuiteInformation {
        SuiteInformation(
            name: name, file: file, sketch: sketch, boards: boardInformation, instanceCount: instanceCount,
            firmware: firmware)
    }

    /// The suite's boards as results show them; empty: a single board.
    var boardInformation: [BoardInformation] {
        guard boards.count > 1 else { return [] }
        return boards.map { BoardInformation(name: $0.name, sketch: $0.sketch, firmware: $0.firmware) }
    }

    /// The suite as a run of `plan` announces it.
    func information(of plan: SuitePlan) -> SuiteInformation {
        var information = information
        information.instanceCount = plan.instanceCount
        return information
    }

    /// All steps, in the order of the file.
    package var allSteps: [Step] {
        (before + after + cases.flatMap { ($0.before ?? []) + $0.steps }).flatMap(\.withInnerSteps)
    }

    /// The abilities that the bench needs to run every case.
    public var needs: Set<BenchAbility> {
        cases.reduce(into: (before + after).needs) { $0.formUnion(steps(of: $1).needs) }
    }

    /// Every step that an instance of a case carries out.
    func steps(of suiteCase: SuiteCase) -> [Step] { (suiteCase.before ?? before) + suiteCase.steps + after }

    /// The names that the suite gives to UUIDs.
    var names: [BLEUUID: String] {
        Dictionary(uuids.map { ($0.uuid, $0.name) }) { first, _ in first }
    }
}

/// The sketch of a suite: a path relative to the suite's file, or the name of one of the project's sketches.
public struct SketchReference: Hashable, Sendable {
    /// The sketch as written.
    public var name: String
    /// The position in the file.
    public var position: SourcePosition
}

extension [Step] {
    /// The abilities the bench needs.
    var needs: Set<BenchAbility> {
        let all = flatMap(\.withInnerSteps)
        return all.reduce(into: all.centralCount > 1 ? [.severalCentrals] : []) { $0.formUnion($1.needs) }
    }

    /// The abilities that `bench` lacks for the steps.
    func missing(on bench: Bench) -> Set<BenchAbility> {
        var missing = needs.subtracting(bench.abilities)
        let count = flatMap(\.withInnerSteps).centralCount
        if let limit = bench.centrals.limit, count > limit, !missing.contains(.severalCentrals) {
            missing.insert(.centrals(count))
        }
        return missing
    }

    /// The number of centrals that the steps use.
    private var centralCount: Int { reduce(into: Set()) { $0.formUnion($1.centrals) }.count }
}

/// A UUID and its name in the suite.
public struct NamedUUID: Hashable, Sendable {
    /// The name in the suite; without a name, the UUID's text.
    public var name: String
    /// The UUID.
    public var uuid: BLEUUID
}

/// A reference to one of ``Suite/uuids``.
public struct UUIDReference: Hashable, Sendable {
    /// The index.
    public let index: Int
}

/// A reference to one of ``Suite/centrals``.
public struct CentralReference: Hashable, Sendable {
    /// The index.
    public let index: Int
}

/// A case: steps, carried out once for each combination of its parameters.
public struct SuiteCase: Sendable {
    /// The name, with places for the parameters' values.
    public var name: TextTemplate
    /// The parameters and all their combinations.
    public var matrix: ParameterMatrix
    /// Steps before the case, replacing the suite's `before`; `nil`: the suite's `before`.
    public var before: [Step]?
    /// The steps of the case.
    public var steps: [Step]
    /// Where the case begins in the file.
    public var position: SourcePosition
    /// The regular expressions of its steps, for all benches that run it.
    private(set) var patterns = LinePatterns()
    /// Words by which a run selects the case, in addition to the suite's tags.
    public var tags: [String] = []
}

/// A board that a suite names, and its sketch.
public struct SuiteBoard: Hashable, Sendable {
    /// The board's name.
    public var name: String
    /// The sketch that the file names.
    public var reference: SketchReference
    /// The sketch's name in results: the name in the file until another one is set.
    public var sketch: String
    /// The build of the sketch; `nil` until it is known.
    public var firmware: FirmwareInformation?

    /// A board.
    init(name: String, reference: SketchReference) {
        self.name = name
        self.reference = reference
        sketch = reference.name
    }
}

/// One of a suite's boards: its index in ``Suite/boards``; 0 where the suite names none.
public struct BoardReference: Hashable, Sendable {
    /// The index.
    public let index: Int
}

extension Suite {
    /// The number of boards on which the suite runs.
    public var boardCount: Int { max(1, boards.count) }

    /// The names of the boards on a bench.
    public var boardNames: [String] { boards.isEmpty ? [BenchBoard.onlyName] : boards.map(\.name) }

    /// The sketches of its boards, in their order; `nil`: the one beside the suite.
    public var sketchReferences: [SketchReference?] {
        boards.isEmpty ? [sketchReference] : boards.map(\.reference)
    }

    /// Sets the names of the boards' sketches in results, in the order of the boards.
    public mutating func nameSketches(_ names: [String]) {
        for (index, name) in zip(boards.indices, names) { boards[index].sketch = name }
        sketch = names.joined(separator: ", ")
    }

    /// Sets the builds of the boards' sketches, in the order of the boards.
    public mutating func setFirmware(_ firmwares: [FirmwareInformation?]) {
        for (index, firmware) in zip(boards.indices, firmwares) { boards[index].firmware = firmware }
        firmware = boards.count > 1 ? nil : firmwares.first ?? nil
    }
}

/// All errors in a suite's file, found before the suite runs.
public typealias SuiteError = DocumentError

/// The parameters of a case and their combinations: a product of lists, or a table.
public struct ParameterMatrix: Hashable, Sendable {
    private enum Values: Hashable, Sendable {
        case product([[Int64]])
        case table([[Int64]])
    }

    /// A matrix with more combinations is refused.
    public static let maximumCount = 10_000_000

    /// The parameters' names.
    public let names: [String]
    /// The number of combinations: 1 without parameters.
    public let count: Int
    private let values: Values

    /// A matrix without parameters; it has one combination.
    public init() {
        self.init(names: [], values: .table([[]]), count: 1)
    }

    private init(names: [String], values: Values, count: Int) {
        self.names = names
        self.values = values
        self.count = count
    }

    /// Every combination of one value from each list; the last list varies fastest. `nil` above ``maximumCount``.
    init?(product axes: [(name: String, values: [Int64])]) {
        var count = 1
        for axis in axes {
            let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
            guard !overflow, product <= Self.maximumCount else { return nil }
            count = product
        }
        self.init(names: axes.map(\.name), values: .product(axes.map(\.values)), count: count)
    }

    /// The rows of a table, one value per name.
    init(names: [String], rows: [[Int64]]) {
        self.init(names: names, values: .table(rows), count: rows.count)
    }

    /// Puts combination `index` (from 0, below ``count``) into `parameters`, in the order of ``names``.
    public func fill(_ parameters: inout [Int64], at index: Int) {
        switch values {
        case .table(let rows):
            parameters = rows[index]
        case .product(let axes):
            if parameters.count != axes.count { parameters = Array(repeating: 0, count: axes.count) }
            var rest = index
            for axis in axes.indices.reversed() {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: axes[axis].count)
                parameters[axis] = axes[axis][remainder]
                rest = quotient
            }
        }
    }
}
