import MonotonicTime

/// Hitachi's controller of character displays: instructions, memories and times of the data sheet HD44780U,
/// ADE-207-272(Z), revision 0.0, on four data lines (DB4 to DB7).
struct HD44780 {
    let columns: Int
    let rows: Int

    /// The cells of a row in the memory of two lines.
    private static let rowLength = 40
    /// The times of table 6 at 270 kHz: other instructions, data with the address counter's update, clear and home; and
    /// that of the reset by the supply (23).
    private static let short = Duration.microseconds(37)
    private static let data = Duration.microseconds(41)
    private static let long = Duration.microseconds(1520)
    private static let reset = Duration.milliseconds(10)
    /// The time of a frame of 16 lines (27).
    static let frame = Duration.microseconds(11_900)

    /// The display data RAM and the character generator RAM.
    private var cells = [UInt8](repeating: 0x20, count: 2 * HD44780.rowLength)
    private var glyphs = [UInt8](repeating: 0, count: 64)
    private var counter = 0
    private var addressesGlyphs = false
    private var increments = true
    private var shiftsDisplay = false
    private var shift = 0
    private var isOn = false
    private var hasTwoLines = false
    private var hasEightBits = true
    private var ready: MonotonicInstant
    /// The first half of a write, and true if the write is lost, since the controller was busy.
    private var half: UInt8?
    private var isLost = false
    /// True after the first half of a read.
    private var hasReadHalf = false

    /// A controller whose supply comes on.
    init(columns: Int, rows: Int, at time: MonotonicInstant) {
        (self.columns, self.rows) = (columns, rows)
        ready = time.advanced(by: Self.reset)
    }

    // MARK: Text

    /// The characters of a row, without spaces at its end.
    func text(_ row: Int) -> String {
        guard isOn, hasTwoLines || row % 2 == 0 else { return "" }
        let length = hasTwoLines ? Self.rowLength : cells.count
        let (start, offset) = (hasTwoLines ? row % 2 * length : 0, row / 2 * columns)
        let line = (0..<columns).map { cells[start + (offset + $0 + shift) % length] }
        let end = line.lastIndex { $0 != 0x20 } ?? -1
        return String(line[...end].map(Self.character))
    }

    /// The characters of ROM A00 (table 4). The eight of the program's own are ⓪ to ⑦.
    private static func character(_ code: UInt8) -> Character {
        switch code {
        case 0x00...0x0F: Array("⓪①②③④⑤⑥⑦")[Int(code & 7)]
        case 0x5C: "¥"
        case 0x7E: "→"
        case 0x7F: "←"
        case 0x20...0x7D: Character(Unicode.Scalar(code))
        // The mark of Japanese that programs use as a degree sign.
        case 0xDF: "°"
        case 0xA1...0xDE: Unicode.Scalar(0xFF61 + UInt32(code) - 0xA1).map(Character.init) ?? " "
        case 0xE0...0xFF: Array("αäβεμσρg√⁻jˣ¢£ñöpqθ∞ΩüΣπx̄y千万円÷ █")[Int(code - 0xE0)]
        default: " "
        }
    }

    // MARK: Bus

    /// The end of an enable pulse that writes; `nibble`: DB7 to DB4.
    mutating func write(isData: Bool, _ nibble: UInt8, at time: MonotonicInstant, _ effects: inout PartEffects) {
        if half == nil {
            isLost = time < ready
            if isLost {
                let early = time.duration(to: ready).wholeNanoseconds / 1000 + 1
                effects.report("hd44780: a byte came \(early) µs too early, while it was busy, and is lost")
            }
        }
        guard !hasEightBits, half == nil else {
            let byte = hasEightBits ? nibble << 4 : (half ?? 0) << 4 | nibble
            half = nil
            guard !isLost else { return }
            if isData { store(byte) } else { perform(byte, &effects) }
            ready = time.advanced(by: isData ? Self.data : byte <= 3 ? Self.long : Self.short)
            return
        }
        half = nibble
    }

    /// DB7 to DB4 during an enable pulse that reads: the busy flag with the address counter, or data.
    func reads(isData: Bool, at time: MonotonicInstant) -> UInt8 {
        let byte = isData ? stored : (time < ready ? 0x80 : 0) | UInt8(counter & 0x7F)
        return hasReadHalf ? byte & 0xF : byte >> 4
    }

    /// The end of an enable pulse that reads.
    mutating func endRead(isData: Bool, at time: MonotonicInstant) {
        hasReadHalf = !hasEightBits && !hasReadHalf
        guard isData, !hasReadHalf else { return }
        advance()
        ready = time.advanced(by: Self.data)
    }

    // MARK: Instructions (table 6)

    private mutating func perform(_ byte: UInt8, _ effects: inout PartEffects) {
        switch byte {
        case 0x00: break
        case 0x01:
            cells = cells.map { _ in 0x20 }
            (counter, addressesGlyphs, shift, increments) = (0, false, 0, true)
        case 0x02...0x03: (counter, addressesGlyphs, shift) = (0, false, 0)
        case 0x04...0x07: (increments, shiftsDisplay) = (byte & 2 != 0, byte & 1 != 0)
        case 0x08...0x0F: isOn = byte & 4 != 0
        case 0x10...0x1F: if byte & 8 != 0 { move(toLeft: byte & 4 == 0) } else { advance(byte & 4 != 0) }
        case 0x20...0x3F: (hasEightBits, hasTwoLines) = (byte & 0x10 != 0, byte & 8 != 0)
        case 0x40...0x7F: (counter, addressesGlyphs) = (Int(byte & 0x3F), true)
        default:
            (counter, addressesGlyphs) = (Int(byte & 0x7F), false)
            if cell == nil {
                effects.report("hd44780: there is no character at address 0x\(String(counter, radix: 16))")
            }
        }
    }

    /// The place of the address counter among the cells; `nil`: there is none (figures 3 and 4).
    private var cell: Int? {
        guard hasTwoLines else { return counter < cells.count ? counter : nil }
        let column = counter & 0x3F
        return column < Self.rowLength ? (counter >> 6) * Self.rowLength + column : nil
    }

    private var stored: UInt8 { addressesGlyphs ? glyphs[counter & 0x3F] : cell.map { cells[$0] } ?? 0x20 }

    private mutating func store(_ byte: UInt8) {
        if addressesGlyphs {
            glyphs[counter & 0x3F] = byte
        } else if let cell {
            cells[cell] = byte
            if shiftsDisplay { move(toLeft: increments) }
        }
        advance()
    }

    private mutating func advance() { advance(increments) }

    /// Moves the address counter; each line of the memory is followed by the other one.
    private mutating func advance(_ isForward: Bool) {
        let step = isForward ? 1 : -1
        if addressesGlyphs {
            counter = (counter + step) & 0x3F
        } else if let cell {
            let next = (cell + step + cells.count) % cells.count
            counter = hasTwoLines ? (next / Self.rowLength) << 6 | next % Self.rowLength : next
        } else {
            counter = (counter + step) & 0x7F
        }
    }

    private mutating func move(toLeft: Bool) {
        let length = hasTwoLines ? Self.rowLength : cells.count
        shift = (shift + (toLeft ? 1 : length - 1)) % length
    }
}

/// The shown text of a controller, and its readings: the whole text, then each line.
struct CharacterScreen {
    var controller: HD44780
    private var lines: [String]
    /// The time at which a change is reported: who looks at the display sees it after a frame.
    private(set) var redrawn: MonotonicInstant?

    init(columns: Int, rows: Int) {
        controller = HD44780(columns: columns, rows: rows, at: .zero)
        lines = Array(repeating: "", count: rows)
    }

    static func readings(rows: Int) -> [PartKind.Reading] {
        let each = (1...rows).map { PartKind.Reading("line\($0)", .text, "Line \($0), without spaces at its end.") }
        return [
            PartKind.Reading(
                "text", .text,
                "All lines, each without spaces at its end, and without empty lines at the end; `[Hello, World]` are two."
            )
        ] + each
    }

    static let limits = [
        "Cursor and contrast are not seen.", "Characters are those of ROM A00; 0xDF is read as `°`.",
        "The eight characters that a program can define are `⓪` to `⑦`, whatever their pixels.",
    ]

    /// The supply comes on, or goes.
    mutating func setPower(at time: MonotonicInstant, _ effects: inout PartEffects) {
        controller = HD44780(columns: controller.columns, rows: controller.rows, at: time)
        redrawn = nil
        lines = lines.map { _ in "" }
        for index in 0...lines.count { effects.change(index) }
    }

    /// The controller may show something else.
    mutating func changed(at time: MonotonicInstant) { redrawn = redrawn ?? time.advanced(by: HD44780.frame) }

    mutating func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        guard let redrawn, redrawn <= time else { return }
        self.redrawn = nil
        let shown = lines.indices.map(controller.text)
        guard shown != lines else { return }
        effects.change(0)
        for index in lines.indices where shown[index] != lines[index] { effects.change(index + 1) }
        lines = shown
    }

    /// The reading of an index.
    func reading(_ index: Int) -> PartReading {
        if index > 0 { return .text(controller.text(index - 1)) }
        let shown = lines.indices.map(controller.text)
        let end = shown.lastIndex { !$0.isEmpty } ?? -1
        return .text(shown[...end].joined(separator: "\n"))
    }
}
