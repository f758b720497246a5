/// The progress of a write; for progress bars.
public struct FlashProgress: Hashable, Sendable {
    /// The phases of writing a region.
    public enum Phase: Hashable, Sendable {
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
    /// The number of bytes of the region written so far.
    public var written: Int
    /// Bytes of the region.
    public var total: Int
    /// The compressed size of the region: the number of bytes sent.
    public var compressedTotal: Int
    /// Bytes written of all regions.
    public var overallWritten: Int
    /// Bytes of all regions.
    public var overallTotal: Int
}
