/// Reads fields from bytes, front to back; every read checks its length first.
///
/// Little-endian unless stated otherwise. Slices are not copied.
public struct ByteReader: Sendable {
    /// The name of the decoded data, for errors.
    public let subject: StaticString
    @usableFromInline let bytes: ArraySlice<UInt8>
    @usableFromInline var position: Int

    /// A reader over `bytes`; `subject` names the unit in errors.
    @inlinable public init(_ bytes: ArraySlice<UInt8>, subject: StaticString) {
        self.bytes = bytes
        self.subject = subject
        position = bytes.startIndex
    }

    /// A reader over `bytes`; `subject` names the unit in errors.
    @inlinable public init(_ bytes: [UInt8], subject: StaticString) {
        self.init(bytes[...], subject: subject)
    }

    /// The number of bytes not read yet.
    @inlinable public var remaining: Int { bytes.endIndex - position }

    /// The number of bytes read.
    @inlinable public var offset: Int { position - bytes.startIndex }

    @inlinable func need(_ count: Int) throws(CodecError) {
        guard count >= 0, remaining >= count else {
            throw CodecError("\(subject)", .truncated(expected: count, got: remaining), offset: offset)
        }
    }

    /// One byte.
    @inlinable public mutating func uint8() throws(CodecError) -> UInt8 {
        try need(1)
        defer { position += 1 }
        return bytes[position]
    }

    /// One byte, two's complement.
    @inlinable public mutating func int8() throws(CodecError) -> Int8 {
        Int8(bitPattern: try uint8())
    }

    /// Two bytes, little-endian.
    @inlinable public mutating func uint16() throws(CodecError) -> UInt16 {
        try need(2)
        defer { position += 2 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }

    /// Three bytes, little-endian.
    @inlinable public mutating func uint24() throws(CodecError) -> UInt32 {
        try need(3)
        return UInt32(truncatingIfNeeded: littleEndian(3))
    }

    /// Four bytes, little-endian.
    @inlinable public mutating func uint32() throws(CodecError) -> UInt32 {
        try need(4)
        return UInt32(truncatingIfNeeded: littleEndian(4))
    }

    /// Eight bytes, little-endian.
    @inlinable public mutating func uint64() throws(CodecError) -> UInt64 {
        try need(8)
        return littleEndian(8)
    }

    /// Sixteen bytes, little-endian.
    @inlinable public mutating func uint128() throws(CodecError) -> UInt128 {
        try need(16)
        let low = littleEndian(8)
        return UInt128(littleEndian(8)) << 64 | UInt128(low)
    }

    /// Two bytes, big-endian.
    @inlinable public mutating func uint16BigEndian() throws(CodecError) -> UInt16 {
        try uint16().byteSwapped
    }

    /// Four bytes, big-endian.
    @inlinable public mutating func uint32BigEndian() throws(CodecError) -> UInt32 {
        try uint32().byteSwapped
    }

    @inlinable mutating func littleEndian(_ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<count {
            value |= UInt64(bytes[position + index]) << (8 * UInt64(index))
        }
        position += count
        return value
    }

    /// The next `count` bytes, uncopied.
    @inlinable public mutating func slice(_ count: Int) throws(CodecError) -> ArraySlice<UInt8> {
        try need(count)
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// All bytes not read yet, uncopied; may be empty.
    @inlinable public mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    /// Fails unless every byte has been read.
    @inlinable public func end() throws(CodecError) {
        guard remaining == 0 else {
            throw CodecError("\(subject)", .trailing(count: remaining), offset: offset)
        }
    }

    /// An error about the field read last, whose value the specification does not allow.
    @inlinable public func invalid(_ field: String, _ value: UInt64, allowed: String) -> CodecError {
        CodecError("\(subject)", .invalidValue(field: field, value: value, allowed: allowed), offset: offset)
    }
}

/// Error of decoding bytes: what was being read, what was expected and found, and where.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: Hashable, Sendable {
        /// Fewer bytes than the field needs.
        case truncated(expected: Int, got: Int)
        /// Bytes left after the last field.
        case trailing(count: Int)
        /// A field has a value that its specification does not allow.
        case invalidValue(field: String, value: UInt64, allowed: String)
    }

    /// The unit being decoded, as the specification names it, e.g. "ATT Read Response".
    public var subject: String
    /// The fault.
    public var code: Code
    /// The offset of the fault in the unit, in bytes.
    public var offset: Int

    /// An error in `subject` at `offset`.
    public init(_ subject: String, _ code: Code, offset: Int) {
        self.subject = subject
        self.code = code
        self.offset = offset
    }

    /// One line: subject, what was expected, what was found, and where.
    public var description: String { "\(subject): \(detail)" }

    /// The expected and the found bytes, and their position.
    public var detail: String {
        switch code {
        case .truncated(let expected, let got):
            "expected at least \(expected) more byte\(expected == 1 ? "" : "s"), got \(got) (at offset \(offset))"
        case .trailing(let count):
            "expected the end, got \(count) more byte\(count == 1 ? "" : "s") (at offset \(offset))"
        case .invalidValue(let field, let value, let allowed):
            "expected \(field) \(allowed), got \(value) (at offset \(offset))"
        }
    }
}
