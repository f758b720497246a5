internal import ByteCodec
import SourceText

/// The PWM signal of a pin began, changed or ended.
public struct PWMChanged: EventPayload {
    /// A PWM signal.
    public struct Signal: Hashable, Sendable {
        /// The frequency in millihertz.
        public var millihertz: Int
        /// The share of a period in which the pin is high, in millionths.
        public var duty: Int

        /// A signal.
        public init(millihertz: Int, duty: Int) {
            self.millihertz = millihertz
            self.duty = duty
        }

        /// The frequency in hertz.
        public var hertz: Double { Double(millihertz) / 1000 }
        /// The share in percent.
        public var dutyPercent: Double { Double(duty) / 10_000 }

        /// As events show it.
        public var text: String { "\(EventText.frequency(hertz)), \(dutyPercent.decimal) %" }
    }

    /// The name of this kind of event.
    public static let kind = "pwm"
    /// The GPIO number.
    public var pin: Int
    /// The signal; `nil`: none any more.
    public var signal: Signal?

    /// A change.
    public init(pin: Int, signal: Signal?) {
        self.pin = pin
        self.signal = signal
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        pin = try fields.integer("pin")
        if let millihertz = try fields.optionalInteger("millihertz") {
            signal = Signal(millihertz: millihertz, duty: try fields.integer("duty"))
        }
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("pin", pin)
        if let signal {
            json.integer("millihertz", signal.millihertz)
            json.integer("duty", signal.duty)
        }
    }

    /// A fade changes often.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String { "PWM on pin \(pin): \(signal?.text ?? "off")" }
}

/// The firmware converted the voltage at a pin.
public struct AnalogRead: EventPayload {
    /// The name of this kind of event.
    public static let kind = "adc"
    /// The GPIO number.
    public var pin: Int
    /// The value, 0 to 4095.
    public var value: Int
    /// The millivolts that the chip's calibration gives for it.
    public var millivolts: Int

    /// A conversion.
    public init(pin: Int, value: Int, millivolts: Int) {
        self.pin = pin
        self.value = value
        self.millivolts = millivolts
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        pin = try fields.integer("pin")
        value = try fields.integer("raw")
        millivolts = try fields.integer("millivolts")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("pin", pin)
        json.integer("raw", value)
        json.integer("millivolts", millivolts)
    }

    /// A sketch may convert often.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String { "analog value of pin \(pin): \(value) (\(millivolts) mV)" }
}

/// The firmware set the digital-to-analog converter of a pin.
public struct AnalogWritten: EventPayload {
    /// The name of this kind of event.
    public static let kind = "dac"
    /// The GPIO number.
    public var pin: Int
    /// The value, 0 to 255; `nil`: the converter is off.
    public var value: Int?

    /// A new value.
    public init(pin: Int, value: Int?) {
        self.pin = pin
        self.value = value
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        pin = try fields.integer("pin")
        value = try fields.optionalInteger("raw")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("pin", pin)
        if let value { json.integer("raw", value) }
    }

    /// A waveform changes often.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String { "DAC on pin \(pin): \(value.map { "\($0)" } ?? "off")" }
}

/// The firmware was the master, or the slave, of a transaction on an I²C bus.
public struct I2CTransferred: EventPayload {
    /// The lines of the bus, and the time.
    public struct Signal: Hashable, Sendable {
        /// The GPIO numbers.
        public var data, clock: Int
        /// The frequency of SCL.
        public var hertz: Int
        /// The length of the transaction.
        public var nanoseconds: Int64

        /// All fields.
        public init(data: Int, clock: Int, hertz: Int, nanoseconds: Int64) {
            self.data = data
            self.clock = clock
            self.hertz = hertz
            self.nanoseconds = nanoseconds
        }
    }

    /// The name of this kind of event.
    public static let kind = "i2c"
    /// The address.
    public var address: Int
    /// The name of the part with this address; `nil`: there is none.
    public var part: String?
    /// The bytes written.
    public var written: [UInt8]
    /// The bytes read.
    public var read: [UInt8]
    /// The result, as Wire's `endTransmission()` returns it: 0, or 2 without an answer to the address, 3 to a byte.
    public var status: Int
    /// True if the firmware was the slave of a master outside.
    public var isSlave: Bool
    /// The lines and the time, where they are known.
    public var signal: Signal?

    /// A transaction.
    public init(
        address: Int, part: String?, written: [UInt8], read: [UInt8], status: Int, isSlave: Bool = false,
        signal: Signal? = nil
    ) {
        self.isSlave = isSlave
        self.signal = signal
        self.address = address
        self.part = part
        self.written = written
        self.read = read
        self.status = status
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        address = try fields.integer("address")
        part = try fields.optionalString("part")
        written = try fields.bytes("written")
        read = try fields.bytes("read")
        status = try fields.integer("status")
        isSlave = try fields.optionalBool("slave") ?? false
        guard let data = try fields.optionalInteger("sda") else { return }
        signal = Signal(
            data: data, clock: try fields.integer("scl"), hertz: try fields.integer("hertz"),
            nanoseconds: Int64(try fields.integer("nanoseconds")))
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("address", address)
        if let part { json.string("part", part) }
        json.hexadecimal("written", written)
        json.hexadecimal("read", read)
        json.integer("status", status)
        if isSlave { json.bool("slave", true) }
        guard let signal else { return }
        json.integer("sda", signal.data)
        json.integer("scl", signal.clock)
        json.integer("hertz", signal.hertz)
        json.integer("nanoseconds", Int(signal.nanoseconds))
    }

    /// The bytes on a line: a display gets many.
    private static func text(_ bytes: [UInt8]) -> String {
        bytes.count <= 12
            ? EventText.bytes(bytes) : "\(EventText.bytes(Array(bytes.prefix(8)))) … (\(bytes.count) bytes)"
    }

    /// A sketch may ask its sensors often.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String {
        let name = part ?? Hexadecimal.number(UInt8(truncatingIfNeeded: address), digits: 2)
        if isSlave, status == 2 { return "I²C master to \(name): the firmware does not acknowledge this address" }
        var text = isSlave ? "I²C master to \(name):" : "I²C \(name):"
        if !written.isEmpty || read.isEmpty { text += " wrote \(Self.text(written))" }
        if !read.isEmpty { text += (written.isEmpty ? "" : ",") + " read \(Self.text(read))" }
        return switch status {
        case 0: text
        case 2 where part != nil: "I²C \(name): it does not acknowledge its address"
        case 2: "I²C \(name): no part acknowledges this address"
        case 3: text + ": the last byte was not acknowledged"
        case 5: text + ": SDA or SCL was held low until the time-out"
        default: text + ": result \(status)"
        }
    }
}

/// The firmware was the master of a transfer on an SPI bus.
public struct SPITransferred: EventPayload {
    /// The name of this kind of event.
    public static let kind = "spi"
    /// The most bytes of each direction that an event keeps: a picture for a display has many thousands.
    private static let limit = 64

    /// The number of bytes.
    public var count: Int
    /// The first bytes of MOSI.
    public var written: [UInt8]
    /// The first bytes of MISO; none, if the bus has no such pin.
    public var read: [UInt8]

    /// A transfer; `written` and `read` have all its bytes.
    public init(written: [UInt8], read: [UInt8]) {
        count = written.count
        self.written = Array(written.prefix(Self.limit))
        self.read = Array(read.prefix(Self.limit))
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        count = try fields.integer("count")
        written = try fields.bytes("written")
        read = try fields.bytes("read")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("count", count)
        json.hexadecimal("written", written)
        json.hexadecimal("read", read)
    }

    /// A display is written often.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String { "SPI: wrote \(EventText.count(count, "byte")): \(EventText.bytes(written))" }
}

/// A reading of a part that is wired to the board changed.
public struct PartChanged: EventPayload {
    /// The name of this kind of event.
    public static let kind = "part"
    /// The part's name.
    public var part: String
    /// The name of the reading.
    public var reading: String
    /// Its value, as suites and failures write it.
    public var value: String
    /// The value in thousandths, if it is a number.
    public var thousandths: Int?
    /// A hash of the value, if it is a picture.
    public var digest: UInt64?

    /// A change.
    public init(part: String, reading: String, value: String, thousandths: Int? = nil, digest: UInt64? = nil) {
        self.part = part
        self.reading = reading
        self.value = value
        self.thousandths = thousandths
        self.digest = digest
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        part = try fields.string("part")
        reading = try fields.string("reading")
        value = try fields.string("text")
        thousandths = try fields.optionalInteger("thousandths")
        guard let digits = try fields.optionalString("digest") else { return }
        digest = UInt64(digits, radix: 16)
        if digest == nil { throw fields.fault("expected 'digest' of at most 16 hexadecimal digits, got '\(digits)'") }
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.string("part", part)
        json.string("reading", reading)
        json.string("text", value)
        if let thousandths { json.integer("thousandths", thousandths) }
        if let digest { json.string("digest", Hexadecimal.digits(digest, count: 16)) }
    }

    /// The value, if it is a number.
    public var number: Double? { thousandths.map { Double($0) / 1000 } }

    /// A light may fade.
    public var isFrequent: Bool { true }

    /// The event as one line of text.
    public var text: String { "\(part).\(reading): \(shownValue)" }

    /// The value on a line: a display may have several.
    public var shownValue: String { value.printable }

    /// Only the last value of a reading is kept.
    public func continues(_ former: any EventPayload) -> Bool {
        guard let former = former as? PartChanged else { return false }
        return former.part == part && former.reading == reading
    }
}

/// A suite or test set a quantity of a part, or unplugged it.
public struct PartSet: EventPayload {
    /// The name of this kind of event.
    public static let kind = "set"
    /// The part, and what it was set to.
    public var text: String

    /// A change.
    public init(_ text: String) { self.text = text }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { text = try fields.string("text") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("text", text) }
}

/// The firmware used a part in a way that the part's data sheet forbids.
public struct PartMisused: EventPayload {
    /// The name of this kind of event.
    public static let kind = "partMisused"
    /// The part's name.
    public var part: String
    /// The fault.
    public var fault: String

    /// A fault.
    public init(part: String, fault: String) {
        self.part = part
        self.fault = fault
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        part = try fields.string("part")
        fault = try fields.string("text")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.string("part", part)
        json.string("text", fault)
    }

    /// The event as one line of text.
    public var text: String { "\(part): \(fault)" }
}

/// The chip and a part drive a pin against each other.
public struct PinConflict: EventPayload {
    /// The name of this kind of event.
    public static let kind = "conflict"
    /// The GPIO number.
    public var pin: Int
    /// The drivers and their levels.
    public var fault: String

    /// A conflict.
    public init(pin: Int, fault: String) {
        self.pin = pin
        self.fault = fault
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        pin = try fields.integer("pin")
        fault = try fields.string("text")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("pin", pin)
        json.string("text", fault)
    }

    /// The event as one line of text.
    public var text: String { "conflict on pin \(pin): \(fault)" }
}

extension EventText {
    /// A frequency with its unit.
    static func frequency(_ hertz: Double) -> String {
        if hertz >= 1_000_000 { return "\((hertz / 1_000_000).decimal) MHz" }
        return hertz >= 1000 ? "\((hertz / 1000).decimal) kHz" : "\(hertz.decimal) Hz"
    }
}
