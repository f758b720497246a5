import ESPImage

extension CallFrameSection {
    /// `SHF_COMPRESSED`
    private static let compressed: UInt64 = 0x800

    /// The sections of an ELF file of 32 bits with call frame information, the more exact first; none if it has none that is
    /// not compressed.
    static func all(of file: [UInt8], isCode: (UInt32) -> Bool) -> [CallFrameSection] {
        guard let file = try? ELFSections(file), !file.is64, file.headers.indices.contains(file.nameIndex),
            let names = try? file.content(of: file.headers[file.nameIndex])
        else { return [] }
        return [".debug_frame", ".eh_frame"].compactMap { name in
            let header = file.headers.first { header in
                names.dropFirst(Int(clamping: header.name)).prefix { $0 != 0 }.elementsEqual(name.utf8)
            }
            guard let header, header.type == ELFSections.programBits, header.flags & compressed == 0,
                let address = UInt32(exactly: header.address), let content = try? file.content(of: header)
            else { return nil }
            return CallFrameSection(
                Array(content), address: address, isExceptionHandling: name == ".eh_frame", isCode: isCode)
        }
    }
}
