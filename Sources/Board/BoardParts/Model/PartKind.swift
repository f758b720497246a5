public import MonotonicTime

/// A kind of part: its page in the reference, its keys in suites, and how one is made.
public struct PartKind: Sendable {
    /// Its name in suites, such as `bme280`.
    public var name: String
    /// Its name in words, such as `temperature, humidity and pressure sensor`.
    public var summary: String
    /// The data sheet, or the public drivers with which it was compared.
    public var source: String
    /// How it is wired, in the order of the terminals' numbers.
    public var terminals: [Terminal] = []
    /// Its addresses on an I²C bus, the first is the default; empty: it is on no bus.
    public var addresses: [UInt8] = []
    /// The quantities that it measures, or that act on it: a suite sets them.
    public var quantities: [Quantity] = []
    /// The observable states: a suite expects them. The first has no name in suites: `expect: {alarm: on}`.
    public var readings: [Reading] = []
    /// Its other options.
    public var settings: [Setting] = []
    /// The differences from the real part, one sentence each.
    public var limits: [String] = []
    /// Makes one.
    public var make: @Sendable (PartWiring) throws(PartFault) -> any Part

    /// A kind; see the properties.
    public init(
        name: String, summary: String, source: String, terminals: [Terminal] = [], addresses: [UInt8] = [],
        quantities: [Quantity] = [], readings: [Reading] = [], settings: [Setting] = [], limits: [String] = [],
        make: @escaping @Sendable (PartWiring) throws(PartFault) -> any Part
    ) {
        self.name = name
        self.summary = summary
        self.source = source
        self.terminals = terminals
        self.addresses = addresses
        self.quantities = quantities
        self.readings = readings
        self.settings = settings
        self.limits = limits
        self.make = make
    }

    /// A terminal, or a list of them.
    public struct Terminal: Hashable, Sendable {
        /// Its key in suites, such as `pin` or `rows`.
        public var name: String
        /// True if it takes a list of pins.
        public var isList: Bool
        /// False if it may be left unconnected.
        public var isRequired: Bool
        /// True if a resistor of the part pulls the line up: the pin is high while nothing drives it.
        public var hasPullUp: Bool
        /// One line for the reference.
        public var summary: String

        /// A terminal.
        public init(
            _ name: String, isList: Bool = false, isRequired: Bool = true, hasPullUp: Bool = false, _ summary: String
        ) {
            self.name = name
            self.isList = isList
            self.isRequired = isRequired
            self.hasPullUp = hasPullUp
            self.summary = summary
        }
    }

    /// A quantity that a suite sets: a number with a unit, or one of a few words.
    public struct Quantity: Hashable, Sendable {
        /// Its name, such as `temperature`.
        public var name: String
        /// Its unit, such as `°C`; empty: none.
        public var unit: String
        /// The values that it can have.
        public var range: ClosedRange<Double>
        /// The value before the first `set`.
        public var initial: Double
        /// Words for values, such as `pressed` for 1; empty: numbers only.
        public var words: [String]
        /// One line for the reference.
        public var summary: String

        /// A number.
        public init(_ name: String, _ unit: String, _ range: ClosedRange<Double>, initial: Double, _ summary: String) {
            self.name = name
            self.unit = unit
            self.range = range
            self.initial = initial
            self.words = []
            self.summary = summary
        }

        /// One of a few words: the values 0, 1, …; the first is the initial one.
        public init(_ name: String, words: [String], _ summary: String) {
            self.name = name
            unit = ""
            range = 0...Double(max(words.count - 1, 0))
            initial = 0
            self.words = words
            self.summary = summary
        }
    }

    /// An observable state.
    public struct Reading: Hashable, Sendable {
        /// The form of its values.
        public enum Form: Hashable, Sendable {
            case words([String])
            /// A number in a unit.
            case number(unit: String)
            /// Colours, 0xRRGGBB.
            case colours
            case picture
            case bytes
            case text
        }

        /// Its name, such as `brightness`.
        public var name: String
        /// The form of its values.
        public var form: Form
        /// One line for the reference.
        public var summary: String

        /// A reading.
        public init(_ name: String, _ form: Form, _ summary: String) {
            self.name = name
            self.form = form
            self.summary = summary
        }
    }

    /// An option.
    public struct Setting: Hashable, Sendable {
        /// The values that it takes.
        public enum Form: Hashable, Sendable {
            case number(ClosedRange<Double>, initial: Double?)
            /// One of a few words, the first is the default.
            case word([String])
            /// A list of texts; `nil` as default: it is required.
            case texts
            /// A text.
            case text(String?)
        }

        /// Its key.
        public var name: String
        /// The values that it takes.
        public var form: Form
        /// One line for the reference.
        public var summary: String

        /// An option.
        public init(_ name: String, _ form: Form, _ summary: String) {
            self.name = name
            self.form = form
            self.summary = summary
        }
    }
}

/// How one part is wired, checked against its kind.
public struct PartWiring: Hashable, Sendable {
    /// The value of a setting.
    public enum Value: Hashable, Sendable {
        case number(Double)
        case text(String)
        case texts([String])
    }

    /// The pins of each terminal by its name; a terminal that is left unconnected is absent.
    public var pins: [String: [Int]]
    /// The I²C address; `nil`: on no bus.
    public var address: UInt8?
    /// The values of settings, with the defaults of those that were not given.
    public var settings: [String: Value]
    /// The seed of what is random in the part.
    public var seed: UInt64

    /// A wiring.
    public init(
        pins: [String: [Int]] = [:], address: UInt8? = nil, settings: [String: Value] = [:], seed: UInt64 = 0
    ) {
        self.pins = pins
        self.address = address
        self.settings = settings
        self.seed = seed
    }

    /// A number among ``settings``; 0 if there is none.
    public func number(_ name: String) -> Double {
        if case .number(let number)? = settings[name] { number } else { 0 }
    }

    /// A text among ``settings``; empty if there is none.
    public func text(_ name: String) -> String {
        if case .text(let text)? = settings[name] { text } else { "" }
    }

    /// A list of texts among ``settings``.
    public func texts(_ name: String) -> [String] {
        if case .texts(let texts)? = settings[name] { texts } else { [] }
    }
}

/// A wiring, or a file of a part, that cannot be used: one line.
public struct PartFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, and the expected form.
    public let description: String

    /// A fault.
    public init(_ description: String) { self.description = description }
}

/// The value of a quantity over time.
public enum QuantityCourse: Hashable, Sendable {
    /// A recorded value.
    public struct Point: Hashable, Sendable {
        /// Its time since the start of the recording.
        public var after: Duration
        /// The value.
        public var value: Double

        /// A recorded value.
        public init(after: Duration, value: Double) {
            self.after = after
            self.value = value
        }
    }

    /// Always the same.
    case constant(Double)
    /// From one value to another, evenly over a time, then the latter.
    case ramp(from: Double, to: Double, start: MonotonicInstant, over: Duration)
    /// Recorded values in the order of their times, at least one; evenly in between, the first before the first time,
    /// and the last after the last.
    case recording([Point], start: MonotonicInstant)

    /// The value at a time.
    public func value(at time: MonotonicInstant) -> Double {
        switch self {
        case .constant(let value): return value
        case .ramp(let from, let to, let start, let duration):
            let share = duration > .zero ? start.duration(to: time) / duration : 1
            return from + (to - from) * min(max(share, 0), 1)
        case .recording(let points, let start):
            let elapsed = start.duration(to: time)
            let next = Self.firstPoint(of: points, after: elapsed)
            guard next < points.count else { return points.last?.value ?? 0 }
            guard next > 0 else { return points[0].value }
            let (before, after) = (points[next - 1], points[next])
            let share = (elapsed - before.after) / (after.after - before.after)
            return before.value + (after.value - before.value) * share
        }
    }

    /// The index of the first point after a time, or their number.
    static func firstPoint(of points: [Point], after elapsed: Duration) -> Int {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].after > elapsed { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
