import MonotonicTime

/// Solomon Systech's controller of a monochrome OLED display on I²C: commands, graphic memory and picture of the data
/// sheet SSD1306, revision 1.1.
final class SSD1306: I2CPart {
    static let kind = PartKind(
        name: "ssd1306", summary: "monochrome OLED display, 128 x 64 or 128 x 32",
        source: "Solomon Systech, SSD1306, revision 1.1", addresses: [0x3C, 0x3D],
        readings: [
            PartKind.Reading("picture", .picture, "the lit pixels, white on black, as seen from the front"),
            PartKind.Reading("power", .words(["off", "on"]), "the display's state: on after the command 0xAF"),
            PartKind.Reading("contrast", .number(unit: ""), "0...255"),
        ],
        settings: [PartKind.Setting("height", .word(["64", "32"]), "rows of the panel")],
        limits: [
            "It has no SPI and no terminal for its reset.",
            "A picture has no shades: contrast is a reading of its own, charge pump and oscillator change nothing.",
            "Scrolling commands are accepted, and do not move the picture.", "The memory is empty after power on.",
        ]
    ) { wiring throws(PartFault) in SSD1306(wiring) }

    private enum ReadingIndex {
        static let picture = 0
        static let power = 1
        static let contrast = 2
    }

    /// The width of the panel and of the memory, and the rows of the memory.
    private static let columns = 128
    private static let rows = 64
    private static let pages = 8

    let address: UInt8
    var quantities: [QuantityCourse] = []

    private let height: Int
    private var hasPower = true
    /// A byte for eight rows of a segment, by pages of 128.
    private var memory = [UInt8](repeating: 0, count: SSD1306.columns * SSD1306.pages)
    private var state = State()

    /// The registers, with their values after a reset (table 9-1).
    private struct State {
        var isOn = false
        var isAllOn = false
        var isInverse = false
        var contrast: UInt8 = 0x7F
        var addressing: UInt8 = 2
        var column = 0
        var page = 0
        var columnRange = 0...127
        var pageRange = 0...7
        var startLine = 0
        var isColumnRemapped = false
        var isScanReversed = false
        var multiplex = 63
        var offset = 0
        /// 0xDA: bits 4 (alternative COM pins) and 5 (left and right exchanged).
        var pins: UInt8 = 0x12
    }

    /// The time of a frame of the panel: about 100 a second (8.3).
    private static let frame = Duration.milliseconds(10)
    /// The time at which the picture is reported; `nil`: it is the one reported last.
    private var redrawn: MonotonicInstant?

    // The transaction
    private var expectsControl = true
    private var isData = false
    private var continues = false
    /// The command whose arguments are being received.
    private var command: [UInt8] = []
    private var missing = 0
    private var shown: (picture: Bool, isOn: Bool, contrast: UInt8) = (false, false, 0x7F)

    init(_ wiring: PartWiring) {
        address = wiring.address ?? 0x3C
        height = wiring.text("height") == "32" ? 32 : 64
    }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        hasPower = isOn
        state = State()
        memory = memory.map { _ in 0 }
        (command, missing) = ([], 0)
        for index in Self.kind.readings.indices { effects.change(index) }
    }

    var nextDeadline: MonotonicInstant? { redrawn }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {
        guard let redrawn, redrawn <= time else { return }
        self.redrawn = nil
        effects.change(ReadingIndex.picture)
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading {
        switch index {
        case ReadingIndex.picture: .picture(picture)
        case ReadingIndex.power: .word(hasPower && state.isOn ? "on" : "off")
        default: .number(Double(state.contrast))
        }
    }

    // MARK: Picture

    /// The panel as its user sees it: its top left pixel is SEG127 and the last COM, as on usual modules, whose drivers
    /// send 0xA1 and 0xC8 therefore.
    private var picture: PartPicture {
        var pixels = [UInt32](repeating: 0, count: Self.columns * height)
        guard hasPower, state.isOn else { return PartPicture(width: Self.columns, height: height, pixels: pixels) }
        for line in 0..<height {
            guard let row = memoryRow(line) else { continue }
            for column in 0..<Self.columns {
                let bit = memory[row / 8 * Self.columns + Self.columns - 1 - column] >> UInt8(row % 8) & 1
                let isLit = state.isAllOn || (bit == 1) != state.isInverse
                if isLit { pixels[line * Self.columns + column] = 0xFFFFFF }
            }
        }
        return PartPicture(width: Self.columns, height: height, pixels: pixels)
    }

    /// The row of the memory that a line of the panel shows, counted from the top; `nil`: it is not driven.
    private func memoryRow(_ line: Int) -> Int? {
        let output = output(height - 1 - line)
        // Tables 10-1 and 10-2.
        let scanned = state.isScanReversed ? state.multiplex - output : output
        let row = (scanned + state.offset + Self.rows) % Self.rows
        return row <= state.multiplex ? (row + state.startLine) % Self.rows : nil
    }

    /// The output of the row counter that drives a line of the panel, counted from the bottom, as 0xDA sets it
    /// (10.1.18): the pads COM0 and COM32 are alternate lines of a panel of 64 rows; one of 32 rows has COM0 to COM31 in sequence.
    private func output(_ line: Int) -> Int {
        var pad = height == 64 ? line / 2 + line % 2 * 32 : line
        if state.pins & 0x20 != 0 { pad ^= 32 }
        let isAlternative = state.pins & 0x10 != 0
        return isAlternative ? pad % 32 * 2 + pad / 32 : pad
    }

    // MARK: Bus

    func begin(isRead: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        (expectsControl, shown) = (true, (false, state.isOn, state.contrast))
        return hasPower
    }

    func write(_ byte: UInt8, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        guard hasPower else { return false }
        if expectsControl {
            // 8.1.5.2: Co, D/C, and six zeros.
            if byte & 0x3F != 0 {
                effects.report("ssd1306: control byte 0x\(hex(byte)), expected 0x00, 0x40, 0x80 or 0xC0")
            }
            (continues, isData, expectsControl) = (byte & 0x80 != 0, byte & 0x40 != 0, false)
            return true
        }
        expectsControl = continues
        if isData { store(byte) } else { receive(byte, &effects) }
        return true
    }

    /// The status byte (8.1.5.3): bit 6 is 1 while the display is off.
    func read(at time: MonotonicInstant, _ effects: inout PartEffects) -> UInt8 {
        hasPower ? (state.isOn ? 0x03 : 0x43) : 0xFF
    }

    func stop(at time: MonotonicInstant, _ effects: inout PartEffects) {
        // A sketch sends a picture in many transactions: who looks at the panel sees it after a frame.
        if shown.isOn != state.isOn {
            effects.change(ReadingIndex.power)
            redrawn = time
        } else if shown.picture, state.isOn {
            redrawn = redrawn ?? time.advanced(by: Self.frame)
        }
        if shown.contrast != state.contrast { effects.change(ReadingIndex.contrast) }
    }

    /// A byte for the graphic memory; the address advances (10.1.3).
    private func store(_ byte: UInt8) {
        // 10.1.8: the segment remap acts on bytes that come after it.
        let segment = state.isColumnRemapped ? Self.columns - 1 - state.column : state.column
        let index = state.page * Self.columns + segment
        if memory[index] != byte {
            memory[index] = byte
            shown.picture = true
        }
        switch state.addressing {
        case 0:
            if advance(&state.column, in: state.columnRange, below: Self.columns) {
                advance(&state.page, in: state.pageRange, below: Self.pages)
            }
        case 1:
            if advance(&state.page, in: state.pageRange, below: Self.pages) {
                advance(&state.column, in: state.columnRange, below: Self.columns)
            }
        default: state.column = (state.column + 1) % Self.columns
        }
    }

    /// Moves to the next of a range; returns true at its end, when it begins again.
    @discardableResult
    private func advance(_ position: inout Int, in range: ClosedRange<Int>, below limit: Int) -> Bool {
        if position == range.upperBound {
            position = range.lowerBound
            return true
        }
        position = (position + 1) % limit
        return false
    }

    private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }

    // MARK: Commands

    private func receive(_ byte: UInt8, _ effects: inout PartEffects) {
        if missing > 0 {
            command.append(byte)
            missing -= 1
        } else {
            guard let count = Self.argumentCount(byte) else {
                effects.report("ssd1306: there is no command 0x\(hex(byte))")
                return
            }
            (command, missing) = ([byte], count)
        }
        if missing == 0 { perform(command, &effects) }
    }

    /// The number of arguments of each command of tables 9-1 and 9-2, and of the charge pump's (application note);
    /// `nil`: there is no such command.
    private static func argumentCount(_ command: UInt8) -> Int? {
        switch command {
        case 0x00...0x1F, 0x2E, 0x2F, 0x40...0x7F, 0xA0, 0xA1, 0xA4...0xA7, 0xAE, 0xAF, 0xB0...0xB7, 0xC0, 0xC8, 0xE3: 0
        case 0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB: 1
        case 0x21, 0x22, 0xA3: 2
        case 0x29, 0x2A: 5
        case 0x26, 0x27: 6
        default: nil
        }
    }

    private func perform(_ command: [UInt8], _ effects: inout PartEffects) {
        let first = command[0]
        let argument = command.count > 1 ? command[1] : 0
        switch first {
        case 0x00...0x0F: state.column = state.column & 0x70 | Int(first & 0xF)
        case 0x10...0x1F: state.column = state.column & 0x0F | Int(first & 0x7) << 4
        case 0x20:
            if argument & 3 == 3 { effects.report("ssd1306: addressing mode 3, expected 0, 1 or 2") }
            state.addressing = argument & 3
        case 0x21:
            let (start, end) = (Int(argument & 0x7F), Int(command[2] & 0x7F))
            guard start <= end else {
                effects.report("ssd1306: columns \(start) to \(end), expected a start before the end")
                return
            }
            (state.columnRange, state.column) = (start...end, start)
        case 0x22:
            let (start, end) = (Int(argument & 7), Int(command[2] & 7))
            guard start <= end else {
                effects.report("ssd1306: pages \(start) to \(end), expected a start before the end")
                return
            }
            (state.pageRange, state.page) = (start...end, start)
        case 0xB0...0xB7: state.page = Int(first & 7)
        case 0x81: state.contrast = argument
        case 0xAE, 0xAF: display { $0.isOn = first == 0xAF }
        case 0x40...0x7F: display { $0.startLine = Int(first & 0x3F) }
        case 0xA0, 0xA1: state.isColumnRemapped = first == 0xA1
        case 0xA4, 0xA5: display { $0.isAllOn = first == 0xA5 }
        case 0xA6, 0xA7: display { $0.isInverse = first == 0xA7 }
        case 0xA8:
            guard argument & 0x3F >= 15 else {
                effects.report("ssd1306: multiplex ratio \(argument & 0x3F), expected 15...63")
                return
            }
            display { $0.multiplex = Int(argument & 0x3F) }
        case 0xC0, 0xC8: display { $0.isScanReversed = first == 0xC8 }
        case 0xD3: display { $0.offset = Int(argument & 0x3F) }
        case 0xDA: display { $0.pins = argument & 0x32 | 0x02 }
        default: break
        }
    }

    /// Changes how the memory is shown.
    private func display(_ change: (inout State) -> Void) {
        change(&state)
        shown.picture = true
    }
}
