import ByteCodec

/// Performs the instructions of call frame information up to an address of a function.
///
/// Source: DWARF 5, 6.4.2 and 7.24; Linux Standard Base Core 5.0, 10.5.2 (`DW_CFA_GNU_…`).
struct CallFrameProgram {
    /// The largest number of remembered rows.
    private static let maximumDepth = 64

    private let section: CallFrameSection
    private let common: CallFrameSection.Common
    private let target: UInt32
    private var location: UInt32
    /// The end of the instructions to perform.
    private var end = 0
    private var rules = CallFrameRules()
    private var initial = CallFrameRules()
    private var remembered: [CallFrameRules] = []

    /// The rules for the instruction at `target`, which is in `entry`.
    static func rules(
        at target: UInt32, in entry: CallFrameSection.Entry, of section: CallFrameSection
    ) throws(CodecError) -> CallFrameRules {
        var program = CallFrameProgram(section, entry, target)
        try program.perform(program.common.instructions)
        program.initial = program.rules
        try program.perform(entry.instructions)
        return program.rules
    }

    private init(_ section: CallFrameSection, _ entry: CallFrameSection.Entry, _ target: UInt32) {
        self.section = section
        common = section.commons[entry.common]
        self.target = target
        location = entry.range.lowerBound
    }

    private mutating func perform(_ part: Range<Int>) throws(CodecError) {
        var reader = section.reader(part)
        end = part.upperBound
        // The rows are in the order of addresses: the row for the target is complete when the next row begins above the
        // target.
        while reader.remaining > 0, location <= target {
            let code = try reader.uint8()
            let operand = Int(code & 0x3F)
            switch code >> 6 {
            case 1: try advance(UInt32(operand), reader)
            case 2: rules.registers[operand] = .offset(try factored(reader.uleb128(), reader))
            case 3: rules.registers[operand] = initial.registers[operand]
            default: try perform(code, &reader)
            }
        }
    }

    private mutating func perform(_ code: UInt8, _ reader: inout ByteReader) throws(CodecError) {
        switch code {
        case 0x00: break  // nop
        case 0x01:  // set_loc
            let place = section.address &+ UInt32(truncatingIfNeeded: end - reader.remaining)
            location = try reader.pointer(common.encoding, at: place)
        case 0x02: try advance(UInt32(try reader.uint8()), reader)
        case 0x03: try advance(UInt32(try reader.uint16()), reader)
        case 0x04: try advance(try reader.uint32(), reader)
        case 0x05: rules.registers[try reader.registerNumber()] = .offset(try factored(reader.uleb128(), reader))
        case 0x06:  // restore_extended
            let register = try reader.registerNumber()
            rules.registers[register] = initial.registers[register]
        case 0x07: rules.registers[try reader.registerNumber()] = .undefined
        case 0x08: rules.registers[try reader.registerNumber()] = .sameValue
        case 0x09: rules.registers[try reader.registerNumber()] = .register(try reader.registerNumber())
        case 0x0A:  // remember_state
            guard remembered.count < Self.maximumDepth else {
                throw reader.invalid("remembered rows", UInt64(remembered.count), allowed: "below \(Self.maximumDepth)")
            }
            remembered.append(rules)
        case 0x0B:  // restore_state
            guard let last = remembered.popLast() else {
                throw reader.invalid("instruction", UInt64(code), allowed: "after DW_CFA_remember_state")
            }
            rules = last
        case 0x2E: _ = try reader.uleb128()  // GNU_args_size
        case 0x0C...0x0F, 0x12, 0x13: try defineFrameAddress(code, &reader)
        default: try defineRegister(code, &reader)
        }
    }

    private mutating func defineFrameAddress(_ code: UInt8, _ reader: inout ByteReader) throws(CodecError) {
        switch code {
        case 0x0C:
            rules.frameAddress = .register(try reader.registerNumber(), offset: try plain(reader.uleb128(), reader))
        case 0x12:
            rules.frameAddress = .register(try reader.registerNumber(), offset: try factored(reader.sleb128(), reader))
        case 0x0F: rules.frameAddress = .expression(try reader.block())
        case 0x0D:
            // The first instruction from RISC-V assemblers: it sets the offset to 0.
            var offset: Int64 = 0
            if case .register(_, let former) = rules.frameAddress { offset = former }
            rules.frameAddress = .register(try reader.registerNumber(), offset: offset)
        default:
            guard case .register(let register, _) = rules.frameAddress else {
                throw reader.invalid("instruction", UInt64(code), allowed: "after DW_CFA_def_cfa")
            }
            let offset = code == 0x0E ? try plain(reader.uleb128(), reader) : try factored(reader.sleb128(), reader)
            rules.frameAddress = .register(register, offset: offset)
        }
    }

    private mutating func defineRegister(_ code: UInt8, _ reader: inout ByteReader) throws(CodecError) {
        guard [0x10, 0x11, 0x14, 0x15, 0x16, 0x2F].contains(code) else {
            throw reader.invalid("instruction", UInt64(code), allowed: "of DWARF 5")
        }
        let register = try reader.registerNumber()
        switch code {
        case 0x10: rules.registers[register] = .expression(try reader.block())
        case 0x11: rules.registers[register] = .offset(try factored(reader.sleb128(), reader))
        case 0x14: rules.registers[register] = .valueOffset(try factored(reader.uleb128(), reader))
        case 0x15: rules.registers[register] = .valueOffset(try factored(reader.sleb128(), reader))
        case 0x16: rules.registers[register] = .valueExpression(try reader.block())
        default:  // GNU_negative_offset_extended
            rules.registers[register] = .offset(0 &- (try factored(reader.uleb128(), reader)))
        }
    }

    private mutating func advance(_ delta: UInt32, _ reader: ByteReader) throws(CodecError) {
        let (bytes, isTooLarge) = delta.multipliedReportingOverflow(by: common.codeFactor)
        let (next, wraps) = location.addingReportingOverflow(bytes)
        guard !isTooLarge, !wraps else {
            throw reader.invalid("advance", UInt64(delta), allowed: "within the address space")
        }
        location = next
    }

    private func plain(_ value: UInt64, _ reader: ByteReader) throws(CodecError) -> Int64 {
        guard let value = Int32(exactly: value) else { throw reader.invalid("offset", value, allowed: "of 31 bits") }
        return Int64(value)
    }

    private func factored(_ value: UInt64, _ reader: ByteReader) throws(CodecError) -> Int64 {
        try factored(try plain(value, reader), reader)
    }

    private func factored(_ value: Int64, _ reader: ByteReader) throws(CodecError) -> Int64 {
        let (result, isTooLarge) = value.multipliedReportingOverflow(by: common.dataFactor)
        guard !isTooLarge else {
            throw reader.invalid("offset", UInt64(bitPattern: value), allowed: "within the address space")
        }
        return result
    }
}

/// The call frame information of an instruction's function.
struct CallFrame: Sendable {
    /// How the caller's registers are found.
    let rules: CallFrameRules
    /// The register that holds the return address.
    let returnColumn: Int
    /// True for an interrupt handler: the return address is that of the interrupted instruction, not of one after a
    /// call.
    let isInterrupt: Bool

    /// The information for the instruction at `address`, which is in `entry`.
    init(
        at address: UInt32, in entry: CallFrameSection.Entry, of section: CallFrameSection
    ) throws(CodecError) {
        rules = try CallFrameProgram.rules(at: address, in: entry, of: section)
        let common = section.commons[entry.common]
        (returnColumn, isInterrupt) = (common.returnColumn, common.isInterrupt)
    }
}

/// The rules that recover the registers of a function's caller: a row of the table that call frame information
/// describes.
///
/// Source: DWARF 5, 6.4.1.
struct CallFrameRules: Sendable {
    /// How the canonical frame address is computed: the value of the stack pointer before the call.
    enum FrameAddress: Sendable {
        case register(Int, offset: Int64)
        case expression(ArraySlice<UInt8>)
    }

    /// How a register of the caller is found.
    enum Rule: Sendable {
        /// The register's value is lost.
        case undefined
        /// The register is unchanged.
        case sameValue
        /// The value is in memory, at this distance from the frame address.
        case offset(Int64)
        /// The value is the frame address plus this number.
        case valueOffset(Int64)
        /// The value is in another register.
        case register(Int)
        /// The value is in memory, at the address that the expression computes.
        case expression(ArraySlice<UInt8>)
        /// The value is the result of the expression.
        case valueExpression(ArraySlice<UInt8>)
    }

    /// The frame address; `nil` before it was defined.
    var frameAddress: FrameAddress?
    /// The registers that have a rule, by their numbers.
    var registers: [Int: Rule] = [:]

    /// True if the return address is not in RA.
    var savesReturnAddress: Bool {
        if case .sameValue = registers[1] ?? .sameValue { false } else { true }
    }
}
