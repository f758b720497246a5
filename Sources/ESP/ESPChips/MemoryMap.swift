/// Where a chip's memories are, as far as images load into them.
public struct MemoryMap: Hashable, Sendable {
    /// Addresses at which the cache shows flash as data.
    public let flashData: Range<UInt32>
    /// Addresses at which the cache shows flash as instructions; may be those of ``flashData``.
    public let flashInstructions: Range<UInt32>
    /// Where RAM is that a bootloader can fill; the first is the data RAM.
    public let ram: [Range<UInt32>]

    /// The pages in which the cache maps flash, in bytes.
    public static let flashPageSize: UInt32 = 0x1_0000

    /// Whether a segment at `address` is not copied, but mapped.
    public func isMapped(_ address: UInt32) -> Bool {
        flashData.contains(address) || flashInstructions.contains(address)
    }

    /// Whether `count` bytes at `address` fit into one of the chip's memories.
    public func canLoad(_ count: Int, at address: UInt32) -> Bool {
        (ram + [flashData, flashInstructions]).contains {
            $0.contains(address) && UInt64(count) <= UInt64($0.upperBound - address)
        }
    }
}
