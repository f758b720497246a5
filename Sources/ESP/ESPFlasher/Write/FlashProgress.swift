/// How far a write has come; for progress bars.
public struct FlashProgress: Hashable, Sendable {
    /// What is being done with a region.
    public enum Phase: Hashable, Sendable {
        /// The sectors are being erased.
        case erasing
        /// Blocks are being written.
        case writing
        /// The digest is being compared.
        case verifying
        /// The region is written and right.
        case done
    }

    /// The name of the region.
    public var region: String
    /// Its first address.
    public var offset: UInt32
    /// What is being done.
    public var phase: Phase
    /// Bytes of the region that are written.
    public var written: Int
    /// Bytes of the region.
    public var total: Int
    /// Bytes that the region has become by compression: so many go over the line.
    public var compressedTotal: Int
    /// Bytes written of all regions.
    public var overallWritten: Int
    /// Bytes of all regions.
    public var overallTotal: Int
}
