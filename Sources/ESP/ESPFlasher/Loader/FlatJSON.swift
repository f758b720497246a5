/// Reads the texts and whole numbers of one JSON object; other values, with all they contain, are skipped.
///
/// The flasher's target builds without Foundation, and this is enough for a stub's file.
enum FlatJSON {
    enum Value: Hashable {
        case string(String)
        case number(Int64)
        case other
    }

    struct Fault: Error {
        let reason: String
    }

    static func object(_ bytes: [UInt8]) throws(Fault) -> [String: Value] {
        var parser = Parser(rest: bytes[...])
        let result = try parser.object()
        parser.skipSpace()
        guard parser.rest.isEmpty else { throw Fault(reason: "bytes after the object") }
        return result
    }

    private struct Parser {
        var rest: ArraySlice<UInt8>

        mutating func skipSpace() {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func expect(_ character: Unicode.Scalar) throws(Fault) {
            guard take(character) else { throw Fault(reason: "expected '\(character)' at byte \(rest.startIndex)") }
        }

        mutating func object() throws(Fault) -> [String: Value] {
            try expect("{")
            var result: [String: Value] = [:]
            if take("}") { return result }
            repeat {
                let key = try string()
                try expect(":")
                result[key] = try value()
            } while take(",")
            try expect("}")
            return result
        }

        mutating func value() throws(Fault) -> Value {
            skipSpace()
            switch rest.first {
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                try skipNested()
                return .other
            default:
                let word = rest.prefix { !",}] \t\r\n".utf8.contains($0) }
                guard !word.isEmpty else { throw Fault(reason: "expected a value at byte \(rest.startIndex)") }
                rest = rest[word.endIndex...]
                let text = String(decoding: word, as: UTF8.self)
                if let number = Int64(text) { return .number(number) }
                guard ["true", "false", "null"].contains(text) || Double(text) != nil else {
                    throw Fault(reason: "expected a value at byte \(word.startIndex)")
                }
                return .other
            }
        }

        /// Skips an object or an array; only its texts and the balance of its brackets are read.
        private mutating func skipNested() throws(Fault) {
            var open: [UInt8] = []
            repeat {
                if rest.first == UInt8(ascii: "\"") {
                    _ = try string()
                    continue
                }
                guard let byte = rest.popFirst() else { throw Fault(reason: "a bracket is not closed") }
                switch byte {
                case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
                case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard open.popLast() == byte else {
                        throw Fault(reason: "expected another bracket before byte \(rest.startIndex)")
                    }
                default: break
                }
            } while !open.isEmpty
        }

        /// A text; its escapes are kept as they are except `\/` and `\n`, which Base64 may contain.
        mutating func string() throws(Fault) -> String {
            try expect("\"")
            var result: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    switch rest.popFirst() {
                    case UInt8(ascii: "/"): result.append(UInt8(ascii: "/"))
                    case UInt8(ascii: "n"): result.append(0x0A)
                    case let next?: result += [byte, next]
                    case nil: throw Fault(reason: "a text without an end")
                    }
                default: result.append(byte)
                }
            }
            throw Fault(reason: "a text without an end")
        }
    }
}

/// Base64 (RFC 4648, section 4).
enum Base64 {
    private static let values: [UInt8: UInt32] = {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        return Dictionary(uniqueKeysWithValues: alphabet.utf8.enumerated().map { ($1, UInt32($0)) })
    }()

    /// The bytes of `text`; `nil` when it is not Base64. Line ends are skipped.
    static func decode(_ text: String) -> [UInt8]? {
        let characters = text.utf8.filter { $0 != 0x0A && $0 != 0x0D }
        guard characters.count % 4 == 0 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(characters.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for character in characters {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = values[character] else { return nil }
            bits = bits << 6 | value
            count += 1
            if count == 4 {
                result += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
                bits = 0
                count = 0
            }
        }
        switch (padding, count) {
        case (0, 0): break
        case (1, 3): result += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
        case (2, 2): result.append(UInt8(bits >> 4 & 0xFF))
        default: return nil
        }
        return result
    }
}
