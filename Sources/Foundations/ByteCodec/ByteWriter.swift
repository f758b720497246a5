/// Appends fields to a growing array; little-endian unless stated otherwise.
public struct ByteWriter: Sendable {
    /// The bytes written so far.
    @inlinable public var bytes: [UInt8] { storage }

    @usableFromInline var storage: [UInt8] = []

    /// An empty writer with room for `capacity` bytes.
    @inlinable public init(capacity: Int = 32) {
        storage.reserveCapacity(capacity)
    }

    /// The number of bytes written.
    @inlinable public var count: Int { storage.count }

    /// Appends one byte.
    @inlinable public mutating func uint8(_ value: UInt8) {
        storage.append(value)
    }

    /// Appends one byte, two's complement.
    @inlinable public mutating func int8(_ value: Int8) {
        storage.append(UInt8(bitPattern: value))
    }

    /// Appends two bytes.
    @inlinable public mutating func uint16(_ value: UInt16) {
        storage.append(UInt8(truncatingIfNeeded: value))
        storage.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// Appends the low three bytes of `value`.
    @inlinable public mutating func uint24(_ value: UInt32) {
        littleEndian(UInt64(value), 3)
    }

    /// Appends four bytes.
    @inlinable public mutating func uint32(_ value: UInt32) {
        littleEndian(UInt64(value), 4)
    }

    /// Appends eight bytes.
    @inlinable public mutating func uint64(_ value: UInt64) {
        littleEndian(value, 8)
    }

    /// Appends sixteen bytes.
    @inlinable public mutating func uint128(_ value: UInt128) {
        littleEndian(UInt64(truncatingIfNeeded: value), 8)
        littleEndian(UInt64(truncatingIfNeeded: value >> 64), 8)
    }

    /// Appends two bytes, most significant first.
    @inlinable public mutating func uint16BigEndian(_ value: UInt16) {
        uint16(value.byteSwapped)
    }

    /// Appends four bytes, most significant first.
    @inlinable public mutating func uint32BigEndian(_ value: UInt32) {
        uint32(value.byteSwapped)
    }

    /// Appends `values` as they are.
    @inlinable public mutating func append(_ values: some Sequence<UInt8>) {
        storage.append(contentsOf: values)
    }

    /// Overwrites the two bytes at `offset`, which must have been written: for lengths known only at the end.
    @inlinable public mutating func patchUInt16(_ value: UInt16, at offset: Int) {
        storage[offset] = UInt8(truncatingIfNeeded: value)
        storage[offset + 1] = UInt8(truncatingIfNeeded: value >> 8)
    }

    @inlinable mutating func littleEndian(_ value: UInt64, _ count: Int) {
        for index in 0..<count {
            storage.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))))
        }
    }
}
