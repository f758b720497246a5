/// A value in JSON, read strictly (RFC 8259): nothing follows it, and no object has a name twice.
package enum JSONValue: Hashable, Sendable {
    /// A name in an object, with its value.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    case null
    case bool(Bool)
    /// A number as it is written: its digits may be more than a `Double` has.
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([Member])

    /// Reads `bytes`.
    ///
    /// - Throws: the first fault, with its position.
    package init(_ bytes: some Collection<UInt8>) throws(JSONFault) {
        var reader = JSONReader(Array(bytes))
        self = try reader.document()
    }

    /// The kind of value in words.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// The place at which a text is not JSON.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expected and the received character, with its place, counted from 1.
    package let description: String
}

/// Reads a JSON document.
private struct JSONReader {
    /// The maximum depth of lists and objects in each other.
    private static let maximumDepth = 64

    private let bytes: ArraySlice<UInt8>
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private func fault(_ expected: String) -> JSONFault {
        let got = next.map { 0x21...0x7E ~= $0 ? "'\(Unicode.Scalar($0))'" : Hexadecimal.number($0, digits: 2) }
        return JSONFault(description: "expected \(expected) at byte \(position + 1), got \(got ?? "the end")")
    }

    mutating func document() throws(JSONFault) -> JSONValue {
        let value = try value()
        skipSpace()
        guard next == nil else { throw fault("the end") }
        return value
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    /// Skips space, and `byte` if it comes next; returns true if it does.
    private mutating func passes(_ byte: Character) -> Bool {
        skipSpace()
        guard next == byte.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(JSONFault) -> JSONValue {
        if passes("\"") { return .text(try text()) }
        if passes("[") { return .list(try nested { reader throws(JSONFault) in try reader.list() }) }
        if passes("{") { return .object(try nested { reader throws(JSONFault) in try reader.object() }) }
        let words: [(String, JSONValue)] = [("null", .null), ("true", .bool(true)), ("false", .bool(false))]
        for (word, value) in words where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return value
        }
        return .number(try number())
    }

    private mutating func nested<Value>(
        _ read: (inout JSONReader) throws(JSONFault) -> Value
    ) throws(JSONFault) -> Value {
        guard depth < Self.maximumDepth else { throw fault("at most \(Self.maximumDepth) nested lists and objects") }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private mutating func list() throws(JSONFault) -> [JSONValue] {
        var values: [JSONValue] = []
        if passes("]") { return values }
        repeat { values.append(try value()) } while passes(",")
        guard passes("]") else { throw fault("',' or ']'") }
        return values
    }

    private mutating func object() throws(JSONFault) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        if passes("}") { return members }
        repeat {
            guard passes("\"") else { throw fault("a name in double quotes") }
            let name = try text()
            guard names.insert(name).inserted else {
                throw JSONFault(description: "the name '\(name)' is twice in one object, before byte \(position + 1)")
            }
            guard passes(":") else { throw fault("':'") }
            members.append(JSONValue.Member(name: name, value: try value()))
        } while passes(",")
        guard passes("}") else { throw fault("',' or '}'") }
        return members
    }

    private mutating func text() throws(JSONFault) -> String {
        do throws(FlatJSON.Fault) {
            let (text, end) = try FlatJSON.text(in: bytes, at: position)
            position = end
            return text
        } catch {
            position = error.position
            throw fault("a text in double quotes")
        }
    }

    private mutating func number() throws(JSONFault) -> String {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let first = position
        guard digits() else {
            position = start
            throw fault("a value")
        }
        if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
            position = first
            throw fault("a number without leading zeros")
        }
        if next == UInt8(ascii: ".") {
            position += 1
            guard digits() else { throw fault("a digit") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard digits() else { throw fault("a digit") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Skips digits; returns true if there is one.
    private mutating func digits() -> Bool {
        let start = position
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        return position > start
    }
}
