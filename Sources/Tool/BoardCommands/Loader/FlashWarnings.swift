import ESPChips
import ESPImage

/// Warnings about contents before they are flashed: likely mistakes that are not errors.
enum FlashWarnings {
    private static let usualAppOffset: UInt32 = 0x1_0000

    /// The warnings about `layout` for a board with `chip`.
    static func lines(_ layout: FlashLayout, for chip: Chip) -> [String] {
        let table = try? layout.partitionTable()
        return layout.regions.compactMap { misplaced($0, table, chip) }
            + layout.regions.flatMap { region in erased(region, table) }
    }

    /// The warning about an image at an address where no program looks for it.
    private static func misplaced(_ region: FlashLayout.Region, _ table: PartitionTable?, _ chip: Chip) -> String? {
        let place = "\(region.name) at \(hexadecimal(region.offset))"
        guard region.bytes.first == ImageHeader.magic, let image = try? FirmwareImage(region.bytes[...]) else {
            guard region.bytes.starts(with: Partition.magic), region.offset != PartitionTable.offset,
                (try? PartitionTable(region.bytes[...])) != nil
            else { return nil }
            return "\(place): this is a partition table; bootloaders look for it at 0x8000"
        }
        switch image.kind {
        case .bootloader where region.offset != chip.bootloaderOffset,
            .loadedIntoRAM where isBootloaderPlace(region.offset) && region.offset != chip.bootloaderOffset:
            return
                "\(place): this is a bootloader; the ROM of the \(chip.name) looks for it at \(hexadecimal(chip.bootloaderOffset))"
        case .application:
            if let table {
                let slots = table.partitions.filter(\.isApp)
                guard !slots.contains(where: { $0.offset == region.offset }) else { return nil }
                let places = slots.map { hexadecimal($0.offset) }.joined(separator: ", ")
                return "\(place): this is an application; the partition table has "
                    + (slots.isEmpty ? "no place for one" : "places for applications at \(places)")
            }
            guard region.offset < usualAppOffset else { return nil }
            return "\(place): this is an application; bootloaders look for it at 0x10000 or later"
        default: return nil
        }
    }

    private static func isBootloaderPlace(_ address: UInt32) -> Bool {
        Chip.all.contains { $0.bootloaderOffset == address }
    }

    /// The warnings about partitions with settings that the gaps of a larger region erase.
    private static func erased(_ region: FlashLayout.Region, _ table: PartitionTable?) -> [String] {
        (table?.partitions ?? []).compactMap { partition in
            guard partition.kind == .data, partition.subtypeName == "nvs", region.offset < partition.offset,
                region.end >= partition.end
            else { return nil }
            let start = Int(partition.offset - region.offset)
            guard region.bytes[start..<start + Int(partition.size)].allSatisfy({ $0 == 0xFF }) else { return nil }
            return
                "\(region.name) erases the partition \(partition.name), with the settings and bonds of the board; flash its parts separately to keep them"
        }
    }

    private static func hexadecimal(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }
}
