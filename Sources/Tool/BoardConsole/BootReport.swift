import ESPImage

/// The text for the user when a board does not start after a flash.
package enum BootReport {
    /// True if the board may start from what was flashed; from data it need not.
    package static func concerns(_ layout: FlashLayout) -> Bool {
        layout.regions.contains {
            $0.offset < PartitionTable.firstPartitionOffset || $0.bytes.first == ImageHeader.magic
        }
    }

    /// The lines for these lines of its boot log.
    package static func lines(_ problems: [String], after layout: FlashLayout) -> [String] {
        guard !problems.isEmpty, concerns(layout) else { return [] }
        let lines = ["the board does not start the flashed application; its boot log:"] + problems.map { "  \($0)" }
        // The contents of an erased flash.
        guard problems.contains(where: { $0.contains("invalid header: 0xffffffff") }) else { return lines }
        return lines + ["there is no bootloader in its flash: flash a whole build, or the bootloader too"]
    }
}
