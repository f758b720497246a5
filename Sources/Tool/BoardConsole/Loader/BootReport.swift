import ESPImage

/// The text for the user when a board does not start after a flash.
package enum BootReport {
    /// True if the flashed contents may be started; false for data.
    package static func concerns(_ layout: FlashLayout) -> Bool {
        layout.regions.contains {
            $0.offset < PartitionTable.firstPartitionOffset || $0.bytes.first == ImageHeader.magic
        }
    }

    /// The lines to print for these problems in the boot log.
    package static func lines(_ problems: [String], after layout: FlashLayout) -> [String] {
        guard !problems.isEmpty, concerns(layout) else { return [] }
        let lines = ["the board does not start the flashed application; its boot log:"] + problems.map { "  \($0)" }
        // The ROM reads this header from an erased flash.
        guard problems.contains(where: { $0.contains("invalid header: 0xffffffff") }) else { return lines }
        return lines + ["there is no bootloader in its flash: flash a whole build, or the bootloader too"]
    }
}
