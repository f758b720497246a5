public import Console
import ByteCodec
import Crypto
import ESPChips
import Foundation

/// A core dump of ESP-IDF in the ELF format: the tasks at a crash with their registers, and their stacks.
///
/// Sources: ESP-IDF v5 `components/espcoredump`: `include_core_dump/esp_core_dump_types.h`,
/// `src/core_dump_elf.c`, `src/port/xtensa/core_dump_port.c`, `src/port/riscv/core_dump_port.c`.
public struct CoreDump: Sendable {
    /// The reason why a core dump cannot be used.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        /// The reason, one line.
        public let description: String
    }

    /// The chip; `nil`: one that is not known here.
    public let chip: Chip?
    /// The panic handler's message, if the core dump has it.
    public private(set) var reason: String?
    /// The beginning of the digest of the program's ELF file, in hexadecimal; `nil`: not in the core dump.
    public private(set) var digest: String?
    /// The tasks, the crashed one first; at most ``maximumTasks``.
    public private(set) var tasks: [CoreDumpText.Task] = []
    /// The number of tasks, also of those that are not in ``tasks``.
    public private(set) var taskCount = 0

    /// The most tasks that are read: several times as many as firmware has.
    public static let maximumTasks = 128
    /// The most registers of a task that are read: an Xtensa core has 64, which begin at the 64th.
    private static let maximumRegisters = 128

    /// Reads a core dump from the lines of a console, each in Base64.
    public init(base64 lines: [String]) throws(Fault) {
        var bytes: [UInt8] = []
        for line in lines {
            guard let part = Data(base64Encoded: line) else {
                throw Fault(description: "expected a line in Base64, got '\(line.prefix(80))'")
            }
            bytes += part
        }
        do {
            var reader = ByteReader(bytes, subject: "the core dump's header")
            let (length, version) = (Int(try reader.uint32()), try reader.uint32())
            chip = Chip.all.first { UInt32($0.id) == version >> 16 }
            let format = try Self.format(version & 0xFFFF)
            let checksumLength = format.hasSHA256 ? 32 : 4
            guard length == bytes.count, length >= format.headerLength + checksumLength else {
                throw Fault(description: "expected \(length) bytes, got \(bytes.count)")
            }
            let (content, checksum) = (bytes.dropLast(checksumLength), bytes.suffix(checksumLength))
            var sum = ByteReader(checksum, subject: "the core dump's checksum")
            let isRight =
                format.hasSHA256
                ? checksum.elementsEqual(SHA256.hash(data: content)) : try sum.uint32() == CRC32.of(content)
            guard isRight else { throw Fault(description: "its checksum is wrong: lines were lost or damaged") }
            try read(ELFCore(Array(content.dropFirst(format.headerLength))))
        } catch let error as Fault {
            throw error
        } catch {
            throw Fault(description: "\(error)")
        }
    }

    /// The length of the header, and the kind of checksum, of a format's version.
    private static func format(_ version: UInt32) throws(Fault) -> (headerLength: Int, hasSHA256: Bool) {
        switch version {
        case 0x0100: return (20, false)
        case 0x0101: return (20, true)
        case 0x0102: return (24, false)
        case 0x0103: return (24, true)
        case 0x0104: return (12, true)
        default:
            throw Fault(
                description:
                    "expected the ELF format (CONFIG_ESP_COREDUMP_DATA_FORMAT_ELF), version 0x100 to 0x104, got 0x\(String(version, radix: 16))"
            )
        }
    }

    // MARK: Notes

    /// The types of ESP-IDF's notes.
    private enum NoteType {
        static let registers: UInt32 = 1
        static let extraInformation: UInt32 = 677
        static let task: UInt32 = 678
        static let panicDetails: UInt32 = 679
        static let program: UInt32 = 8266
    }

    private mutating func read(_ core: ELFCore) throws(CodecError) {
        var crashed: UInt32?
        var (names, states): ([UInt32: String], [(task: UInt32, registers: [UInt32])]) = ([:], [])
        for note in core.notes {
            var reader = ByteReader(note.content, subject: "a note of the core dump")
            switch note.type {
            case NoteType.registers:
                // struct elf_prstatus: the task's control block in place of a process, and its registers.
                _ = try reader.slice(24)
                let task = try reader.uint32()
                _ = try reader.slice(44)
                var registers: [UInt32] = []
                while reader.remaining >= 4, registers.count < Self.maximumRegisters {
                    registers.append(try reader.uint32())
                }
                states.append((task, registers))
            case NoteType.task:
                _ = try reader.slice(8)
                let task = try reader.uint32()
                _ = try reader.slice(8)
                names[task] = Self.text(try reader.slice(16))
            case NoteType.extraInformation: crashed = try reader.uint32()
            case NoteType.panicDetails: reason = Self.text(reader.rest())
            case NoteType.program:
                _ = try reader.uint32()
                digest = Self.text(reader.rest()).lowercased()
            default: break
            }
        }
        let ordered = states.filter { $0.task == crashed } + states.filter { $0.task != crashed }
        taskCount = ordered.count
        tasks = ordered.prefix(Self.maximumTasks).map { state in
            let name = names[state.task].flatMap { $0.isEmpty ? nil : $0 } ?? "task"
            let end = state.task == crashed ? ", crashed" : ""
            let title = "\(name) (0x\(String(state.task, radix: 16)))\(end)"
            guard core.isXtensa else {
                let dump = core.state(state.registers)
                let addresses = [
                    dump.programCounter.map { CodeAddress(UInt64($0)) },
                    dump.registers[1].map { CodeAddress(UInt64($0), isReturn: true) },
                ]
                return CoreDumpText.Task(title: title, state: dump, addresses: addresses.compactMap(\.self))
            }
            return CoreDumpText.Task(title: title, state: nil, addresses: core.windows(state.registers))
        }
    }

    /// Text up to the first NUL, with visible characters only.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String { VisibleText.make(Array(bytes.prefix { $0 != 0 })) }
}

/// The ELF file in a core dump: its notes, and the memory that it has.
private struct ELFCore {
    struct Note {
        var type: UInt32
        var content: ArraySlice<UInt8>
    }

    /// The machine of Xtensa (ELF's e_machine).
    private static let xtensa: UInt16 = 94
    /// The longest backtrace.
    private static let maximumDepth = 64
    /// The most words of a stack that are unwound.
    private static let maximumWords = 4096
    /// The most segments and notes: several times as many as the tasks of a chip need.
    private static let maximumCount = 2048

    let isXtensa: Bool
    private(set) var notes: [Note] = []
    private var segments: [(address: UInt32, bytes: ArraySlice<UInt8>)] = []

    init(_ bytes: [UInt8]) throws(CodecError) {
        var header = ByteReader(bytes, subject: "the core dump's ELF file")
        let magic = try header.uint32()
        guard magic == 0x464C_457F else { throw header.invalid("magic", UInt64(magic), allowed: "7F 45 4C 46") }
        _ = try header.slice(14)
        isXtensa = try header.uint16() == Self.xtensa
        _ = try header.slice(8)
        let table = Int(try header.uint32())
        _ = try header.slice(10)
        let (length, count) = (Int(try header.uint16()), Int(try header.uint16()))
        guard count <= Self.maximumCount else {
            throw header.invalid("number of segments", UInt64(count), allowed: "at most \(Self.maximumCount)")
        }
        for index in 0..<count {
            var entry = ByteReader(bytes, subject: "a segment of the core dump")
            _ = try entry.slice(min(table, bytes.count) + index * length)
            let (type, offset, address) = (try entry.uint32(), Int(try entry.uint32()), try entry.uint32())
            _ = try entry.uint32()
            let size = Int(try entry.uint32())
            var content = ByteReader(bytes, subject: "the contents of a core dump's segment")
            _ = try content.slice(offset)
            let segment = try content.slice(size)
            switch type {
            case 1: segments.append((address, segment))
            case 4: try readNotes(segment)
            default: break
            }
        }
    }

    private mutating func readNotes(_ bytes: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(bytes, subject: "the notes of the core dump")
        while reader.remaining >= 12 {
            let (name, size) = (Int(try reader.uint32()), Int(try reader.uint32()))
            let type = try reader.uint32()
            guard notes.count < Self.maximumCount else {
                throw reader.invalid(
                    "number of notes", UInt64(notes.count + 1), allowed: "at most \(Self.maximumCount)")
            }
            _ = try reader.slice(Self.padded(name))
            notes.append(Note(type: type, content: try reader.slice(size)))
            _ = try reader.slice(min(reader.remaining, Self.padded(size) - size))
        }
    }

    private static func padded(_ size: Int) -> Int { (size + 3) & ~3 }

    /// The word at an address; `nil`: not in the core dump.
    private func word(_ address: UInt32) -> UInt32? {
        for (start, bytes) in segments where address >= start && Int(address - start) + 4 <= bytes.count {
            let index = bytes.startIndex + Int(address - start)
            return bytes[index..<index + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        return nil
    }

    /// The calls of an Xtensa task: each function's return address and its caller's stack pointer are below its own
    /// stack pointer (`esp_backtrace_get_next_frame`).
    func windows(_ registers: [UInt32]) -> [CodeAddress] {
        // pc, ps, loop and window registers; a0 to a63 begin at the 64th.
        guard registers.count > 65 else { return [] }
        var (addresses, back, stack) = ([CodeAddress(UInt64(registers[0]))], registers[64], registers[65])
        while addresses.count < Self.maximumDepth, back != 0 {
            // The two upper bits are the size of the call's window.
            let address = back & 0x3FFF_FFFF | registers[0] & 0xC000_0000
            addresses.append(CodeAddress(UInt64(address), isReturn: true))
            guard stack >= 16, let next = word(stack - 16), let below = word(stack - 12), below > stack else { break }
            (back, stack) = (next, below)
        }
        return addresses
    }

    /// The state of a task of a RISC-V chip: pc in place of x0, x1 to x31, and the words from its stack pointer on.
    func state(_ registers: [UInt32]) -> CrashDump {
        var dump = CrashDump()
        dump.programCounter = registers.first
        for (index, value) in registers.enumerated().prefix(32) where index > 0 { dump.registers[index] = value }
        guard let stack = dump.stackPointer,
            let segment = segments.first(where: { stack >= $0.address && Int(stack - $0.address) < $0.bytes.count })
        else { return dump }
        var words = ByteReader(segment.bytes.dropFirst(Int(stack - segment.address)), subject: "a stack")
        for index in 0..<UInt32(min(Self.maximumWords, words.remaining / 4)) {
            dump.memory[stack &+ 4 * index] = try? words.uint32()
        }
        return dump
    }
}
