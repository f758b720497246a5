/// Unmarshals values of either byte order; every read checks its length first.
struct DBusReader {
    private let bytes: ArraySlice<UInt8>
    private let isLittleEndian: Bool
    private let descriptors: [DBusFileDescriptor]
    private var position: Int
    private var depth = 0

    /// A reader of `bytes`, whose first byte is at an 8-byte boundary of the message.
    init(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool, descriptors: [DBusFileDescriptor] = []) {
        self.bytes = bytes
        self.isLittleEndian = isLittleEndian
        self.descriptors = descriptors
        position = bytes.startIndex
    }

    var offset: Int { position - bytes.startIndex }
    var remaining: Int { bytes.endIndex - position }

    private func failure(_ detail: String) -> DBusError {
        DBusError(.protocolViolation, "message, byte \(offset): \(detail)")
    }

    private mutating func take(_ count: Int, _ what: String) throws(DBusError) -> ArraySlice<UInt8> {
        guard count <= remaining else {
            throw failure("expected \(count) bytes of \(what), got \(remaining)")
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Skips padding, which is zero.
    mutating func align(_ alignment: Int) throws(DBusError) {
        // `alignment` is a power of two.
        let padding = -offset & (alignment - 1)
        guard padding > 0 else { return }
        guard try take(padding, "padding").allSatisfy({ $0 == 0 }) else {
            throw failure("expected padding of zeros")
        }
    }

    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) throws(DBusError) -> Value {
        let size = MemoryLayout<Value>.size
        try align(size)
        guard size <= remaining else { throw failure("expected \(size) bytes of an integer, got \(remaining)") }
        let offset = offset
        position += size
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
        return isLittleEndian ? Value(littleEndian: value) : Value(bigEndian: value)
    }

    private mutating func text(_ count: Int, _ what: String) throws(DBusError) -> String {
        let field = try take(count, what)
        let (isASCII, hasZero) = field.withUnsafeBufferPointer { bytes in
            (bytes.allSatisfy { $0 < 0x80 }, bytes.contains(0))
        }
        guard try take(1, "the end of \(what)").first == 0, !hasZero else {
            throw failure("expected \(what) with one zero byte, at its end")
        }
        // Decoding repairs invalid UTF-8; comparing afterwards is faster than validating first.
        let text = field.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard isASCII || text.utf8.elementsEqual(field) else { throw failure("expected \(what) in UTF-8") }
        return text
    }

    mutating func string() throws(DBusError) -> String {
        try text(Int(try integer(UInt32.self)), "a string")
    }

    mutating func byte() throws(DBusError) -> UInt8 {
        guard remaining > 0 else { throw failure("expected 1 byte, got 0") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func objectPath() throws(DBusError) -> String {
        let path = try string()
        guard DBusWriter.isObjectPath(path) else { throw failure("expected an object path, got \"\(path)\"") }
        return path
    }

    mutating func signature() throws(DBusError) -> String {
        guard let count = try take(1, "a signature's length").first else { throw failure("expected a signature") }
        return try text(Int(count), "a signature")
    }

    /// The code of a signature with a single code, the most frequent case; otherwise reads nothing.
    mutating func singleCode() -> UInt8? {
        guard remaining >= 3, bytes[position] == 1, bytes[position + 1] != 0, bytes[position + 2] == 0 else {
            return nil
        }
        defer { position += 3 }
        return bytes[position + 1]
    }

    /// The signature; `code` is the result of ``singleCode()``.
    mutating func signature(of code: UInt8?) throws(DBusError) -> String {
        if let code { String(UnicodeScalar(code)) } else { try signature() }
    }

    /// The values of a signature.
    mutating func values(_ types: [DBusType]) throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        for type in types { values.append(try value(type)) }
        return values
    }

    mutating func value(_ type: DBusType) throws(DBusError) -> DBusValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= DBusLimits.depth else {
            throw failure("expected at most \(DBusLimits.depth) levels of nesting")
        }
        switch type {
        case .byte: return .byte(try byte())
        case .boolean:
            let value = try integer(UInt32.self)
            guard value <= 1 else { throw failure("expected a boolean of 0 or 1, got \(value)") }
            return .boolean(value == 1)
        case .int16: return .int16(Int16(bitPattern: try integer(UInt16.self)))
        case .uint16: return .uint16(try integer(UInt16.self))
        case .int32: return .int32(Int32(bitPattern: try integer(UInt32.self)))
        case .uint32: return .uint32(try integer(UInt32.self))
        case .int64: return .int64(Int64(bitPattern: try integer(UInt64.self)))
        case .uint64: return .uint64(try integer(UInt64.self))
        case .double: return .double(Double(bitPattern: try integer(UInt64.self)))
        case .string: return .string(try string())
        case .objectPath: return .objectPath(try objectPath())
        case .signature: return .signature(try signature())
        case .unixFD:
            let index = Int(try integer(UInt32.self))
            guard index < descriptors.count else {
                throw failure("expected file descriptor \(index), got \(descriptors.count) with the message")
            }
            return .unixFD(descriptors[index])
        case .variant:
            let types = try DBusType.parse(try signature())
            guard types.count == 1 else { throw failure("expected a variant of one type, got \(types.count)") }
            return .variant(try value(types[0]))
        case .array(.byte):
            return .bytes(Array(try take(try arrayLength(), "an array")))
        case .array(let element):
            return .array(
                element,
                try elements(alignment: element.alignment) { reader throws(DBusError) in
                    try reader.value(element)
                })
        case .structure(let fields):
            try align(8)
            return .structure(try values(fields))
        case .dictionary(let key, let value):
            let entries = try elements(alignment: 8) { reader throws(DBusError) in
                try reader.align(8)
                return DBusValue.Entry(try reader.value(key), try reader.value(value))
            }
            return .dictionary(key, value, entries)
        }
    }

    private mutating func arrayLength() throws(DBusError) -> Int {
        let count = Int(try integer(UInt32.self))
        guard count <= DBusLimits.array else {
            throw failure("expected an array of at most \(DBusLimits.array) bytes, got \(count)")
        }
        return count
    }

    /// The elements of an array. No element has 0 bytes, so the array's length limits their number.
    mutating func elements<Element>(
        alignment: Int, _ element: (inout DBusReader) throws(DBusError) -> Element
    ) throws(DBusError) -> [Element] {
        var elements: [Element] = []
        try forEachElement(alignment: alignment) { reader throws(DBusError) in
            elements.append(try element(&reader))
        }
        return elements
    }

    /// Reads the elements of an array, one at a time.
    mutating func forEachElement(
        alignment: Int, _ element: (inout DBusReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        let count = try arrayLength()
        try align(alignment)
        guard count <= remaining else { throw failure("expected an array of \(count) bytes, got \(remaining)") }
        let end = position + count
        while position < end { try element(&self) }
        guard position == end else { throw failure("expected an array of \(count) bytes, got a longer element") }
    }
}
