public import Bench
public import BenchModel
public import BLECore
public import BLEDescriptions
import Console
public import YAMLReading

/// A suite: cases that a board has to pass, as read from a YAML file (`SuiteReading/` says how).
///
/// Every expression is compiled and every name resolved; only values that depend on parameters are computed at run
/// time.
public struct Suite: Sendable {
    /// The suite's file, as it was named.
    public var file: String
    /// The suite's name.
    public var name: String
    /// The sketch that the file names, of the first board where it names boards; `nil`: the one beside the suite.
    public var sketchReference: SketchReference?
    /// The sketch's name in results, with several boards the names: as the file has them; empty as long as it is not
    /// known.
    public var sketch: String
    /// The build of the sketch; `nil` as long as it is not known, and with several boards.
    public var firmware: FirmwareInformation?
    /// The boards that the file names, all on one air; empty: there is one, without a name.
    public var boards: [SuiteBoard] = []
    /// Every UUID the steps speak of; ``UUIDReference`` points here.
    public var uuids: [NamedUUID]
    /// Descriptions of the peripherals that the suite names, which give their values a meaning.
    public var descriptions: [PeripheralDescription] = []
    /// The centrals the steps use; ``CentralReference`` points here.
    public var centrals: [CentralDescription]
    /// Steps that make the state every case starts from.
    public var before: [Step]
    /// Steps after every case, passed or failed.
    public var after: [Step]
    /// The cases in order.
    public var cases: [SuiteCase]
    /// The regular expressions of its steps, for all benches that run it.
    private(set) var patterns = LinePatterns()
    /// Words by which a run selects the suite's cases.
    public var tags: [String] = []

    /// The tags of a case of this suite: the suite's, and its own.
    public func tags(of suiteCase: SuiteCase) -> [String] {
        tags + suiteCase.tags.filter { !tags.contains($0) }
    }

    /// How many instances all cases have together.
    public var instanceCount: Int { cases.reduce(0) { $0 + $1.matrix.count } }

    /// The suite as a run announces it.
    public var information: SuiteInformation {
        SuiteInformation(
            name: name, file: file, sketch: sketch, boards: boardInformation, instanceCount: instanceCount,
            firmware: firmware)
    }

    /// Its boards as results show them, if there are several.
    var boardInformation: [BoardInformation] {
        guard boards.count > 1 else { return [] }
        return boards.map { BoardInformation(name: $0.name, sketch: $0.sketch, firmware: $0.firmware) }
    }

    /// The suite as a run announces it that runs what `plan` says.
    func information(of plan: SuitePlan) -> SuiteInformation {
        var information = information
        information.instanceCount = plan.instanceCount
        return information
    }

    /// All steps, in the order of the file.
    package var allSteps: [Step] {
        (before + after + cases.flatMap { ($0.before ?? []) + $0.steps }).flatMap(\.withInnerSteps)
    }

    /// The abilities the bench needs for every case to run.
    public var needs: Set<BenchAbility> {
        cases.reduce(into: (before + after).needs) { $0.formUnion(steps(of: $1).needs) }
    }

    /// Every step that an instance of a case carries out.
    func steps(of suiteCase: SuiteCase) -> [Step] { (suiteCase.before ?? before) + suiteCase.steps + after }

    /// The names of the UUIDs that the suite gives names to.
    var names: [BLEUUID: String] {
        Dictionary(uuids.map { ($0.uuid, $0.name) }) { first, _ in first }
    }
}

/// The sketch of a suite: a path relative to the suite's file, or the name of one of the project's sketches.
public struct SketchReference: Hashable, Sendable {
    /// As written.
    public var name: String
    /// Where it is.
    public var position: SourcePosition
}

extension [Step] {
    /// The abilities the bench needs.
    var needs: Set<BenchAbility> {
        let all = flatMap(\.withInnerSteps)
        return all.reduce(into: all.centralCount > 1 ? [.severalCentrals] : []) { $0.formUnion($1.needs) }
    }

    /// The abilities that `bench` lacks for them.
    func missing(on bench: Bench) -> Set<BenchAbility> {
        var missing = needs.subtracting(bench.abilities)
        let count = flatMap(\.withInnerSteps).centralCount
        if let limit = bench.centrals.limit, count > limit, !missing.contains(.severalCentrals) {
            missing.insert(.centrals(count))
        }
        return missing
    }

    /// How many centrals they use.
    private var centralCount: Int { reduce(into: Set()) { $0.formUnion($1.centrals) }.count }
}

/// A UUID with the name a suite calls it.
public struct NamedUUID: Hashable, Sendable {
    /// The name in the suite, or the UUID's text where it has none.
    public var name: String
    /// The UUID.
    public var uuid: BLEUUID
}

/// One of ``Suite/uuids``.
public struct UUIDReference: Hashable, Sendable {
    /// The index.
    public let index: Int
}

/// One of ``Suite/centrals``.
public struct CentralReference: Hashable, Sendable {
    /// The index.
    public let index: Int
}

/// A case: steps, carried out once for each combination of its parameters.
public struct SuiteCase: Sendable {
    /// The name, with places for parameters.
    public var name: TextTemplate
    /// The parameters and all their combinations.
    public var matrix: ParameterMatrix
    /// Steps before the case, in place of the suite's; `nil`: the suite's.
    public var before: [Step]?
    /// The steps of the case.
    public var steps: [Step]
    /// Where the case begins.
    public var position: SourcePosition
    /// The regular expressions of its steps, for all benches that run it.
    private(set) var patterns = LinePatterns()
    /// Words by which a run selects the case, besides the suite's.
    public var tags: [String] = []
}

/// A board that a suite names, with the sketch that it runs.
public struct SuiteBoard: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The sketch that the file names.
    public var reference: SketchReference
    /// The sketch's name in results: as the file names it, as long as no other is known.
    public var sketch: String
    /// The build of the sketch; `nil` as long as it is not known.
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
    /// How many boards it runs on.
    public var boardCount: Int { max(1, boards.count) }

    /// The names of the boards on a bench.
    public var boardNames: [String] { boards.isEmpty ? [BenchBoard.onlyName] : boards.map(\.name) }

    /// The sketches of its boards, in their order; `nil`: the one beside the suite.
    public var sketchReferences: [SketchReference?] {
        boards.isEmpty ? [sketchReference] : boards.map(\.reference)
    }

    /// Sets what results call the sketches of its boards, in their order.
    public mutating func nameSketches(_ names: [String]) {
        for (index, name) in zip(boards.indices, names) { boards[index].sketch = name }
        sketch = names.joined(separator: ", ")
    }

    /// Sets what the sketches of its boards were built with, in their order.
    public mutating func setFirmware(_ firmwares: [FirmwareInformation?]) {
        for (index, firmware) in zip(boards.indices, firmwares) { boards[index].firmware = firmware }
        firmware = boards.count > 1 ? nil : firmwares.first ?? nil
    }
}

/// Everything that is wrong with a suite's file: found before anything runs.
public typealias SuiteError = DocumentError

/// The parameters of a case and their combinations: a product of lists, or a table.
public struct ParameterMatrix: Hashable, Sendable {
    private enum Values: Hashable, Sendable {
        case product([[Int64]])
        case table([[Int64]])
    }

    /// More combinations than this are refused.
    public static let maximumCount = 10_000_000

    /// The parameters' names.
    public let names: [String]
    /// How many combinations there are: 1 without parameters.
    public let count: Int
    private let values: Values

    /// No parameters, one combination.
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
