import Bench
import BenchModel

/// A board that a suite names, with the sketch that it runs.
public struct SuiteBoard: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The sketch that the file names.
    public var reference: SketchReference
    /// The sketch's name in results: as the file names it, as long as no other is known.
    public var sketch: String
    /// What the sketch was built with; `nil` as long as it is not known.
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

    /// What a bench calls its boards.
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
