import ByteCodec

/// A minimal ELF file for an ESP32: what `elf2image` needs to see segments.
enum ELFFixture {
    private static let headerLength: UInt32 = 52
    private static let sectionHeaderLength: UInt16 = 40

    /// An executable for Xtensa with one PROGBITS section per entry.
    static func make(
        _ sections: [(name: String, address: UInt32, bytes: [UInt8])], entryPoint: UInt32, machine: UInt16 = 94
    ) -> [UInt8] {
        var names: [UInt8] = [0]
        var data: [UInt8] = []
        var headers = ByteWriter()
        header(&headers, name: 0, type: 0)
        for section in sections {
            header(
                &headers, name: UInt32(names.count), type: 1, flags: 6, address: section.address,
                offset: headerLength + UInt32(data.count), size: UInt32(section.bytes.count))
            names += Array(section.name.utf8) + [0]
            data += section.bytes
        }
        let nameOfTable = UInt32(names.count)
        names += Array(".shstrtab".utf8) + [0]
        header(
            &headers, name: nameOfTable, type: 3, offset: headerLength + UInt32(data.count), size: UInt32(names.count))
        data += names
        data += Array(repeating: 0, count: (4 - data.count % 4) % 4)

        var file = ByteWriter()
        file.append([0x7F, 0x45, 0x4C, 0x46, 1, 1, 1] + Array(repeating: 0, count: 9))
        file.uint16(2)  // Executable.
        file.uint16(machine)  // 94 is Xtensa, 243 RISC-V.
        file.uint32(1)
        file.uint32(entryPoint)
        file.uint32(0)
        file.uint32(headerLength + UInt32(data.count))
        file.uint32(0)
        for half in [UInt16(headerLength), 32, 0, sectionHeaderLength, UInt16(sections.count + 2)] { file.uint16(half) }
        file.uint16(UInt16(sections.count + 1))
        file.append(data)
        file.append(headers.bytes)
        return file.bytes
    }

    private static func header(
        _ writer: inout ByteWriter, name: UInt32, type: UInt32, flags: UInt32 = 0, address: UInt32 = 0,
        offset: UInt32 = 0, size: UInt32 = 0
    ) {
        for word in [name, type, flags, address, offset, size, 0, 0, 4, 0] { writer.uint32(word) }
    }
}
