/// How a layout is written.
public struct WriteOptions: Hashable, Sendable {
    /// Whether sectors that hold the data already are left as they are; found by digests.
    public var skipsUnchanged: Bool
    /// Whether the data are sent compressed, where a stub runs or the chip's ROM takes that without harm.
    public var isCompressed: Bool
    /// Whether images are validated (chip, checksum, hash) before anything is erased; not for raw data.
    public var validatesImages: Bool
    /// Whether plain data may be written to a chip that encrypts its flash, which then cannot start them.
    public var allowsPlainOnEncrypted: Bool

    /// By default everything that is safe and fast.
    public init(
        skipsUnchanged: Bool = true, isCompressed: Bool = true, validatesImages: Bool = true,
        allowsPlainOnEncrypted: Bool = false
    ) {
        self.skipsUnchanged = skipsUnchanged
        self.isCompressed = isCompressed
        self.validatesImages = validatesImages
        self.allowsPlainOnEncrypted = allowsPlainOnEncrypted
    }
}

/// What a write did.
public struct WriteSummary: Hashable, Sendable {
    /// The number of bytes of all regions.
    public var total = 0
    /// How many of them were in the flash already, and were skipped.
    public var skipped = 0
    /// The number of bytes sent as data, compressed; with those sent again.
    public var sent = 0
    /// The number of times that part of a region was begun anew because of a fault of the line.
    public var restarts = 0
    /// Whether the content was compared with a digest; not possible in secure download mode.
    public var isVerified = true
}
