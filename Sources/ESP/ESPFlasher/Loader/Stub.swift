public import ESPChips

/// A loader stub: a program for a chip's RAM that is faster than the loader in ROM.
///
/// The file format is that of the `esptool` package, `esptool/targets/stub_flasher/*/CHIP.json`: a JSON object with
/// `entry`, `text` and `text_start`, and optionally `data`, `data_start` and `bss_start`; the contents in Base64.
public struct StubImage: Hashable, Sendable {
    /// A part that is loaded.
    public struct Segment: Hashable, Sendable {
        /// Its first address.
        public var address: UInt32
        /// Its content.
        public var bytes: [UInt8]
    }

    /// The name of its file, without the folder.
    public let name: String
    /// The address of its first instruction.
    public let entry: UInt32
    /// The beginning of the memory that it clears; `nil` when its file does not say.
    public let bss: UInt32?
    /// Its parts; at least one.
    public let segments: [Segment]

    /// More than any chip's RAM holds for a stub.
    private static let sizeLimit = 1 << 18
    /// Longer files are no stubs.
    private static let fileLimit = 1 << 20

    /// Reads a stub's file.
    ///
    /// - Parameters:
    ///   - json: the content of the file.
    ///   - name: the file's name, for errors.
    /// - Throws: ``FlasherError`` with code `invalidStub` or `damagedStub`.
    public init(json: [UInt8], name: String) throws(FlasherError) {
        guard json.count <= Self.fileLimit else {
            throw FlasherError(
                .invalidStub, "stub \(name): expected at most \(Self.fileLimit) bytes, got \(json.count)")
        }
        let object: [String: FlatJSON.Value]
        do {
            object = try FlatJSON.object(json)
        } catch {
            throw FlasherError(.invalidStub, "stub \(name): expected a JSON object: \(error.reason)")
        }
        func number(_ key: String) throws(FlasherError) -> UInt32? {
            guard let value = object[key] else { return nil }
            guard case .number(let number) = value, let word = UInt32(exactly: number) else {
                throw FlasherError(.invalidStub, "stub \(name): expected \"\(key)\" to be an address of 32 bits")
            }
            return word
        }
        func segment(_ key: String) throws(FlasherError) -> Segment? {
            guard let value = object[key] else { return nil }
            guard case .string(let text) = value, let bytes = Base64.decode(text) else {
                throw FlasherError(.damagedStub, "stub \(name): expected \"\(key)\" to be Base64")
            }
            guard !bytes.isEmpty else { return nil }
            guard let address = try number(key + "_start") else {
                throw FlasherError(.invalidStub, "stub \(name): expected \"\(key)_start\" beside \"\(key)\"")
            }
            guard bytes.count <= Self.sizeLimit else {
                throw FlasherError(
                    .invalidStub, "stub \(name): expected at most \(Self.sizeLimit) bytes of \(key), got \(bytes.count)"
                )
            }
            return Segment(address: address, bytes: bytes)
        }
        guard let entry = try number("entry"), entry != 0, let text = try segment("text") else {
            throw FlasherError(.invalidStub, "stub \(name): expected \"entry\" and \"text\" of an esptool stub")
        }
        guard UInt64(entry) >= UInt64(text.address), UInt64(entry) < UInt64(text.address) + UInt64(text.bytes.count)
        else {
            throw FlasherError(
                .damagedStub, "stub \(name): expected the entry 0x\(String(entry, radix: 16)) to be in its text")
        }
        self.name = name.split(separator: "/").last.map { String($0) } ?? name
        self.entry = entry
        bss = try number("bss_start")
        segments = [text] + (try segment("data").map { [$0] } ?? [])
    }

    /// Throws unless it may be one for `chip`: its parts lie in the chip's RAM, and its file is not named after another
    /// chip. (Some chips have the same RAM.)
    ///
    /// - Throws: ``FlasherError`` with code `wrongStub`.
    public func check(for chip: Chip) throws(FlasherError) {
        let parts = segments.map { ($0.address, $0.bytes.count) } + [bss.map { ($0, 1) }].compactMap { $0 }
        for (address, count) in parts where !chip.memory.hasRAM(count, at: address) {
            throw FlasherError(
                .wrongStub,
                "stub \(name): expected one for the \(chip.name), got one with \(count) bytes at "
                    + "0x\(String(address, radix: 16)), where this chip has no RAM")
        }
        for other in Chip.all where other != chip && name == Self.fileName(forChip: other.name) {
            throw FlasherError(.wrongStub, "stub \(name): expected one for the \(chip.name), got the \(other.name)'s")
        }
    }

    /// The name of the file of a chip's stub in esptool's folders, without the folder: e.g. `esp32c3.json`.
    ///
    /// - Parameters:
    ///   - chipName: Espressif's name, e.g. `ESP32-C3`.
    ///   - revision: the chip's, major × 100 + minor, where ``dependsOnRevision(_:)`` says so.
    public static func fileName(forChip chipName: String, revision: UInt32? = nil) -> String {
        let isFirst = dependsOnRevision(chipName) && revision.map { $0 < secondSilicon } ?? false
        return chipName.lowercased().filter { $0 != "-" } + (isFirst ? "-rev1" : "") + ".json"
    }

    /// Whether the chip has several stubs: the ESP32-P4, which has one of its own before revision 3.0.
    ///
    /// - Parameter chipName: Espressif's name.
    public static func dependsOnRevision(_ chipName: String) -> Bool { chipName == "ESP32-P4" }

    /// The first revision of the ESP32-P4 with the second one.
    private static let secondSilicon: UInt32 = 300
}

/// Reads the texts and whole numbers of one JSON object; other values, with all they contain, are skipped.
///
/// The flasher's target builds without Foundation, and a stub's file needs no more.
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
