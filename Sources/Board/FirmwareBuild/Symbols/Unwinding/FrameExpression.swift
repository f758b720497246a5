import ByteCodec

/// Computes DWARF expressions of call frame information: arithmetic with registers and memory, without branches.
///
/// Source: DWARF 5, 2.5.1 and 7.7.1.
struct FrameExpression {
    /// How many values the stack may have.
    private static let maximumDepth = 64

    private var stack: [UInt32]
    private let frame: CalledFrame

    /// The value of an expression that begins with `initial` on its stack.
    static func value(
        _ bytes: ArraySlice<UInt8>, initial: UInt32?, _ frame: CalledFrame
    ) throws(UnwindFault) -> UInt32 {
        var expression = FrameExpression(stack: initial.map { [$0] } ?? [], frame: frame)
        var reader = ByteReader(bytes, subject: "DWARF expression")
        do {
            while reader.remaining > 0 { try expression.perform(&reader) }
            return try expression.pop(reader)
        } catch let fault as UnwindFault {
            throw fault
        } catch {
            throw .unusable("\(error)")
        }
    }

    private mutating func perform(_ reader: inout ByteReader) throws {
        let code = try reader.uint8()
        switch code {
        case 0x03: stack.append(try reader.uint32())  // addr
        case 0x06: stack.append(try frame.word(at: try pop(reader)))  // deref
        case 0x08: stack.append(UInt32(try reader.uint8()))
        case 0x09: stack.append(UInt32(bitPattern: Int32(try reader.int8())))
        case 0x0A: stack.append(UInt32(try reader.uint16()))
        case 0x0B: stack.append(UInt32(bitPattern: Int32(Int16(bitPattern: try reader.uint16()))))
        case 0x0C, 0x0D: stack.append(try reader.uint32())
        case 0x10: stack.append(UInt32(truncatingIfNeeded: try reader.uleb128()))
        case 0x11: stack.append(UInt32(truncatingIfNeeded: try reader.sleb128()))
        case 0x12:  // dup
            let value = try pop(reader)
            stack += [value, value]
        case 0x13: _ = try pop(reader)  // drop
        case 0x1A, 0x1C, 0x1E, 0x21, 0x22, 0x24, 0x25, 0x27: try combine(code, reader)
        case 0x23: stack.append(try pop(reader) &+ UInt32(truncatingIfNeeded: try reader.uleb128()))  // plus_uconst
        case 0x30...0x4F: stack.append(UInt32(code - 0x30))  // lit
        case 0x70...0x8F:  // breg
            let offset = UInt32(truncatingIfNeeded: try reader.sleb128())
            stack.append(try frame.register(Int(code - 0x70)) &+ offset)
        case 0x96: break  // nop
        default:
            throw reader.invalid("operation", UInt64(code), allowed: "arithmetic with registers and memory")
        }
        guard stack.count <= Self.maximumDepth else {
            throw reader.invalid("values", UInt64(stack.count), allowed: "at most \(Self.maximumDepth)")
        }
    }

    private mutating func combine(_ code: UInt8, _ reader: ByteReader) throws(CodecError) {
        let (right, left) = (try pop(reader), try pop(reader))
        switch code {
        case 0x1A: stack.append(left & right)
        case 0x1C: stack.append(left &- right)
        case 0x1E: stack.append(left &* right)
        case 0x21: stack.append(left | right)
        case 0x22: stack.append(left &+ right)
        case 0x24: stack.append(left << right)
        case 0x25: stack.append(left >> right)
        default: stack.append(left ^ right)
        }
    }

    private mutating func pop(_ reader: ByteReader) throws(CodecError) -> UInt32 {
        guard let value = stack.popLast() else {
            throw reader.invalid("values", 0, allowed: "1 or more for the operation")
        }
        return value
    }
}
