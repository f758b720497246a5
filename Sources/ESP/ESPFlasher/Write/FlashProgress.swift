/// The progress of a write; for progress bars.
public struct FlashProgress: Hashable, Sendable {
    /// The phases of writing a region.
    public enum Phase: String, Hashable, Sendable {
        /// The content is being compared, to skip what is unchanged.
        case comparing
        /// The sectors are being erased.
        case erasing
        /// Blocks are being written.
        case writing
        /// The digest is being compared.
        case verifying
        /// The region is written and verified.
        case done
    }

    /// The name of the region.
    public var region: String
    /// Its first address.
    public var offset: UInt32
    /// The current phase.
    public var phase: Phase
    /// The number of bytes of the region that are written, or were unchanged, so far.
    public var written: Int
    /// Bytes of the region.
    public var total: Int
    /// How many of the bytes were unchanged, and are not written.
    public var skipped = 0
    /// The number of bytes sent for the region so far, compressed.
    public var compressedTotal: Int
    /// Bytes written of all regions.
    public var overallWritten: Int
    /// Bytes of all regions.
    public var overallTotal: Int
    /// The number of times that part of the region was begun anew because of a fault of the line.
    public var restarts = 0
}
