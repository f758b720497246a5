/// A segment of an image: bytes for an address of the chip.
public struct ImageSegment: Hashable, Sendable {
    /// The length of the header before the data: address and length.
    public static let headerLength = 8
    /// Data of at least this length are refused, in bytes.
    public static let lengthLimit: UInt32 = 0x100_0000

    /// Where it is loaded or mapped; 0 marks padding.
    public var address: UInt32
    /// Its bytes; a multiple of 4.
    public var data: ArraySlice<UInt8>

    /// A segment of `data` at `address`.
    public init(address: UInt32, data: ArraySlice<UInt8>) {
        self.address = address
        self.data = data
    }

    /// Whether it is padding before a mapped segment.
    public var isPadding: Bool { address == 0 }
}
