import ESPChips
import ESPFlasher
import ESPImage
import FirmwareBuild
import SerialPort

/// A file that a command writes to or compares with the flash.
struct FlashInput: Sendable {
    /// The path as given.
    let path: String
    /// The address as given; `nil`: the content says it.
    let address: UInt32?
    private let bytes: [UInt8]

    /// Reads the file at `path`.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    init(_ path: String, at address: UInt32?) throws(CommandFailure) {
        self.path = path
        self.address = address
        bytes = try InputFile.read(path)
        guard !bytes.isEmpty else {
            throw CommandFailure(.badInput, "\(path): expected an image or data, got an empty file", code: "file.empty")
        }
    }

    /// The chip that the file is for; `nil` when it does not say.
    var chip: Chip? {
        guard bytes.first == ImageHeader.magic else { return nil }
        return try? FirmwareImage.chip(of: bytes[...])
    }

    /// Whether it is an ELF file.
    var isELF: Bool { bytes.starts(with: ELFFile.magic) }

    /// Whether it is the text of a partition table.
    private var isCSV: Bool { path.lowercased().hasSuffix(".csv") }

    /// The region of the flash that the file is for.
    ///
    /// - Parameters:
    ///   - board: the board.
    ///   - table: the partition table that comes with it; `nil`: the usual addresses.
    ///   - settings: the flash settings for images made of ELF files.
    ///   - isRaw: whether the bytes are written as they are.
    /// - Throws: ``CommandFailure`` with exit code `badInput` or `refused`.
    func region(
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
        // A broken image is one of an application: the flasher says what is wrong.
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
    /// - Throws: ``CommandFailure`` with exit code `refused` for another chip's, else `badInput`.
    static func image(
        ofELF bytes: [UInt8], _ path: String, for chip: Chip, _ settings: FlashSettingsChange,
        revisions: ClosedRange<UInt16> = 0...UInt16.max
    ) throws(CommandFailure) -> [UInt8] {
        do throws(ImageError) {
            let flash = settings.applied(to: .elf2image)
            var builder = try ImageBuilder(try ELFFile(bytes), for: chip, flash: flash)
            (builder.minimumRevision, builder.maximumRevision) = (revisions.lowerBound, revisions.upperBound)
            return try builder.build()
        } catch {
            throw CommandFailure(imageError: error, path)
        }
    }
}

extension CommandFailure {
    /// The failure for a file at `path` that is not what it should be.
    init(imageError error: ImageError, _ path: String) {
        self.init(
            error.code == .wrongChip ? .refused : .badInput, "\(path): \(DeviceText.withoutControls("\(error)"))",
            code: "image.\(error.code.rawValue)")
    }
}
