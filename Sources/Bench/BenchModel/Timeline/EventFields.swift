internal import ByteCodec
public import BLECore

/// The keys and values of one line of a timeline.
public struct EventFields: Sendable {
    /// The required form of every line.
    static let expectation = "expected a JSON object of texts, whole numbers and lists of texts"

    private let values: [String: FlatJSON.Value]
    private let line: Int

    /// The fields of the JSON object in `text`; `line` is its line number in the timeline, counted from 1.
    ///
    /// - Throws: ``TimelineError`` if the text is not such an object.
    public init(_ text: ArraySlice<UInt8>, line: Int) throws(TimelineError) {
        self.line = line
        guard let values = try? FlatJSON.object(text) else { throw TimelineError(line: line, Self.expectation) }
        self.values = values
    }

    /// A fault in this line.
    public func fault(_ message: String) -> TimelineError { TimelineError(line: line, message) }

    private func missing(_ key: String, _ type: String) -> TimelineError {
        fault(values[key] == nil ? "the key '\(key)' is missing" : "expected '\(key)' to be \(type)")
    }

    /// A whole number.
    public func integer(_ key: String) throws(TimelineError) -> Int {
        guard case .integer(let value)? = values[key], let number = Int(exactly: value) else {
            throw missing(key, "a whole number")
        }
        return number
    }

    /// An optional whole number.
    public func optionalInteger(_ key: String) throws(TimelineError) -> Int? {
        values[key] == nil ? nil : try integer(key)
    }

    /// A number in the range of `Number`.
    public func number<Number: FixedWidthInteger>(_ key: String) throws(TimelineError) -> Number {
        let value = try integer(key)
        guard let number = Number(exactly: value) else {
            throw fault("expected '\(key)' of \(Number.min)...\(Number.max), got \(value)")
        }
        return number
    }

    /// An optional number in the range of `Number`.
    public func optionalNumber<Number: FixedWidthInteger>(_ key: String) throws(TimelineError) -> Number? {
        values[key] == nil ? nil : try number(key)
    }

    /// An optional `true` or `false`.
    public func optionalBool(_ key: String) throws(TimelineError) -> Bool? {
        values[key] == nil ? nil : try bool(key)
    }

    /// `true` or `false`.
    public func bool(_ key: String) throws(TimelineError) -> Bool {
        guard case .bool(let value)? = values[key] else { throw missing(key, "true or false") }
        return value
    }

    /// A text.
    public func string(_ key: String) throws(TimelineError) -> String {
        guard case .string(let value)? = values[key] else { throw missing(key, "a text") }
        return value
    }

    /// An optional text.
    public func optionalString(_ key: String) throws(TimelineError) -> String? {
        values[key] == nil ? nil : try string(key)
    }

    /// One of the words of `Choice`.
    public func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws(TimelineError) -> Choice {
        let text = try string(key)
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw fault("unknown '\(key)' '\(text)', expected one of: \(known)")
        }
        return choice
    }

    /// Bytes, written as hexadecimal digits.
    public func bytes(_ key: String) throws(TimelineError) -> [UInt8] {
        let digits = try string(key)
        guard let bytes = Hexadecimal.bytes(digits), bytes.count * 2 == digits.utf8.count else {
            throw missing(key, "hexadecimal digits, two for each byte")
        }
        return bytes
    }

    /// A list of UUIDs.
    public func uuids(_ key: String) throws(TimelineError) -> [BLEUUID] {
        let texts: [String]
        switch values[key] {
        case .strings(let values)?: texts = values
        default: throw missing(key, "a list of UUIDs")
        }
        var uuids: [BLEUUID] = []
        for text in texts {
            guard let uuid = BLEUUID(text) else { throw fault("expected a UUID in '\(key)', got '\(text)'") }
            uuids.append(uuid)
        }
        return uuids
    }
}
