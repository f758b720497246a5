import BoardConsole
import CommandSupport
import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild
import SerialPort

/// A file that a command writes to or compares with the flash.
struct FlashInput: Sendable {
    /// The path as given.
    let path: String
    /// The address as given; `nil`: the content determines it.
    private var address: UInt32?
    /// The name of the partition to write, as given.
    private(set) var partition: String?
    private let bytes: [UInt8]
    /// The content, if it is an Intel HEX file.
    private let hex: IntelHex?

    /// Reads the file at `path`; with `isRaw`, its bytes are not interpreted.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`, or `usage` for an address that is not the file's own.
    init(_ path: String, at address: UInt32?, in partition: String?, isRaw: Bool) throws(CommandFailure) {
        self.path = path
        self.address = address
        self.partition = partition
        bytes = try InputFile.read(path)
        guard !bytes.isEmpty else {
            throw CommandFailure(.badInput, "\(path): expected an image or data, got an empty file", code: "file.empty")
        }
        if !isRaw { try ImageFile.refuseUF2(path, bytes) }
        guard partition == nil || isRaw || !Self.isHex(path, bytes) else {
            throw CommandFailure(
                .usage,
                "\(path): expected no partition, since the Intel HEX file says its address, got '\(partition ?? "")'",
                code: "usage.hexAddress")
        }
        hex = isRaw || !Self.isHex(path, bytes) ? nil : try Self.hex(path, bytes, at: address)
    }

    /// True if the file at `path` is an Intel HEX file, by its name or its content.
    static func isHex(_ path: String, _ bytes: [UInt8]) -> Bool {
        [".hex", ".ihex", ".ihx"].contains { path.lowercased().hasSuffix($0) } || IntelHex.isLikely(bytes)
    }

    /// True if the file at `path` is not written as it is, or says its address: Intel HEX, a partition table, an ELF file.
    static func isInterpreted(_ path: String, _ bytes: [UInt8]) -> Bool {
        isHex(path, bytes) || isCSV(path) || bytes.starts(with: Partition.magic) || bytes.starts(with: ELFFile.magic)
    }

    private static func hex(
        _ path: String, _ bytes: [UInt8], at address: UInt32?
    ) throws(CommandFailure) -> IntelHex {
        let hex: IntelHex
        do throws(ImageError) {
            hex = try IntelHex(bytes)
        } catch {
            throw CommandFailure(.badInput, "\(path): \(error)", code: "flash.hexFile")
        }
        if let address, let own = hex.blocks.first?.address, own != address {
            throw CommandFailure(
                .usage,
                "\(path): expected the address that the Intel HEX file says, 0x\(String(own, radix: 16)), or none, got 0x\(String(address, radix: 16))",
                code: "usage.hexAddress")
        }
        return hex
    }

    /// The chip for which the file was built; `nil`: unknown.
    var chip: Chip? {
        let contents = hex?.blocks.map(\.bytes) ?? [bytes]
        return contents.lazy.filter { $0.first == ImageHeader.magic }
            .compactMap { try? FirmwareImage.chip(of: $0[...]) }.first
    }

    /// The partition table in the file; `nil` for other files and invalid tables.
    var table: PartitionTable? {
        guard partition == nil, address == nil || address == PartitionTable.offset,
            isCSV || bytes.starts(with: Partition.magic)
        else {
            return nil
        }
        return try? PartitionFile.read(path, bytes)
    }

    /// True if the file is written to the address of the partition table.
    var isForTable: Bool { address == PartitionTable.offset || table != nil }

    /// True if it is an ELF file.
    var isELF: Bool { bytes.starts(with: ELFFile.magic) }

    /// True if it is the text of a partition table.
    private var isCSV: Bool { Self.isCSV(path) }

    private static func isCSV(_ path: String) -> Bool { path.lowercased().hasSuffix(".csv") }

    /// The flash regions of the file; an Intel HEX file with gaps has several.
    ///
    /// Parameters and errors are those of ``region(for:table:settings:isRaw:)``.
    func regions(
        for board: ConnectedBoard, table: PartitionTable?, settings: FlashSettingsChange, isRaw: Bool
    ) throws(CommandFailure) -> [FlashLayout.Region] {
        if let hex { return hex.regions(name: name) }
        if let partition {
            let place = try Self.place(of: partition, path, in: table)
            var input = self
            (input.address, input.partition) = (place.offset, nil)
            let region = try input.region(for: board, table: table, settings: settings, isRaw: isRaw)
            guard region.bytes.count <= place.size else {
                throw CommandFailure(
                    .refused,
                    "\(path): expected at most \(place.size) bytes, the size of partition \(partition), got \(region.bytes.count)",
                    code: "flash.appTooLarge")
            }
            return [region]
        }
        return [try region(for: board, table: table, settings: settings, isRaw: isRaw)]
    }

    private static func place(
        of name: String, _ path: String, in table: PartitionTable?
    ) throws(CommandFailure) -> Partition {
        guard let table else {
            throw CommandFailure(
                .usage, "\(path): expected --port or --partitions for the place of partition '\(name)'",
                code: "usage.noTable")
        }
        guard let partition = table.named(name) else {
            throw CommandFailure(
                .badInput,
                "\(path): no partition '\(name)', expected one of: \(table.partitions.map(\.name).joined(separator: ", "))",
                code: "flash.noPartition")
        }
        return partition
    }

    /// The flash region of the file.
    ///
    /// - Parameters:
    ///   - board: the board.
    ///   - table: the partition table for the file; `nil`: the usual addresses.
    ///   - settings: the flash settings for images made of ELF files.
    ///   - isRaw: whether the bytes are written unchanged.
    /// - Throws: ``CommandFailure`` with exit code `badInput` or `refused`.
    private func region(
        for board: ConnectedBoard, table: PartitionTable?, settings: FlashSettingsChange, isRaw: Bool
    ) throws(CommandFailure) -> FlashLayout.Region {
        let chip = board.chip
        let appOffset = table?.defaultApp?.offset ?? Self.usualAppOffset
        if isRaw, let address { return FlashLayout.Region(name: name, offset: address, bytes: bytes) }
        if isRaw, isELF || isCSV {
            throw CommandFailure(
                .usage, "--raw: expected an address for the bytes of \(path), such as 0x10000=\(path)",
                code: "usage.noAddress")
        }
        if isELF {
            let image = try FlashImageFile.image(ofELF: bytes, path, for: chip, settings)
            return FlashLayout.Region(name: "application", offset: address ?? appOffset, bytes: image)
        }
        if isCSV {
            let table = try PartitionFile.read(path, bytes)
            return FlashLayout.Region(
                name: "partition table", offset: address ?? PartitionTable.offset,
                bytes: try PartitionFile.bytes(of: table, path, flashSize: board.flashSize ?? 1 << 32))
        }
        if let address { return FlashLayout.Region(name: name, offset: address, bytes: bytes) }
        if (try? PartitionTable(bytes[...])) != nil, bytes.starts(with: Partition.magic) {
            return FlashLayout.Region(name: "partition table", offset: PartitionTable.offset, bytes: bytes)
        }
        if (try? PartitionTable(bytes.dropFirst(Int(PartitionTable.offset)))) != nil {
            return FlashLayout.Region(name: name, offset: 0, bytes: bytes)
        }
        guard bytes.first == ImageHeader.magic else {
            throw CommandFailure(
                .badInput,
                "\(path): expected an image, an ELF file, a partition table or a whole flash, got \(bytes.count) bytes that are none of these: give their address, 0x10000=\(path)",
                code: "flash.unknownFile")
        }
        // An invalid image is treated as an application: the flasher reports its error.
        switch (try? FirmwareImage(bytes[...]))?.kind {
        case .bootloader, .loadedIntoRAM:
            return FlashLayout.Region(name: "bootloader", offset: chip.bootloaderOffset, bytes: bytes)
        default: return FlashLayout.Region(name: "application", offset: appOffset, bytes: bytes)
        }
    }

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    private static let usualAppOffset: UInt32 = 0x1_0000
}

/// Images from ELF files.
enum FlashImageFile {
    /// The image of the ELF file with these `bytes`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `refused` for an image of another chip, else `badInput`.
    static func image(
        ofELF bytes: [UInt8], _ path: String, for chip: Chip, _ settings: FlashSettingsChange,
        revisions: ClosedRange<UInt16> = 0...UInt16.max, digestOffset: Int? = nil
    ) throws(CommandFailure) -> [UInt8] {
        do throws(ImageError) {
            let flash = settings.applied(to: .elf2image)
            var builder = try ImageBuilder(try ELFFile(bytes), for: chip, flash: flash)
            (builder.minimumRevision, builder.maximumRevision) = (revisions.lowerBound, revisions.upperBound)
            if let digestOffset { builder.placeDigest(of: bytes, at: digestOffset) }
            return try builder.build()
        } catch {
            throw CommandFailure(imageError: error, path)
        }
    }
}
