public import ESPChips

extension ImageBuilder {
    /// The section that ESP-IDF's linker scripts put the application's description into.
    private static let appDescriptionSection = ".flash.appdesc"
    /// The section of a bootloader's description.
    private static let bootloaderDescriptionSection = ".dram0.bootdesc"
    /// Where the digest of the ELF file is in an application's description.
    private static let digestOffset = 144

    /// A builder with the sections of `elf`, joined where they are adjacent, as esptool's `elf2image` makes it.
    ///
    /// The digest of the file is put into the application's description, if there is one.
    ///
    /// - Throws: ``ImageError`` with code `wrongChip` when the file is for another processor, `invalidField` when
    ///   it has nothing to load.
    public init(_ elf: ELFFile, for chip: Chip, flash: FlashSettings? = nil) throws(ImageError) {
        let expected: ELFFile.Machine = chip.isXtensa ? .xtensa : .riscV
        guard elf.machine == expected else {
            throw ImageError(
                .wrongChip, "ELF file", "expected machine \(expected.rawValue) (\(expected), \(chip.name)), "
                    + "got \(elf.machine.rawValue) (\(elf.machine))")
        }
        guard !elf.sections.isEmpty else {
            throw ImageError(.invalidField, "ELF file", "expected sections with an address and content, got none")
        }
        self.init(for: chip, flash: flash, entryPoint: elf.entryPoint)
        for var section in Self.joined(elf.sections, for: chip) {
            let isApp = section.name == Self.appDescriptionSection && chip.memory.isMapped(section.address)
            if isApp {
                pageSize = Self.pageSize(of: section, for: chip)
                if section.data.count >= AppDescription.length {
                    let start = section.data.startIndex + Self.digestOffset
                    section.data.replaceSubrange(start..<(start + AppDescription.hashLength), with: elf.digest)
                }
            }
            add(
                section.data, at: section.address,
                isFirst: isApp || section.name == Self.bootloaderDescriptionSection)
        }
    }

    /// Joins each section with the one before it when it begins where that ends, in the same memory.
    private static func joined(_ sections: [ELFFile.Section], for chip: Chip) -> [ELFFile.Section] {
        var result: [ELFFile.Section] = []
        // Backwards, so that the padding to words of a section that stays by itself does not join what was apart.
        for var section in sections {
            section.data += repeatElement(0, count: (4 - section.data.count % 4) % 4)
            if let last = result.last, UInt64(last.address) + UInt64(last.data.count) == UInt64(section.address),
                chip.memory.region(of: last.address) == chip.memory.region(of: section.address)
            {
                result[result.count - 1].data += section.data
            } else {
                result.append(section)
            }
        }
        return result
    }

    /// The size of the cache's pages that an application was linked for: by its description, or by its address.
    private static func pageSize(of section: ELFFile.Section, for chip: Chip) -> UInt32 {
        let sizes = chip.flashPageSizes
        guard sizes.count > 1 else { return MemoryMap.flashPageSize }
        // The logarithm of the size, behind the digest and the revisions of the eFuse blocks.
        if let logarithm = section.data.dropFirst(digestOffset + AppDescription.hashLength + 4).first,
            let named = sizes.first(where: { $0 == UInt32(1) << UInt32(min(logarithm, 31)) })
        {
            return named
        }
        let headers = UInt32(ImageHeader.length + ImageSegment.headerLength)
        return sizes.last { (section.address &- headers) % $0 == 0 } ?? MemoryMap.flashPageSize
    }
}

extension Chip {
    /// Whether its processors are Xtensa; the others are RISC-V.
    var isXtensa: Bool { [Chip.esp32, .esp32s2, .esp32s3].contains(self) }

    /// The sizes that a page of the flash cache may have, ascending, in bytes.
    var flashPageSizes: [UInt32] {
        switch self {
        case .esp32c2: [0x4000, 0x8000, 0x1_0000]
        case .esp32c6, .esp32h2: [0x2000, 0x4000, 0x8000, 0x1_0000]
        default: [MemoryMap.flashPageSize]
        }
    }
}

extension MemoryMap {
    /// A number that is equal for addresses of the same memory; `nil` for none.
    func region(of address: UInt32) -> Int? {
        ([flashData, flashInstructions] + ram).firstIndex { $0.contains(address) }
    }
}
