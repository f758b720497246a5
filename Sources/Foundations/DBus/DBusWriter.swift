/// Marshals values, little-endian (D-Bus Specification, "Marshalling").
struct DBusWriter {
    private(set) var bytes: [UInt8] = []

    /// A writer with room for a typical message.
    init() {
        bytes.reserveCapacity(256)
    }

    mutating func align(_ alignment: Int) {
        // `alignment` is a power of two.
        while bytes.count & (alignment - 1) != 0 { bytes.append(0) }
    }

    mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        align(MemoryLayout<Value>.size)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func string(_ text: String) throws(DBusError) {
        var text = text
        let isValid = text.withUTF8 { text in
            guard !text.contains(0) else { return false }
            integer(UInt32(truncatingIfNeeded: text.count))
            bytes.append(contentsOf: text)
            return true
        }
        guard isValid else { throw DBusError(.invalidMessage, "string: expected no zero in it, got one") }
        bytes.append(0)
    }

    mutating func signature(_ text: String) throws(DBusError) {
        guard !text.utf8.contains(0) else {
            throw DBusError(.invalidMessage, "string: expected no zero in it, got one")
        }
        try signature { $0.append(contentsOf: text.utf8) }
    }

    /// Writes a signature; `append` appends its codes.
    private mutating func signature(_ append: (inout [UInt8]) -> Void) throws(DBusError) {
        let position = bytes.count
        bytes.append(0)
        append(&bytes)
        guard let count = UInt8(exactly: bytes.count - position - 1) else {
            throw DBusError(
                .invalidMessage, "signature: expected at most 255 codes, got \(bytes.count - position - 1)")
        }
        bytes[position] = count
        bytes.append(0)
    }

    mutating func value(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let value): bytes.append(value)
        case .boolean(let value): integer(UInt32(value ? 1 : 0))
        case .int16(let value): integer(value)
        case .uint16(let value): integer(value)
        case .int32(let value): integer(value)
        case .uint32(let value): integer(value)
        case .int64(let value): integer(value)
        case .uint64(let value): integer(value)
        case .double(let value): integer(value.bitPattern)
        case .string(let text): try string(text)
        case .objectPath(let path):
            guard Self.isObjectPath(path) else {
                throw DBusError(.invalidMessage, "object path: expected /NAME/…, got \"\(path)\"")
            }
            try string(path)
        case .signature(let text): try signature(text)
        case .unixFD: throw DBusError(.invalidMessage, "a file descriptor: sending them is not supported")
        case .variant(let value):
            try signature { value.appendCode(to: &$0) }
            try self.value(value)
        case .bytes(let value):
            integer(UInt32(truncatingIfNeeded: value.count))
            bytes.append(contentsOf: value)
        case .array(let element, let values):
            try array(alignment: element.alignment) { writer throws(DBusError) in
                for value in values { try writer.value(value, of: element) }
            }
        case .structure(let fields):
            align(8)
            for field in fields { try self.value(field) }
        case .dictionary(let key, let value, let entries):
            try array(alignment: 8) { writer throws(DBusError) in
                for entry in entries {
                    writer.align(8)
                    try writer.value(entry.key, of: key)
                    try writer.value(entry.value, of: value)
                }
            }
        }
    }

    private mutating func value(_ value: DBusValue, of type: DBusType) throws(DBusError) {
        guard value.type == type else {
            throw DBusError(.invalidMessage, "an element: expected type \(type.code), got \(value.type.code)")
        }
        try self.value(value)
    }

    /// Writes the elements with `elements`, and their length before them.
    mutating func array(
        alignment: Int, _ elements: (inout DBusWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        integer(UInt32(0))
        let lengthPosition = bytes.count - 4
        align(alignment)
        let start = bytes.count
        try elements(&self)
        let count = bytes.count - start
        guard count <= DBusLimits.array else {
            throw DBusError(.invalidMessage, "array: expected at most \(DBusLimits.array) bytes, got \(count)")
        }
        for index in 0..<4 { bytes[lengthPosition + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
    }

    /// Begins a header field whose type has a single code.
    private mutating func beginField(_ code: UInt8, _ type: UInt8) {
        align(8)
        bytes.append(code)
        bytes.append(1)
        bytes.append(type)
        bytes.append(0)
    }

    /// Writes a header field.
    mutating func field(_ code: UInt8, _ text: String) throws(DBusError) {
        beginField(code, UInt8(ascii: "s"))
        try string(text)
    }

    /// Writes a header field.
    mutating func field(_ code: UInt8, _ number: UInt32) {
        beginField(code, UInt8(ascii: "u"))
        integer(number)
    }

    /// Writes the header field with the path of an object.
    mutating func pathField(_ path: String) throws(DBusError) {
        beginField(DBusHeaderField.path, UInt8(ascii: "o"))
        try value(.objectPath(path))
    }

    /// Writes the header field with the signature of a body.
    mutating func signatureField(of body: [DBusValue]) throws(DBusError) {
        beginField(DBusHeaderField.signature, UInt8(ascii: "g"))
        try signature { codes in for value in body { value.appendCode(to: &codes) } }
    }

    /// Replaces an integer that was written before.
    mutating func replace(_ value: UInt32, at position: Int) {
        for index in 0..<4 { bytes[position + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    /// Appends marshalled bytes.
    mutating func append(_ other: [UInt8]) {
        bytes.append(contentsOf: other)
    }

    /// True for `/`, or for elements of letters, digits and underscores, each after one `/`.
    static func isObjectPath(_ text: String) -> Bool {
        let slash = UInt8(ascii: "/")
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.first == slash else { return false }
            if bytes.count == 1 { return true }
            var previous = slash
            for byte in bytes.dropFirst() {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    break
                case slash: if previous == slash { return false }
                default: return false
                }
                previous = byte
            }
            return previous != slash
        }
    }
}
