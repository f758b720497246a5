import MonotonicTime

/// A matrix of keys: a pressed key connects its row with its column, so that the chip's level of one appears at the
/// other.
final class Keypad: PinPart {
    static let kind: PartKind = .init(
        name: "keypad",
        summary: "matrix of keys",
        source: "4x4 and 4x3 membrane keypads, as the Arduino library Keypad 3.1 reads them",
        terminals: [
            .init("rows", isList: true, "The pins of the rows, from the top."),
            .init("columns", isList: true, "The pins of the columns, from the left."),
        ],
        quantities: [key],
        settings: [.init("keys", .texts, "The keys of each row, such as `123A`: a character for each.")],
        limits: ["One key is pressed at a time.", "The contacts do not bounce."],
        make: { (wiring) throws(PartFault) in try Keypad(wiring) })

    private static let key: PartKind.Quantity = {
        var key = PartKind.Quantity("key", words: ["none"], "The pressed key: `none` or one of the setting `keys`.")
        key.range = 0...4096
        return key
    }()

    var quantities = Keypad.kind.initialCourses
    private let rows: Int
    private let columns: Int
    private let words: [String]
    /// The chip's drives of the rows, then of the columns, and ours.
    private var chip: [PinDrive]
    private var ours: [PinDrive]
    /// The next key of a recording.
    private(set) var nextDeadline: MonotonicInstant?

    init(_ wiring: PartWiring) throws(PartFault) {
        let (rows, columns) = (wiring.pins["rows"]?.count ?? 0, wiring.pins["columns"]?.count ?? 0)
        guard rows > 0, columns > 0, rows * columns <= 4096 else {
            throw PartFault("rows and columns: expected at least one pin each, at most 4096 keys")
        }
        let keys = wiring.texts("keys").map(Array.init)
        guard keys.count == rows else { throw PartFault("keys: expected \(rows) rows, as in rows; got \(keys.count)") }
        if let row = keys.first(where: { $0.count != columns }) {
            throw PartFault("keys: expected \(columns) keys in each row, as in columns; got \"\(String(row))\"")
        }
        (self.rows, self.columns) = (rows, columns)
        words = ["none"] + keys.joined().map(String.init)
        var seen: Set<String> = []
        for word in words where !seen.insert(word).inserted { throw PartFault("keys: \"\(word)\" is there twice") }
        chip = Array(repeating: .floating, count: rows + columns)
        ours = chip
    }

    func words(ofQuantity index: Int) -> [String]? { words }

    var answersPins: Bool { true }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        guard chip.indices.contains(terminal) else { return }
        for change in changes {
            chip[terminal] = change.drive
            update(at: change.time, &effects)
        }
    }

    func quantityChanged(_ index: Int, at time: MonotonicInstant, _ effects: inout PartEffects) {
        advance(to: time, &effects)
    }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        let key = quantity(0, at: time).rounded(.down)
        nextDeadline = .earliest(
            quantities[0].nextCrossing(of: key, after: time), quantities[0].nextCrossing(of: key + 1, after: time))
        update(at: time, &effects)
    }

    /// The lines of the pressed key have each other's level; all others are left alone.
    private func update(at time: MonotonicInstant, _ effects: inout PartEffects) {
        var drives = Array(repeating: PinDrive.floating, count: chip.count)
        let value = quantity(0, at: time)
        if value >= 1, value < Double(words.count) {
            let (row, column) = (Int(value) - 1).quotientAndRemainder(dividingBy: columns)
            drives[row] = chip[rows + column]
            drives[rows + column] = chip[row]
        }
        for terminal in drives.indices where drives[terminal] != ours[terminal] {
            effects.drive(terminal, drives[terminal], at: time)
        }
        ours = drives
    }
}
