import BenchModel
import BoardParts
import Foundation
import LivePage
import PNG
import SourceText

/// The parts that are wired to a board, as a page shows and sets them.
struct LiveParts {
    /// A reading by the indices of its part and in the part.
    struct Place: Hashable {
        let part: Int
        let reading: Int
    }

    /// The longest text of a reading; the rest is cut off: a memory has thousands of bytes.
    private static let textLimit = 200

    let wired: [WiredPart]
    private(set) var states: [PartState]
    /// The pins at which parts are.
    let pins: Set<Int>
    /// The readings that have changed since they were last shown.
    private var changed: Set<Place> = []

    init(_ wired: [WiredPart]) {
        self.wired = wired
        states = wired.map(PartState.init)
        pins = wired.reduce(into: []) { $0.formUnion($1.allPins) }
        changeAll()
    }

    // MARK: Readings

    /// All readings may have changed.
    mutating func changeAll() {
        for (part, wired) in wired.enumerated() {
            for reading in wired.kind.readings.indices { changed.insert(Place(part: part, reading: reading)) }
        }
    }

    /// A reading has changed.
    mutating func receive(_ change: PartChanged) {
        guard let part = wired.firstIndex(where: { $0.name == change.part }),
            let reading = wired[part].kind.readings.firstIndex(where: { $0.name == change.reading })
        else { return }
        changed.insert(Place(part: part, reading: reading))
    }

    /// Removes and returns the readings that have changed.
    mutating func takeChanged() -> Set<Place> {
        defer { changed = [] }
        return changed
    }

    /// Shows the value of a reading.
    mutating func show(_ value: PartReading, at place: Place) {
        let form = wired[place.part].kind.readings[place.reading].form
        var reading = states[place.part].readings[place.reading]
        reading.text = String(value.text(form).prefix(Self.textLimit))
        switch value {
        case .number(let number):
            reading.number = number.isFinite ? number : nil
            if case .number(let unit) = form { reading.unit = unit }
        case .colours(let colours): reading.colours = colours.map(PartReading.text(colour:))
        case .picture(let picture):
            let image = PNGImage(width: picture.width, height: picture.height, pixels: picture.pixels)
            reading.picture = Data(image.file).base64EncodedString()
        case .word, .bytes, .text: break
        }
        states[place.part].readings[place.reading] = reading
    }

    // MARK: Quantities

    /// The part with this name.
    ///
    /// - Throws: `PartFault`, if there is none.
    func part(_ name: String) throws(PartFault) -> Int {
        if let part = wired.firstIndex(where: { $0.name == name }) { return part }
        throw PartFault(
            "there is no part '\(name)'" + (wired.isEmpty ? "" : ", expected one of: \(wired.map(\.name).list)"))
    }

    /// The quantity of a part, after a check of its new value.
    ///
    /// - Throws: `PartFault` for an unknown part or quantity, or a value that it cannot have.
    func quantity(_ name: String, of part: Int, for value: Double) throws(PartFault) -> Int {
        let quantities = wired[part].kind.quantities
        guard let index = quantities.firstIndex(where: { $0.name == name }) else {
            throw PartFault(
                "'\(wired[part].name)' has no quantity '\(name)'"
                    + (quantities.isEmpty ? "" : ", expected one of: \(quantities.map(\.name).list)"))
        }
        if let fault = quantities[index].fault(of: value) { throw PartFault(fault) }
        return index
    }

    mutating func set(_ quantity: Int, of part: Int, to value: Double) {
        states[part].quantities[quantity].value = value
    }

    mutating func setPlugged(_ part: Int, _ isPlugged: Bool) { states[part].isPlugged = isPlugged }
}

extension PartState {
    /// A new part.
    fileprivate init(_ part: WiredPart) {
        self.init(
            name: part.name, kind: part.kind.name, summary: part.kind.summary, wiring: part.connections,
            quantities: part.kind.quantities.map {
                Quantity(
                    name: $0.name, unit: $0.unit, summary: $0.summary, low: $0.range.lowerBound,
                    high: $0.range.upperBound, words: $0.words, value: $0.initial)
            },
            readings: part.kind.readings.map { Reading(name: $0.name, summary: $0.summary) })
    }
}

extension WiredPart {
    /// Its address and pins, in one line.
    fileprivate var connections: String {
        let address = wiring.address.map { ["I²C 0x" + String($0, radix: 16)] } ?? []
        let terminals = kind.terminals.compactMap { terminal -> String? in
            guard let pins = wiring.pins[terminal.name], !pins.isEmpty else { return nil }
            let name = terminal.name == "pin" ? "" : "\(terminal.name) "
            return "\(name)GPIO \(pins.map(String.init).list)"
        }
        return (address + terminals).joined(separator: "; ")
    }
}
