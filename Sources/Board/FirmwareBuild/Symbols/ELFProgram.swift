import ByteCodec
public import Console
import Crypto
import Synchronization

/// A program of a board with debug information: finds the places of addresses with the `addr2line` of its machine.
public final class ELFProgram: AddressResolver {
    /// How many addresses are remembered.
    private static let maximumKnown = 4096

    /// Its path, as it was given.
    public let path: String
    private let code: ELFCode
    private let callFrames: [CallFrameSection]
    private let base: UInt64
    private let digest: String
    private let resolver: Addr2line
    private let known = Mutex<[CodeAddress: [CodeFrame]]>([:])

    /// The program at `path`; `home` is the user's folder, below which toolchains are installed.
    ///
    /// - Throws: ``FirmwareBuildError`` when the file cannot be read, or is no ELF file.
    public init(path: String, home: String?) throws(FirmwareBuildError) {
        self.path = path
        let file = try FileTree.contents(of: path)
        let code = try ELFCode(file, path: path)
        self.code = code
        callFrames = code.machine == .riscv ? CallFrameSection.all(of: file) { code.contains(UInt64($0)) } : []
        digest = SHA256.hash(data: file).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let isHost = [.i386, .x86, .arm64].contains(code.machine)
        // A sketch for the virtual board is shown at an address of the ESP32.
        base = isHost ? Addr2line.base(file) : 0
        resolver = Addr2line(
            program: path, base: base, tools: Toolchains.symbolTools(for: code.machine, home: home))
    }

    /// The frames of each address; none for those that are not in the program's code.
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

    /// It does.
    public var knowsCode: Bool { true }

    /// Whether the program has code there.
    public func isCode(_ address: UInt64) -> Bool { address >= base && code.contains(address - base) }

    /// Whether a call of RISC-V code stands before it.
    public func isReturnAddress(_ address: UInt64) -> Bool { address >= base && code.followsCall(address - base) }

    /// The calls that led to a crash.
    public func unwind(_ dump: CrashDump) -> UnwoundStack? { StackUnwinder.unwind(dump, [self]) }

    /// Where the caller of the function at `address` finds its registers; `nil` when the program does not tell.
    func callFrame(at address: UInt32) throws(CodecError) -> CallFrame? {
        for section in callFrames {
            if let entry = section.entry(at: address) { return try CallFrame(at: address, in: entry, of: section) }
        }
        return nil
    }

    /// Whether the digest of the file begins with `digest`.
    public func has(digest: String) -> Bool { self.digest.hasPrefix(digest) }

    /// Why no places are found although the program has code there; `nil` if a tool is installed.
    public func toolFault() async -> String? { await resolver.toolFault() }
}

/// Several programs of a board, e.g. the application and its bootloader.
public struct ELFPrograms: AddressResolver {
    private let programs: [ELFProgram]

    /// These programs; the first that has code at an address is the one.
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

    /// They do.
    public var knowsCode: Bool { true }

    /// Whether one has code there.
    public func isCode(_ address: UInt64) -> Bool { programs.contains { $0.isCode(address) } }

    /// Whether a call stands before it in one of them.
    public func isReturnAddress(_ address: UInt64) -> Bool { programs.contains { $0.isReturnAddress(address) } }

    /// The calls that led to a crash, through all of them.
    public func unwind(_ dump: CrashDump) -> UnwoundStack? { StackUnwinder.unwind(dump, programs) }

    /// What is to be said when none of them has the digest.
    public func mismatch(digest: String) -> String? {
        guard digest.utf8.count >= 8, !programs.contains(where: { $0.has(digest: digest) }) else { return nil }
        let names = programs.map(\.path).joined(separator: ", ")
        return "the board runs another program than \(names): the places above may be wrong"
    }
}
