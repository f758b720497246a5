import ByteCodec
public import Console
import Crypto
import ESPImage
import FoundationEssentials
import Synchronization

/// A program of a board with debug information: finds the places of addresses with the `addr2line` of its machine.
public final class ELFProgram: AddressResolver {
    /// The largest number of remembered addresses.
    private static let maximumKnown = 4096

    /// The program's path, as it was given.
    public let path: String
    private let code: ELFCode
    private let callFrames: [CallFrameSection]
    private let base: UInt64
    private let digest: String
    private let resolver: Addr2line
    private let known = Mutex<[CodeAddress: [CodeFrame]]>([:])

    /// The program at `path`; `home` is the user's folder, below which toolchains are installed.
    ///
    /// - Throws: ``FirmwareBuildError`` when the file cannot be read, or is not an ELF file.
    public init(path: String, home: String?) throws(FirmwareBuildError) {
        self.path = path
        let file = try FileTree.contents(of: path)
        let code = try ELFCode(file, path: path)
        self.code = code
        callFrames = code.machine == .riscv ? CallFrameSection.all(of: file) { code.contains(UInt64($0)) } : []
        digest = Hexadecimal.string(Array(SHA256.hash(data: file)))
        let isHost = [.i386, .x86, .arm64].contains(code.machine)
        // A sketch for the virtual board is shown at an address of the ESP32.
        base = isHost ? Addr2line.base(file) : 0
        resolver = Addr2line(
            program: path, base: base, tools: Toolchains.symbolTools(for: code.machine, home: home))
    }

    /// The frames of each address; empty for an address that is not in the program's code.
    public func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]] {
        let missing = addresses.filter { address in
            isCode(address.value) && known.withLock { $0[address] == nil }
        }
        if !missing.isEmpty {
            let found = await resolver.frames(at: missing)
            known.withLock { known in
                if known.count + missing.count > Self.maximumKnown { known.removeAll() }
                for (address, frames) in zip(missing, found) { known[address] = frames }
            }
        }
        return known.withLock { known in addresses.map { known[$0] ?? [] } }
    }

    /// True if the file records which addresses are code.
    public var knowsCode: Bool { true }

    /// True if the program has code at `address`.
    public func isCode(_ address: UInt64) -> Bool { address >= base && code.contains(address - base) }

    /// True if a RISC-V call instruction precedes `address`.
    public func isReturnAddress(_ address: UInt64) -> Bool { address >= base && code.followsCall(address - base) }

    /// The calls that led to a crash.
    public func unwind(_ dump: CrashDump) -> UnwoundStack? { StackUnwinder.unwind(dump, [self]) }

    /// The rules that recover the registers of the caller of the function at `address`; `nil` when the program has
    /// none.
    func callFrame(at address: UInt32) throws(CodecError) -> CallFrame? {
        for section in callFrames {
            if let entry = section.entry(at: address) { return try CallFrame(at: address, in: entry, of: section) }
        }
        return nil
    }

    /// True if the digest of the file begins with `digest`.
    public func has(digest: String) -> Bool { self.digest.hasPrefix(digest) }

    /// The reason why no places are found although the program has code there; `nil` if a tool is installed.
    public func toolFault() async -> String? { await resolver.toolFault() }
}

/// Several programs of a board, e.g. the application and its bootloader.
public struct ELFPrograms: AddressResolver {
    private let programs: [ELFProgram]

    /// Searches these programs: the first that has code at an address is used.
    public init(_ programs: [ELFProgram]) {
        self.programs = programs
    }

    /// The frames of each address, of the first program that knows it.
    public func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]] {
        var result = addresses.map { _ in [CodeFrame]() }
        for program in programs {
            let open = addresses.indices.filter { result[$0].isEmpty && program.isCode(addresses[$0].value) }
            guard !open.isEmpty else { continue }
            let frames = await program.frames(at: open.map { addresses[$0] })
            for (index, frames) in zip(open, frames) { result[index] = frames }
        }
        return result
    }

    /// True if the files record which addresses are code.
    public var knowsCode: Bool { true }

    /// True if one of the programs has code at `address`.
    public func isCode(_ address: UInt64) -> Bool { programs.contains { $0.isCode(address) } }

    /// True if a call precedes `address` in one of the programs.
    public func isReturnAddress(_ address: UInt64) -> Bool { programs.contains { $0.isReturnAddress(address) } }

    /// The calls that led to a crash, in all of the programs.
    public func unwind(_ dump: CrashDump) -> UnwoundStack? { StackUnwinder.unwind(dump, programs) }

    /// The remark for the case that no program has the digest.
    public func mismatch(digest: String) -> String? {
        guard digest.utf8.count >= 8, !programs.contains(where: { $0.has(digest: digest) }) else { return nil }
        let names = programs.map(\.path).joined(separator: ", ")
        return "the board runs another program than \(names): the places above may be wrong"
    }
}

/// The code addresses of an ELF file, and the machine of the code.
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
    /// - Throws: ``FirmwareBuildError`` when it is not an ELF file, or is truncated.
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

    /// True if `address` is in a code section.
    func contains(_ address: UInt64) -> Bool { sections.contains { $0.range.contains(address) } }

    /// True if the instruction before `address` is a call of RISC-V: `jal` or `jalr` that links ra, also compressed
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

/// The programs with debug information of cached builds, for backtraces of firmware that an earlier command has flashed.
public struct SymbolFiles: Sendable {
    private let folder: String

    /// The programs in the folder of cached builds.
    public init(cache: String) {
        folder = BuildFolders(cache: cache).programs
    }

    /// Finds the places of addresses in the program whose digest begins with `digest`, as the panic handler prints it
    /// ("ELF file SHA256: 6b3d0a911"); `nil` when no cached build has that digest, or when `digest` is shorter than 8
    /// digits.
    public func resolver(digest: String) -> (any AddressResolver)? {
        let digest = digest.lowercased()
        guard digest.utf8.count >= 8 else { return nil }
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() {
            let path = "\(folder)/\(name)/program"
            guard let program = try? FileTree.contents(of: path) else { continue }
            // The same program with its symbols is stored beside each program.
            if Hexadecimal.string(Array(SHA256.hash(data: program))).hasPrefix(digest) {
                return Addr2line(program: path + ".elf")
            }
        }
        return nil
    }
}
