import ByteCodec
import ESPImage

/// The entries of a section with call frame information, `.debug_frame` or `.eh_frame`: the instructions of each
/// function.
///
/// Sources: DWARF 4 and 5, 6.4.1; Linux Standard Base Core 5.0, 10.6 (`.eh_frame`).
struct CallFrameSection: Sendable {
    /// The common information of several functions (CIE).
    struct Common: Sendable {
        var codeFactor: UInt32
        var dataFactor: Int64
        /// The register that holds the return address.
        var returnColumn: Int
        /// The encoding of addresses.
        var encoding: UInt8 = 0
        /// True if functions' entries have augmentation data.
        var hasAugmentation = false
        /// True for interrupt handlers: the return address is that of the interrupted instruction, not of one after a
        /// call.
        var isInterrupt = false
        var instructions: Range<Int>
    }

    /// A function (FDE).
    struct Entry: Sendable {
        var range: Range<UInt32>
        var common: Int
        var instructions: Range<Int>
    }

    /// The section's content.
    let bytes: [UInt8]
    /// Its address in the program.
    let address: UInt32
    /// The functions' entries, in the order of addresses.
    private(set) var entries: [Entry] = []
    private(set) var commons: [Common] = []
    private let isExceptionHandling: Bool

    /// Reads the entries of functions whose start `isCode` accepts. Damaged entries are left out, and so are all
    /// entries after an entry with a damaged length.
    ///
    /// - Parameter isExceptionHandling: whether the section is `.eh_frame`.
    init(_ bytes: [UInt8], address: UInt32, isExceptionHandling: Bool, isCode: (UInt32) -> Bool) {
        self.bytes = bytes
        self.address = address
        self.isExceptionHandling = isExceptionHandling
        var known: [Int: Int?] = [:]
        var position = 0
        while let (body, next) = nextBody(position) {
            defer { position = next }
            var reader = reader(body)
            guard let id = try? reader.uint32(), !isCommon(id) else { continue }
            // In .eh_frame, the ID is relative to its own position.
            let offset = isExceptionHandling ? body.lowerBound - Int(id) : Int(id)
            if known[offset] == nil { known[offset] = .some(addCommon(at: offset)) }
            guard let index = known[offset] ?? nil, let entry = try? entry(&reader, body, index) else { continue }
            // Functions that the linker removed have the address 0 in .debug_frame.
            if !entry.range.isEmpty, isCode(entry.range.lowerBound) { entries.append(entry) }
        }
        entries.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The function that has the instruction at `address`.
    func entry(at address: UInt32) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].range.lowerBound <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, entries[low - 1].range.contains(address) else { return nil }
        return entries[low - 1]
    }

    /// A reader of a part of the section.
    func reader(_ part: Range<Int>) -> ByteReader {
        ByteReader(bytes[part], subject: isExceptionHandling ? ".eh_frame" : ".debug_frame")
    }

    private func isCommon(_ id: UInt32) -> Bool { id == (isExceptionHandling ? 0 : .max) }

    /// The entry at `position` without its length, and the position of the next entry.
    private func nextBody(_ position: Int) -> (body: Range<Int>, next: Int)? {
        guard position >= 0, position < bytes.count else { return nil }
        var reader = reader(position..<bytes.count)
        // 0xffffffff would begin a length of 64 bits, which no tool writes for 32-bit machines.
        guard let length = try? reader.uint32(), length < 0xFFFF_FFF0, let body = try? reader.slice(Int(length))
        else { return nil }
        return (body.startIndex..<body.endIndex, body.endIndex)
    }

    private mutating func addCommon(at offset: Int) -> Int? {
        guard let (body, _) = nextBody(offset), let common = try? common(body) else { return nil }
        commons.append(common)
        return commons.count - 1
    }

    private func common(_ body: Range<Int>) throws(CodecError) -> Common {
        var reader = reader(body)
        let id = try reader.uint32()
        guard isCommon(id) else { throw reader.invalid("CIE id", UInt64(id), allowed: "of a CIE") }
        let version = try reader.uint8()
        guard [1, 3, 4].contains(version) else {
            throw reader.invalid("CIE version", UInt64(version), allowed: "1, 3 or 4")
        }
        let augmentation = try reader.string()
        if version >= 4 {
            let sizes = try reader.uint16()
            guard sizes == 4 else { throw reader.invalid("sizes", UInt64(sizes), allowed: "4 and no segments") }
        }
        var common = Common(
            codeFactor: UInt32(truncatingIfNeeded: try reader.uleb128()), dataFactor: try reader.sleb128(),
            returnColumn: version == 1 ? Int(try reader.uint8()) : try reader.registerNumber(), instructions: 0..<0)
        common.hasAugmentation = augmentation.first == UInt8(ascii: "z")
        let data = common.hasAugmentation ? try reader.block() : []
        try readAugmentation(augmentation.drop { $0 == UInt8(ascii: "z") }, data, &common)
        common.instructions = (body.upperBound - reader.remaining)..<body.upperBound
        return common
    }

    private func readAugmentation(
        _ letters: ArraySlice<UInt8>, _ data: ArraySlice<UInt8>, _ common: inout Common
    ) throws(CodecError) {
        var reader = ByteReader(data, subject: ".eh_frame augmentation")
        for letter in letters {
            switch letter {
            case UInt8(ascii: "R"): common.encoding = try reader.uint8()
            case UInt8(ascii: "S"): common.isInterrupt = true
            case UInt8(ascii: "L"): _ = try reader.uint8()
            case UInt8(ascii: "P"): _ = try reader.pointer(try reader.uint8() & 0x0F, at: 0)
            default: throw reader.invalid("augmentation", UInt64(letter), allowed: "R, S, L or P")
            }
        }
    }

    private func entry(_ reader: inout ByteReader, _ body: Range<Int>, _ index: Int) throws(CodecError) -> Entry {
        let common = commons[index]
        let place = address &+ UInt32(truncatingIfNeeded: body.upperBound - reader.remaining)
        let start = try reader.pointer(common.encoding, at: place)
        let size = try reader.pointer(common.encoding & 0x0F, at: 0)
        let (end, wraps) = start.addingReportingOverflow(size)
        guard !wraps else { throw reader.invalid("size", UInt64(size), allowed: "within the address space") }
        if common.hasAugmentation { _ = try reader.block() }
        return Entry(
            range: start..<end, common: index,
            instructions: (body.upperBound - reader.remaining)..<body.upperBound)
    }
}

extension CallFrameSection {
    /// `SHF_COMPRESSED`
    private static let compressed: UInt64 = 0x800

    /// The sections of an ELF file of 32 bits with call frame information, the more exact one first; empty if all are
    /// compressed or absent.
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

/// Numbers of DWARF's forms in an ELF file of 32 bits.
///
/// Sources: DWARF 5, 7.6 (LEB128); Linux Standard Base Core 5.0, 10.5.1 (encodings of pointers in `.eh_frame`).
extension ByteReader {
    /// An unsigned number of 7 bits a byte.
    mutating func uleb128() throws(CodecError) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try uint8()
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits == 0 else {
                throw invalid("LEB128 number", bits, allowed: "0 in bits 63 and above")
            }
            value |= shift < 64 ? bits << shift : 0
            // Any number of bytes without significant bits may follow.
            shift = min(shift + 7, 70)
            if byte & 0x80 == 0 { return value }
        }
    }

    /// A signed number of 7 bits a byte; bits above the 64th are ignored.
    mutating func sleb128() throws(CodecError) -> Int64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try uint8()
            if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
            shift = min(shift + 7, 70)
            if byte & 0x80 == 0 {
                if byte & 0x40 != 0, shift < 64 { value |= UInt64.max << shift }
                return Int64(bitPattern: value)
            }
        }
    }

    /// The number of a register of the machine's table: at most 16 bits.
    mutating func registerNumber() throws(CodecError) -> Int {
        let value = try uleb128()
        guard let number = UInt16(exactly: value) else { throw invalid("register", value, allowed: "below 65536") }
        return Int(number)
    }

    /// A block of bytes with its length in front.
    mutating func block() throws(CodecError) -> ArraySlice<UInt8> {
        let length = try uleb128()
        guard let count = Int(exactly: length) else { throw invalid("length", length, allowed: "within the section") }
        return try slice(count)
    }

    /// The bytes up to a zero, at most 16.
    mutating func string() throws(CodecError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= 16 {
            let byte = try uint8()
            if byte == 0 { return bytes }
            bytes.append(byte)
        }
        throw invalid("length of a string", UInt64(bytes.count), allowed: "at most 16")
    }

    /// A pointer in an encoding `DW_EH_PE_…`, which is at `address` of the program.
    mutating func pointer(_ encoding: UInt8, at address: UInt32) throws(CodecError) -> UInt32 {
        let value: UInt32
        switch encoding & 0x0F {
        case 0x00, 0x03, 0x0B: value = try uint32()
        case 0x01: value = UInt32(truncatingIfNeeded: try uleb128())
        case 0x02: value = UInt32(try uint16())
        case 0x04, 0x0C: value = UInt32(truncatingIfNeeded: try uint64())
        case 0x09: value = UInt32(truncatingIfNeeded: try sleb128())
        case 0x0A: value = UInt32(bitPattern: Int32(Int16(bitPattern: try uint16())))
        default: throw invalid("pointer encoding", UInt64(encoding), allowed: "absolute or relative to its place")
        }
        switch encoding & 0xF0 {
        case 0x00: return value
        case 0x10: return address &+ value
        default: throw invalid("pointer encoding", UInt64(encoding), allowed: "absolute or relative to its place")
        }
    }
}
