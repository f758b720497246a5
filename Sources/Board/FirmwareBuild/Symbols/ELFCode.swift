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
        func fault(_ text: String) -> FirmwareBuildError {
            FirmwareBuildError(.fileSystem, "\(path) cannot be used for backtraces: \(text)")
        }
        guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46]), file.count >= 52 else {
            throw fault("expected an ELF file, which begins with 7f 45 4c 46")
        }
        guard file[5] == 1, file[4] == 1 || file[4] == 2 else {
            throw fault("expected a little-endian ELF file of 32 or 64 bits")
        }
        let is64 = file[4] == 2
        func number(_ offset: UInt64, _ size: UInt64) throws(FirmwareBuildError) -> UInt64 {
            let (end, overflow) = offset.addingReportingOverflow(size)
            guard !overflow, end <= UInt64(file.count) else {
                throw fault("it is truncated: a field at \(offset) is beyond its end at \(file.count)")
            }
            return file[Int(offset)..<Int(end)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        machine = Machine(rawValue: UInt16(truncatingIfNeeded: try number(18, 2)))
        let table = try number(is64 ? 40 : 32, is64 ? 8 : 4)
        let size = try number(is64 ? 58 : 46, 2)
        let count = try number(is64 ? 60 : 48, 2)
        guard table > 0, size >= (is64 ? 64 : 40) else { throw fault("it has no section headers: it was stripped") }
        var sections: [Section] = []
        for index in 0..<count {
            let (header, overflow) = table.addingReportingOverflow(index * size)
            guard !overflow else { throw fault("it is truncated") }
            // The last byte of the header, which the last one of a truncated file does not have.
            _ = try number(header + size - 1, 1)
            let (type, flags) = (try number(header + 4, 4), try number(header + 8, is64 ? 8 : 4))
            // SHT_PROGBITS with SHF_ALLOC and SHF_EXECINSTR.
            guard type == 1, flags & 6 == 6 else { continue }
            let address = try number(header + (is64 ? 16 : 12), is64 ? 8 : 4)
            let offset = try number(header + (is64 ? 24 : 16), is64 ? 8 : 4)
            let length = try number(header + (is64 ? 32 : 20), is64 ? 8 : 4)
            let (end, isBeyond) = offset.addingReportingOverflow(length)
            let (last, wraps) = address.addingReportingOverflow(length)
            guard !isBeyond, !wraps, end <= UInt64(file.count) else {
                throw fault("it is truncated: a section ends at \(end), the file at \(file.count)")
            }
            sections.append(Section(range: address..<last, bytes: Array(file[Int(offset)..<Int(end)])))
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
