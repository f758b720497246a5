public import ESPChips

/// The regions of a flash that a build produces and a flasher writes.
public struct FlashLayout: Hashable, Sendable {
    /// One region.
    public struct Region: Hashable, Sendable {
        /// Its name in messages, e.g. "bootloader".
        public var name: String
        /// Its first address in flash.
        public var offset: UInt32
        /// Its content.
        public var bytes: [UInt8]

        /// A region.
        public init(name: String, offset: UInt32, bytes: [UInt8]) {
            self.name = name
            self.offset = offset
            self.bytes = bytes
        }

        /// The first address after it.
        public var end: UInt64 { UInt64(offset) + UInt64(bytes.count) }
    }

    /// The regions, by address.
    public let regions: [Region]

    /// A layout of regions in any order.
    ///
    /// - Throws: ``ImageError`` with code `layout` when two share a sector, since the second write would erase the
    ///   first, or with code `beyondFlash` when one ends beyond the largest flash, ``IntelHex/addressLimit``.
    public init(_ regions: [Region]) throws(ImageError) {
        // Bounds the memory of a merged layout, and lets every address of a layout fit its 32 bits.
        for region in regions where region.end > IntelHex.addressLimit {
            throw ImageError(
                .beyondFlash, region.name,
                "expected an end within the largest flash of \(hexadecimal(IntelHex.addressLimit)) bytes, "
                    + "got \(hexadecimal(region.end))")
        }
        let ordered = regions.sorted { $0.offset < $1.offset }
        for (former, latter) in zip(ordered, ordered.dropFirst()) {
            guard (former.end + Self.sectorSize - 1) / Self.sectorSize <= UInt64(latter.offset) / Self.sectorSize else {
                throw ImageError(
                    .layout, latter.name,
                    "expected to begin in a sector after \(former.name), which ends at \(hexadecimal(former.end)), "
                        + "got \(hexadecimal(latter.offset))")
            }
        }
        self.regions = ordered
    }

    /// Bootloader, partition table and application at the offsets of the chip and of the table.
    ///
    /// - Throws: ``ImageError`` with code `layout` when there is no place for the application or it does not fit, or the
    ///   table does not fit the flash.
    public init(
        chip: Chip, bootloader: [UInt8], table: PartitionTable, app: [UInt8], flashSize: UInt64
    ) throws(ImageError) {
        try table.check(flashSize: flashSize)
        guard let slot = table.defaultApp else {
            throw ImageError(.layout, "application", "expected a partition of type app, got none")
        }
        guard app.count <= slot.size else {
            throw ImageError(
                .layout, "application",
                "expected at most \(slot.size) bytes (partition \(slot.name)), got \(app.count)")
        }
        try self.init([
            Region(name: "bootloader", offset: chip.bootloaderOffset, bytes: bootloader),
            Region(name: "partition table", offset: PartitionTable.offset, bytes: try table.bytes()),
            Region(name: "application", offset: slot.offset, bytes: app),
        ])
    }

    /// The partition table among the regions, or within one; `nil` without a table.
    ///
    /// - Throws: ``ImageError`` for a damaged table.
    public func partitionTable() throws(ImageError) -> PartitionTable? {
        guard
            let place = regions.first(where: { $0.offset <= PartitionTable.offset && PartitionTable.offset < $0.end })
        else { return nil }
        let bytes = place.bytes.dropFirst(Int(PartitionTable.offset - place.offset))
        return bytes.starts(with: Partition.magic) ? try PartitionTable(bytes) : nil
    }

    static let sectorSize: UInt64 = 0x1000

    /// All regions in one image, from address 0 to the end of the last; filled with `FF`.
    public func merged() -> [UInt8] {
        joined(from: 0)
    }

    /// All regions in one image, from the address `start` to the end of the last, or to a length of `size`; filled
    /// with `FF`.
    ///
    /// - Throws: ``ImageError`` with code `layout` when a region begins before `start`, or does not fit `size`.
    public func merged(from start: UInt32, size: UInt64? = nil) throws(ImageError) -> [UInt8] {
        if let first = regions.first, first.offset < start {
            throw ImageError(
                .layout, first.name,
                "expected to begin at \(hexadecimal(start)) or later, got \(hexadecimal(first.offset))")
        }
        if let size, let last = regions.last, last.end > size {
            throw ImageError(
                .layout, last.name,
                "expected an end within the flash of \(hexadecimal(size)) bytes, got \(hexadecimal(last.end))")
        }
        var result = joined(from: start)
        if let size = size.flatMap({ Int(exactly: $0) }), result.count < size - Int(start) {
            result.append(contentsOf: repeatElement(0xFF, count: size - Int(start) - result.count))
        }
        return result
    }

    private func joined(from start: UInt32) -> [UInt8] {
        var result: [UInt8] = []
        for region in regions {
            result.append(contentsOf: repeatElement(0xFF, count: Int(region.offset - start) - result.count))
            result.append(contentsOf: region.bytes)
        }
        return result
    }
}
