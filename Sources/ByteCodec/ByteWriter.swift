/// Appends fields to a growing array; little-endian unless the name says otherwise.
public struct ByteWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// An empty writer with room for `capacity` bytes.
    public init(capacity: Int = 32) {
        bytes.reserveCapacity(capacity)
    }

    /// The number of bytes written.
    public var count: Int { bytes.count }

    /// Appends one byte.
    public mutating func uint8(_ value: UInt8) {
        bytes.append(value)
    }

    /// Appends one byte, two's complement.
    public mutating func int8(_ value: Int8) {
        bytes.append(UInt8(bitPattern: value))
    }

    /// Appends two bytes.
    public mutating func uint16(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// Appends the low three bytes of `value`.
    public mutating func uint24(_ value: UInt32) {
        littleEndian(UInt64(value), 3)
    }

    /// Appends four bytes.
    public mutating func uint32(_ value: UInt32) {
        littleEndian(UInt64(value), 4)
    }

    /// Appends eight bytes.
    public mutating func uint64(_ value: UInt64) {
        littleEndian(value, 8)
    }

    /// Appends two bytes, most significant first.
    public mutating func uint16BigEndian(_ value: UInt16) {
        uint16(value.byteSwapped)
    }

    /// Appends four bytes, most significant first.
    public mutating func uint32BigEndian(_ value: UInt32) {
        uint32(value.byteSwapped)
    }

    /// Appends `values` as they are.
    public mutating func append(_ values: some Sequence<UInt8>) {
        bytes.append(contentsOf: values)
    }

    /// Overwrites the two bytes at `offset`, which must have been written: for lengths known only at the end.
    public mutating func patchUInt16(_ value: UInt16, at offset: Int) {
        bytes[offset] = UInt8(truncatingIfNeeded: value)
        bytes[offset + 1] = UInt8(truncatingIfNeeded: value >> 8)
    }

    private mutating func littleEndian(_ value: UInt64, _ count: Int) {
        for index in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))))
        }
    }
}
