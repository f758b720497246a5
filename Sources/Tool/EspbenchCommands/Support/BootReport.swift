import ESPImage

/// What the user is told when a board does not start after a flash.
enum BootReport {
    /// The lines for these lines of its boot log; none after a flash of data, which a board need not start from.
    static func lines(_ problems: [String], after layout: FlashLayout) -> [String] {
        let hasImage = layout.regions.contains {
            $0.offset < PartitionTable.firstPartitionOffset || $0.bytes.first == ImageHeader.magic
        }
        guard !problems.isEmpty, hasImage else { return [] }
        return ["the board does not start the flashed application; its boot log:"] + problems.map { "  \($0)" }
    }
}
