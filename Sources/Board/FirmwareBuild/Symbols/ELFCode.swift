import ESPImage

/// Which addresses of an ELF file are code, and what machine the code is for.
///
/// Source: System V ABI, "Object Files"; the machines' numbers in its registry.
struct ELFCode: Sendable {
    /// The machine, by its number in the header.
    struct Machine: RawRepresentable, Hashable, Sendable {
        let rawValue: UInt16
        static let i386 = Machine(rawValue: 3)
        static let x86 = Machine(rawValue: 62)
        static let xtensa = Machine(rawValue: 94)
        static let arm64 = Machine(rawValue: 183)
        static let riscv = Machine(rawValue: 243)
    }

    /// Code at an address.
    private struct Section: Sendable {
        var range: Range<UInt64>
        var bytes: [UInt8]
    }

    /// The machine.
    let machine: Machine
    private let sections: [Section]

    /// Reads the section headers of a file.
    ///
    /// - Throws: ``FirmwareBuildError`` when it is no ELF file, or is truncated.
    init(_ file: [UInt8], path: String) throws(FirmwareBuildError) {
        var sections: [Section] = []
        do throws(ImageError) {
            let file = try ELFSections(file)
            machine = Machine(rawValue: file.machine)
            // With SHF_ALLOC and SHF_EXECINSTR.
            for header in file.headers where header.type == ELFSections.programBits && header.flags & 6 == 6 {
                let bytes = try file.content(of: header)
                let (end, wraps) = header.address.addingReportingOverflow(header.size)
                guard !wraps else {
                    throw ImageError(.invalidField, "ELF file", "a section ends beyond the address space")
                }
                sections.append(Section(range: header.address..<end, bytes: Array(bytes)))
            }
        } catch {
            throw FirmwareBuildError(.noProgram, "\(path) cannot be used for backtraces: \(error)")
        }
        self.sections = sections
    }

    /// Whether there is code at `address`.
    func contains(_ address: UInt64) -> Bool { sections.contains { $0.range.contains(address) } }

    /// Whether the instruction before `address` is a call of RISC-V: `jal` or `jalr` that links ra, also compressed
    /// (RISC-V Unprivileged ISA, 2.5 and 28.5).
    func followsCall(_ address: UInt64) -> Bool {
        guard machine == .riscv, address & 1 == 0, let before = half(address &- 2) else { return false }
        // c.jalr rs1; c.jal, of RV32.
        if before & 0xF07F == 0x9002, before & 0x0F80 != 0 { return true }
        if before & 0xE003 == 0x2001 { return true }
        guard let low = half(address &- 4) else { return false }
        let word = UInt32(before) << 16 | UInt32(low)
        let linksRA = word & 0xF80 == 0x080
        return linksRA && (word & 0x7F == 0x6F || word & 0x707F == 0x67)
    }

    private func half(_ address: UInt64) -> UInt16? {
        guard let section = sections.first(where: { $0.range.contains(address) && $0.range.contains(address &+ 1) })
        else { return nil }
        let index = Int(address - section.range.lowerBound)
        return UInt16(section.bytes[index]) | UInt16(section.bytes[index + 1]) << 8
    }
}
