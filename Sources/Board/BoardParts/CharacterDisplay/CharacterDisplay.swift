import MonotonicTime

/// A character display on I²C: its controller behind an expander PCF8574, as on the usual modules.
final class CharacterDisplay: I2CPart {
    static let lcd1602 = kind("lcd1602", columns: 16, rows: 2)
    static let lcd2004 = kind("lcd2004", columns: 20, rows: 4)

    private static func kind(_ name: String, columns: Int, rows: Int) -> PartKind {
        PartKind(
            name: name, summary: "character display, \(rows) lines of \(columns), on I²C",
            source:
                "Hitachi, HD44780U, ADE-207-272(Z), revision 0.0; NXP, PCF8574, revision 5; wired as the library LiquidCrystal_I2C expects",
            // PCF8574, then PCF8574A.
            addresses: [0x27] + Array(0x20...0x26) + Array(0x38...0x3F),
            readings: CharacterScreen.readings(rows: rows) + [
                PartKind.Reading("backlight", .words(["off", "on"]), "On while P3 of the expander is high.")
            ],
            limits: CharacterScreen.limits
        ) { wiring throws(PartFault) in CharacterDisplay(wiring, CharacterScreen(columns: columns, rows: rows)) }
    }

    /// The pins of the expander: P0 to P3; P4 to P7 are DB4 to DB7.
    private enum Port {
        static let isData: UInt8 = 1
        static let isRead: UInt8 = 2
        static let enable: UInt8 = 4
        static let backlight: UInt8 = 8
    }

    let address: UInt8
    var quantities: [QuantityCourse] = []
    private var hasPower = true
    private var screen: CharacterScreen
    /// The outputs: high after power on (8.4), where they are weak, so that others can pull them down.
    private var port: UInt8 = 0xFF
    private let backlightReading: Int

    init(_ wiring: PartWiring, _ screen: CharacterScreen) {
        address = wiring.address ?? 0x27
        self.screen = screen
        backlightReading = screen.controller.rows + 1
    }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        (hasPower, port) = (isOn, 0xFF)
        screen.setPower(at: time, &effects)
        effects.change(backlightReading)
    }

    var nextDeadline: MonotonicInstant? { screen.redrawn }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) { screen.advance(to: time, &effects) }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading {
        guard index == backlightReading else { return screen.reading(index) }
        return .word(hasPower && port & Port.backlight != 0 ? "on" : "off")
    }

    func begin(isRead: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool { hasPower }

    /// Sets the outputs. The controller takes what its inputs were when the enable pulse ends.
    func write(_ byte: UInt8, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        guard hasPower else { return false }
        let former = port
        port = byte
        if (former ^ byte) & Port.backlight != 0 { effects.change(backlightReading) }
        guard former & Port.enable != 0, byte & Port.enable == 0 else { return true }
        let isData = former & Port.isData != 0
        if former & Port.isRead != 0 {
            screen.controller.endRead(isData: isData, at: time)
        } else {
            screen.controller.write(isData: isData, former >> 4, at: time, &effects)
            screen.changed(at: time)
        }
        return true
    }

    /// The levels of the pins. P3 is low also as an input: it drives the base of a transistor.
    func read(at time: MonotonicInstant, _ effects: inout PartEffects) -> UInt8 {
        guard hasPower else { return 0xFF }
        var levels = port & ~Port.backlight
        if port & Port.isRead != 0, port & Port.enable != 0 {
            levels &= 0x0F | screen.controller.reads(isData: port & Port.isData != 0, at: time) << 4
        }
        return levels
    }
}

/// A character display on six pins, which is never read.
final class ParallelCharacterDisplay: PinPart {
    static let lcd1602 = kind("lcd1602-parallel", columns: 16, rows: 2)
    static let lcd2004 = kind("lcd2004-parallel", columns: 20, rows: 4)

    private static func kind(_ name: String, columns: Int, rows: Int) -> PartKind {
        PartKind(
            name: name, summary: "character display, \(rows) lines of \(columns), on six pins",
            source: "Hitachi, HD44780U, ADE-207-272(Z), revision 0.0",
            terminals: [
                .init("rs", "RS: instruction or data."), .init("e", "E: enable."), .init("d4", "DB4."),
                .init("d5", "DB5."), .init("d6", "DB6."), .init("d7", "DB7."),
            ],
            readings: CharacterScreen.readings(rows: rows),
            limits: CharacterScreen.limits + [
                "R/W is wired to ground, DB0 to DB3 are not connected, and the backlight has no pin."
            ]
        ) { _ throws(PartFault) in ParallelCharacterDisplay(CharacterScreen(columns: columns, rows: rows)) }
    }

    var quantities: [QuantityCourse] = []
    private var screen: CharacterScreen
    private var hasPower = true
    /// The levels of RS, E and DB4 to DB7.
    private var levels = [false, false, false, false, false, false]

    init(_ screen: CharacterScreen) { self.screen = screen }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        hasPower = isOn
        screen.setPower(at: time, &effects)
    }

    var nextDeadline: MonotonicInstant? { screen.redrawn }

    func advance(to time: MonotonicInstant, _ effects: inout PartEffects) { screen.advance(to: time, &effects) }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading { screen.reading(index) }

    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {
        for change in changes {
            let ends = terminal == 1 && levels[1] && change.drive != .high
            levels[terminal] = change.drive == .high
            guard ends, hasPower else { continue }
            let nibble = (2..<6).reduce(UInt8(0)) { $0 | (levels[$1] ? 1 << UInt8($1 - 2) : 0) }
            screen.controller.write(isData: levels[0], nibble, at: change.time, &effects)
            screen.changed(at: change.time)
        }
    }
}
