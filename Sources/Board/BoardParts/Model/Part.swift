public import MonotonicTime
import YAMLReading

/// A part that is wired to a board: a sensor, a button, a display. A pure state machine on the board's time: it gets
/// what happens at its terminals, and answers through ``PartEffects``. The board that owns it calls it on one executor, with
/// times that never decrease.
///
/// Its terminals are numbered in the order of its kind's ``PartKind/terminals``; a list of pins has a number for each.
public protocol Part: AnyObject {
    /// The courses of its quantities, in the order of its kind's ``PartKind/quantities``. The owner sets them.
    var quantities: [QuantityCourse] { get set }

    /// Handles a change of one of ``quantities``.
    func quantityChanged(_ index: Int, at time: MonotonicInstant, _ effects: inout PartEffects)

    /// The supply comes on, or goes: volatile state is lost.
    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects)

    /// The time of the next event of the part itself, such as an alarm; `nil`: none.
    var nextDeadline: MonotonicInstant? { get }

    /// Handles the events that are due at `time`.
    func advance(to time: MonotonicInstant, _ effects: inout PartEffects)

    /// The value of an observable state, by its index among its kind's ``PartKind/readings``.
    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading

    /// The words for the values 0, 1, … of a quantity, where they depend on the part's settings, such as the keys of a
    /// keypad; `nil`: those of its kind count.
    func words(ofQuantity index: Int) -> [String]?
}

extension Part {
    /// By default a quantity has no immediate effect.
    public func quantityChanged(_ index: Int, at time: MonotonicInstant, _ effects: inout PartEffects) {}

    /// By default nothing is lost.
    public func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {}

    /// By default there is none.
    public var nextDeadline: MonotonicInstant? { nil }

    /// By default nothing is due.
    public func advance(to time: MonotonicInstant, _ effects: inout PartEffects) {}

    /// By default there is none to read.
    public func reading(_ index: Int, at time: MonotonicInstant) -> PartReading { .number(0) }

    /// By default those of the kind count.
    public func words(ofQuantity index: Int) -> [String]? { nil }

    /// The value of a quantity at a time.
    public func quantity(_ index: Int, at time: MonotonicInstant) -> Double { quantities[index].value(at: time) }
}

/// A part with digital terminals.
public protocol PinPart: Part {
    /// True if it answers changes of the chip's pins by driving pins itself: the firmware then waits for the answer
    /// to each change. Only parts that need it: it costs a turn of the firmware per change.
    var answersPins: Bool { get }

    /// The chip changed its drive of a terminal, in order. A transmission of the RMT peripheral arrives at once, with
    /// its future changes.
    func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects)
}

extension PinPart {
    /// By default it only follows.
    public var answersPins: Bool { false }

    /// By default the chip's drives have no effect, as for a contact.
    public func chipDrives(_ terminal: Int, _ changes: [TimedDrive], _ effects: inout PartEffects) {}
}

/// A part that understands a PWM signal on a terminal: servo, LED, buzzer.
public protocol PWMPart: Part {
    /// The signal at a terminal changed; `nil`: there is none, and the pin's level counts again.
    func pwm(_ terminal: Int, _ signal: PWMSignal?, at time: MonotonicInstant, _ effects: inout PartEffects)
}

/// A part that drives a terminal with a voltage.
public protocol AnalogPart: Part {
    /// The voltage at a terminal, in volts; the chip's converter clips it.
    func voltage(_ terminal: Int, at time: MonotonicInstant) -> Double
}

/// A part on an I²C bus: it is told the bytes of each transaction. The address bit order and acknowledgements are those
/// of the I²C specification (UM10204, 3.1).
public protocol I2CPart: Part {
    /// The 7-bit address.
    var address: UInt8 { get }

    /// START (or repeated START) with its address; returns whether it acknowledges.
    func begin(isRead: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool

    /// A byte from the master; returns whether it acknowledges.
    func write(_ byte: UInt8, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool

    /// The next byte for the master.
    func read(at time: MonotonicInstant, _ effects: inout PartEffects) -> UInt8

    /// The time until which the part holds the clock (SCL) low before it gives its next byte, after it acknowledged a
    /// read; `nil`: it does not. An owner that reads at once gets the byte of that time.
    func clockHold(at time: MonotonicInstant) -> MonotonicInstant?

    /// STOP: the end of the transaction.
    func stop(at time: MonotonicInstant, _ effects: inout PartEffects)
}

extension I2CPart {
    /// By default it never stretches the clock.
    public func clockHold(at time: MonotonicInstant) -> MonotonicInstant? { nil }

    /// By default nothing ends with the transaction.
    public func stop(at time: MonotonicInstant, _ effects: inout PartEffects) {}
}

/// The state of one driver of a pin, the chip or a part.
public enum PinDrive: Hashable, Sendable {
    case low
    case high
    /// Nothing drives it: resistors decide.
    case floating
}

/// A drive of a pin from a time on.
public struct TimedDrive: Hashable, Sendable {
    /// The time.
    public var time: MonotonicInstant
    /// The drive.
    public var drive: PinDrive

    /// A drive from a time on.
    public init(_ time: MonotonicInstant, _ drive: PinDrive) {
        self.time = time
        self.drive = drive
    }
}

/// A PWM signal.
public struct PWMSignal: Hashable, Sendable {
    /// The frequency in millihertz, above 0.
    public var millihertz: UInt64
    /// The share of a period in which it is high, 0...1.
    public var duty: Double

    /// A signal.
    public init(millihertz: UInt64, duty: Double) {
        self.millihertz = millihertz
        self.duty = duty
    }

    /// The frequency in hertz.
    public var frequency: Double { Double(millihertz) / 1000 }
    /// The length of a pulse in microseconds.
    public var pulse: Double { millihertz == 0 ? 0 : duty * 1e9 / Double(millihertz) }
}

/// The answers of a part to one call.
public struct PartEffects: Sendable {
    /// The part's drives of its terminals: the times of one terminal never decrease.
    public private(set) var drives: [(terminal: Int, drive: TimedDrive)] = []
    /// The terminals whose earlier drives from the future are void.
    public private(set) var cancelled: Set<Int> = []
    /// The readings that changed, by index.
    public private(set) var changed: Set<Int> = []
    /// Faults in the use of the part that its data sheet forbids, one line each.
    public private(set) var faults: [String] = []

    /// No answers yet.
    public init() {}

    /// Drives a terminal from a time on, now or in the future.
    public mutating func drive(_ terminal: Int, _ drive: PinDrive, at time: MonotonicInstant) {
        drives.append((terminal, TimedDrive(time, drive)))
    }

    /// Gives up what the part had announced for a terminal and what is not due yet.
    public mutating func cancel(_ terminal: Int) { cancelled.insert(terminal) }

    /// A reading has changed.
    public mutating func change(_ reading: Int) { changed.insert(reading) }

    /// The firmware used the part in a way that its data sheet forbids.
    public mutating func report(_ fault: String) { faults.append(fault) }
}

/// An observable state of a part.
public enum PartReading: Hashable, Sendable {
    /// One of its kind's words, such as `on`.
    case word(String)
    /// A number in the unit of its kind.
    case number(Double)
    /// Colours of lights, 0xRRGGBB.
    case colours([UInt32])
    /// A picture of a display.
    case picture(PartPicture)
    /// Content that is no text.
    case bytes([UInt8])
    /// The text of a display, with line feeds between its lines.
    case text(String)
}

/// A picture of a display.
public struct PartPicture: Hashable, Sendable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// The pixels by rows from the top, 0xRRGGBB: `width * height` of them.
    public var pixels: [UInt32]

    /// A picture; `pixels` must have `width * height` entries.
    public init(width: Int, height: Int, pixels: [UInt32]) {
        precondition(pixels.count == width * height, "a picture of \(width) x \(height) has \(pixels.count) pixels")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// A hash of size and pixels: events distinguish pictures by it, without carrying the pixels. Pictures of one size
    /// that differ in one pixel have different hashes; for others, equal ones have a probability of 2⁻⁶⁴.
    public var digest: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ value: UInt64) {
            hash = (hash ^ value) &* 0x100_0000_01B3
            hash ^= hash >> 32
        }
        add(UInt64(width))
        add(UInt64(height))
        for pixel in pixels { add(UInt64(pixel)) }
        return hash
    }
}

extension PartReading {
    /// As suites and failures write it.
    public func text(_ form: PartKind.Reading.Form) -> String {
        switch self {
        case .word(let word): return word
        case .number(let number):
            guard case .number(let unit) = form, !unit.isEmpty else { return number.decimal }
            return "\(number.decimal) \(unit)"
        case .colours(let colours): return colours.map(Self.text(colour:)).joined(separator: " ")
        case .picture(let picture):
            return "\(picture.width) x \(picture.height), \(picture.pixels.count { $0 != 0 }) pixels lit"
        case .bytes(let bytes): return Self.text(bytes: bytes)
        case .text(let text): return text
        }
    }

    /// The number in thousandths, if it is one.
    public var thousandths: Int? {
        if case .number(let number) = self { Int(exactly: (number * 1000).rounded()) } else { nil }
    }

    /// The digest of the picture, if it is one.
    public var digest: UInt64? {
        if case .picture(let picture) = self { picture.digest } else { nil }
    }

    /// A colour, such as `#FF8000`.
    public static func text(colour: UInt32) -> String { "#" + hexadecimal(colour & 0xFF_FFFF, 6) }

    /// The number of equal bytes from which on they are written as `FF × 8`: most of a memory is empty.
    private static let shortestRun = 8

    /// Bytes such as `01 02 FF × 4094`; different bytes have different texts.
    private static func text(bytes: [UInt8]) -> String {
        var words: [String] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 != bytes[start] } ?? bytes.count
            let word = hexadecimal(UInt32(bytes[start]), 2)
            if end - start >= shortestRun {
                words.append("\(word) × \(end - start)")
            } else {
                words += Array(repeating: word, count: end - start)
            }
            start = end
        }
        return words.joined(separator: " ")
    }

    private static func hexadecimal(_ value: UInt32, _ digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
