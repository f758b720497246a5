/// A chip's address ranges into which images load.
public struct MemoryMap: Hashable, Sendable {
    /// Addresses at which the cache maps flash as data.
    public let flashData: Range<UInt32>
    /// Addresses at which the cache maps flash as instructions; may equal ``flashData``.
    public let flashInstructions: Range<UInt32>
    /// RAM that a bootloader can load; the first range is the data RAM.
    public let ram: [Range<UInt32>]

    /// The size of a cache page, in bytes.
    public static let flashPageSize: UInt32 = 0x1_0000

    /// Whether a segment at `address` is mapped instead of copied.
    public func isMapped(_ address: UInt32) -> Bool {
        flashData.contains(address) || flashInstructions.contains(address)
    }

    /// Whether `count` bytes at `address` fit into one of the chip's memories.
    public func canLoad(_ count: Int, at address: UInt32) -> Bool {
        Self.fits(count, at: address, in: ram + [flashData, flashInstructions])
    }

    /// Whether `count` bytes at `address` fit into the chip's RAM.
    public func hasRAM(_ count: Int, at address: UInt32) -> Bool { Self.fits(count, at: address, in: ram) }

    private static func fits(_ count: Int, at address: UInt32, in ranges: [Range<UInt32>]) -> Bool {
        ranges.contains { $0.contains(address) && UInt64(count) <= UInt64($0.upperBound - address) }
    }
}
