public import ESPChips
public import ESPImage

/// A build for a real chip: the files to flash, and their origin.
public struct SiliconFirmware: Sendable {
    /// A file of the build, and its place in the flash.
    public struct Part: Hashable, Sendable {
        /// Its name in messages, e.g. "bootloader".
        public var name: String
        /// Its first address in flash.
        public var offset: UInt32
        /// The file's absolute path.
        public var path: String
    }

    /// The name of the sketch or project.
    public var name: String
    /// The chip, as the application's header names it.
    public var chip: Chip
    /// The files, by address.
    public var parts: [Part]
    /// The regions of the flash, by address: the contents of ``parts``.
    public var layout: FlashLayout
    /// The program with its symbols, to decode crashes; `nil` when the build has none.
    public var elf: String?
    /// The flash settings that the bootloader's header gets when it is written.
    public var settings: FlashSettingsChange
    /// Remarks for the user, a line each.
    public var remarks: [String]

    /// Reads `parts` and checks that they are for one chip and do not overlap.
    ///
    /// - Parameters:
    ///   - name: the name of the sketch or project.
    ///   - chip: the chip that was built for; `nil`: the one that the application's header names.
    ///   - settings: the flash settings for the bootloader; `nil`: those in its header.
    /// - Throws: ``FirmwareBuildError`` with code `incompleteBuild`, `wrongChip` or `fileSystem`.
    init(
        _ name: String, for chip: Chip?, _ parts: [Part], elf: String?,
        settings: ((Chip) throws(ImageError) -> FlashSettingsChange)? = nil, remarks: [String] = []
    ) throws(FirmwareBuildError) {
        self.name = name
        self.parts = parts.sorted { $0.offset < $1.offset }
        self.elf = elf.flatMap { FileTree.isFile($0) ? $0 : nil }
        self.remarks = remarks
        var regions: [FlashLayout.Region] = []
        var found: Chip?
        for part in self.parts {
            guard FileTree.isFile(part.path) else {
                throw FirmwareBuildError(
                    .incompleteBuild,
                    "the build of \(name) is not complete: expected the \(part.name) at \(part.path), there is no file")
            }
            let bytes = try FileTree.contents(of: part.path)
            if bytes.first == ImageHeader.magic {
                let own: Chip
                do throws(ImageError) {
                    own = try FirmwareImage.chip(of: bytes[...])
                } catch {
                    throw FirmwareBuildError(.incompleteBuild, "\(part.path): \(error)")
                }
                if let expected = chip ?? found, expected != own {
                    throw FirmwareBuildError(
                        .wrongChip,
                        "\(part.path): expected the \(part.name) of the \(expected.name), got the \(own.name)'s"
                    )
                }
                found = own
            }
            regions.append(FlashLayout.Region(name: part.name, offset: part.offset, bytes: bytes))
        }
        guard let found else {
            throw FirmwareBuildError(
                .incompleteBuild, "the build of \(name) is not complete: expected an application, found none")
        }
        self.chip = found
        do throws(ImageError) {
            layout = try FlashLayout(regions)
            self.settings = try settings?(found) ?? .none
        } catch {
            throw FirmwareBuildError(.incompleteBuild, "the build of \(name) cannot be flashed: \(error)")
        }
    }

    /// The addresses that builds of Arduino and PlatformIO share, from their partition table.
    struct Places {
        /// The offset of the application.
        let application: UInt32
        /// The offset of the data that select the application (`otadata`); `nil` when the table has no such partition.
        let choice: UInt32?

        /// The places of the table in the file at `path`.
        init(table path: String) throws(FirmwareBuildError) {
            let table: PartitionTable
            let bytes = try FileTree.contents(of: path)
            do throws(ImageError) {
                table = try PartitionTable(bytes[...])
            } catch {
                throw FirmwareBuildError(.incompleteBuild, "\(path): \(error)")
            }
            guard let app = table.defaultApp else {
                throw FirmwareBuildError(
                    .incompleteBuild, "\(path): expected a partition for an application, found none")
            }
            application = app.offset
            choice = table.partitions.first { $0.kind == .data && $0.subtype == 0 }?.offset
        }
    }
}

/// An address in the flash as users and build files write it: `0x10000`, `65536`, `64K` or `1M`.
public struct FlashAddress: Hashable, Sendable {
    /// The address.
    public let value: UInt32

    /// Parses an address; `nil` when `text` is not an address, or is beyond 4 GB.
    public init?(_ text: String) {
        var digits = text[...]
        var factor: UInt32 = 1
        if let last = digits.last, let unit = ["k": UInt32(1 << 10), "m": 1 << 20][last.lowercased()] {
            factor = unit
            digits = digits.dropLast()
        }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal { digits = digits.dropFirst(2) }
        guard let first = digits.first, first.isHexDigit, let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        value = product
    }

    /// True if `text` is written as a number, which may be too large for an address.
    public static func isNumber(_ text: String) -> Bool {
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return !text.isEmpty && text.allSatisfy(\.isNumber) }
        return text.count > 2 && text.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}
