/// The state of a part that is wired to a board, as the page shows it.
public struct PartState: Sendable, Encodable, Equatable {
    /// A quantity that the page's user sets.
    public struct Quantity: Sendable, Encodable, Equatable {
        /// The quantity's name.
        public var name: String
        /// Its unit; empty: none.
        public var unit: String
        /// One line for the user.
        public var summary: String
        /// The limits of its values.
        public var low, high: Double
        /// The words for the values 0, 1, …; empty: a number.
        public var words: [String]
        /// Its value.
        public var value: Double

        /// A quantity.
        public init(
            name: String, unit: String, summary: String, low: Double, high: Double, words: [String], value: Double
        ) {
            self.name = name
            self.unit = unit
            self.summary = summary
            self.low = low
            self.high = high
            self.words = words
            self.value = value
        }
    }

    /// An observable state.
    public struct Reading: Sendable, Encodable, Equatable {
        /// The reading's name.
        public var name: String
        /// One line for the user.
        public var summary: String
        /// Its value as text.
        public var text = ""
        /// Its value, if it is a number.
        public var number: Double?
        /// The unit of the number.
        public var unit: String?
        /// Colours as in HTML, if it has any.
        public var colours: [String]?
        /// A picture: a PNG file in Base64.
        public var picture: String?

        /// A reading without a value.
        public init(name: String, summary: String) {
            self.name = name
            self.summary = summary
        }
    }

    /// Its name.
    public var name: String
    /// The name of its kind, which determines its symbol.
    public var kind: String
    /// Its kind in words.
    public var summary: String
    /// Its connections: `GPIO 26`.
    public var wiring: String
    /// False if it is unplugged.
    public var isPlugged = true
    /// Its quantities.
    public var quantities: [Quantity]
    /// Its readings.
    public var readings: [Reading]

    /// A part that is plugged in.
    public init(
        name: String, kind: String, summary: String, wiring: String, quantities: [Quantity], readings: [Reading]
    ) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.wiring = wiring
        self.quantities = quantities
        self.readings = readings
    }
}
