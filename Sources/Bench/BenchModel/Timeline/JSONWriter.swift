/// Writes JSON with keys in the order they are given and numbers as integers, so that equal values give equal bytes.
public struct JSONWriter: Sendable {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// The bytes written so far.
    public internal(set) var bytes: [UInt8] = []
    /// True if the next key or element needs a comma before it.
    private var needsComma = false

    /// A writer with nothing written.
    public init() {}

    /// Writes `{`, the output of `content`, and `}`.
    public mutating func object(_ content: (inout JSONWriter) throws -> Void) rethrows {
        open(UInt8(ascii: "{"))
        try content(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes `[`, each of `elements`, and `]`.
    public mutating func array<Element>(
        _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
    ) {
        open(UInt8(ascii: "["))
        for element in elements { write(&self, element) }
        close(UInt8(ascii: "]"))
    }

    /// Begins another value, separate from the last one.
    public mutating func startOver() {
        needsComma = false
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Writes a key; its value must follow.
    public mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int64) {
        separate()
        let start = bytes.count
        var magnitude = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
            magnitude /= 10
        } while magnitude > 0
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes[start...].reverse()
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes bytes as a string of lower-case hexadecimal digits.
    public mutating func hexadecimal(_ value: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in value {
            bytes.append(Self.hexadecimal[Int(byte >> 4)])
            bytes.append(Self.hexadecimal[Int(byte & 15)])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexadecimal[Int(byte >> 4)])
                bytes.append(Self.hexadecimal[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: Keys with values

    /// Writes a key with an integer.
    public mutating func integer(_ key: StaticString, _ value: Int) {
        self.key(key)
        integer(Int64(value))
    }

    /// Writes a key with a finite decimal number.
    public mutating func decimal(_ key: StaticString, _ value: Double) {
        self.key(key)
        separate()
        bytes.append(contentsOf: "\(value)".utf8)
    }

    /// Writes a key with `true` or `false`.
    public mutating func bool(_ key: StaticString, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    /// Writes a key with bytes as hexadecimal text.
    public mutating func hexadecimal(_ key: StaticString, _ value: [UInt8]) {
        self.key(key)
        hexadecimal(value)
    }

    /// Writes a key with a string.
    public mutating func string(_ key: StaticString, _ text: String) {
        self.key(key)
        string(text)
    }
}
