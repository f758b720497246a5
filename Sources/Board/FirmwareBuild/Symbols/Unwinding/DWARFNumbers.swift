import ByteCodec

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
            // Bytes without bits may follow, as the section is long.
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

    /// As many bytes as the number before them says.
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

    /// A pointer in an encoding `DW_EH_PE_…`, which stands at `address` of the program.
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
