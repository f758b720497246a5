import Console
import FirmwareBuild
import Foundation
import Testing

private let compilers = ["/usr/bin/xtensa-lx106-elf-gcc", "/usr/bin/riscv64-unknown-elf-gcc"]
private let hasCompilers = compilers.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

/// Programs for Xtensa and RISC-V, with the toolchains of Debian; binutils' `addr2line` and `objdump` of the same
/// toolchain are the judges.
@Suite(.enabled(if: hasCompilers, "gcc-xtensa-lx106 and gcc-riscv64-unknown-elf are not installed"))
struct ELFProgramTests {
    struct Target: Sendable, CustomTestStringConvertible {
        let tools: String
        let arguments: [String]
        let base: UInt64
        var testDescription: String { tools }

        static let xtensa = Target(tools: "xtensa-lx106-elf", arguments: ["-mlongcalls"], base: 0x400D_0020)
        static let riscv = Target(
            tools: "riscv64-unknown-elf", arguments: ["-march=rv32imc", "-mabi=ilp32"], base: 0x4200_0020)
        /// Without compressed instructions.
        static let wide = Target(
            tools: "riscv64-unknown-elf", arguments: ["-march=rv32i", "-mabi=ilp32"], base: 0x4200_0020)
    }

    private static let source = """
        volatile int *volatile sink;
        int (*volatile pointer)(int);
        static inline __attribute__((always_inline)) void store(int value) { *sink = value; }
        __attribute__((noinline)) int inner(int value) {
            store(value);
            return value + 3;
        }
        __attribute__((noinline)) int outer(int value) {
            int sum = inner(value + 1);
            return sum + pointer(value) * 2;
        }
        int app_main(void) { return outer(41) + 1; }
        """

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/" + program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return text
    }

    private func withProgram(_ target: Target, _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-elf-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "crash.c").path
        let program = folder.appending(path: "program.elf").path
        try Data(Self.source.utf8).write(to: URL(filePath: source))
        _ = try Self.run(
            target.tools + "-gcc",
            target.arguments + [
                "-g", "-O1", "-nostdlib", "-Wl,-Ttext=0x\(String(target.base, radix: 16))", "-Wl,-e,app_main", "-o",
                program, source,
            ])
        try await body(program)
    }

    /// The instructions of the program, as the toolchain's objdump lists them: address, and its text.
    private func instructions(_ target: Target, _ program: String) throws -> [(address: UInt64, text: Substring)] {
        try Self.run(target.tools + "-objdump", ["-d", program]).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 2)
            guard parts.count == 3,
                let address = UInt64(parts[0].dropLast().trimmingPrefix(while: \.isWhitespace), radix: 16)
            else { return nil }
            return (address, parts[2])
        }
    }

    @Test("finds function, file and line of every instruction, inlined ones too", arguments: [Target.xtensa, .riscv])
    func places(target: Target) async throws {
        try await withProgram(target) { path in
            let program = try ELFProgram(path: path, home: nil)
            let addresses = try instructions(target, path).map(\.address)
            try #require(addresses.count > 15)
            let found = await program.frames(at: addresses.map { CodeAddress($0) })
            for (address, frames) in zip(addresses, found) {
                let judged = try Self.run(
                    target.tools + "-addr2line", ["-e", path, "-f", "-C", "-i", "0x" + String(address, radix: 16)])
                let lines = judged.split(separator: "\n")
                let expected = stride(from: 0, to: lines.count - 1, by: 2).map { index in
                    let place = lines[index + 1].split(separator: " ")[0].split(separator: "/").last ?? ""
                    return "\(lines[index]) at \(place)"
                }
                #expect(program.isCode(address))
                #expect(
                    frames.map(\.text) == expected.filter { !$0.hasPrefix("??") }, "0x\(String(address, radix: 16))")
            }
            #expect(found.contains { $0.map(\.function) == ["store", "inner"] && $0[0].isInlined })
            #expect(!program.isCode(target.base - 0x1000))
            #expect(await program.frames(at: [CodeAddress(0x3FFB_0000)]) == [[]])
        }
    }

    @Test(
        "knows the return addresses of RISC-V code: what follows a call, as objdump sees it",
        arguments: [Target.riscv, .wide])
    func returnAddresses(target: Target) async throws {
        try await withProgram(target) { path in
            let program = try ELFProgram(path: path, home: nil)
            let code = try instructions(target, path)
            var calls = 0
            for (before, next) in zip(code, code.dropFirst()) {
                let name = before.text.split { $0 == "\t" || $0 == " " }.first ?? ""
                let isCall = name == "jal" || name == "jalr" || name == "call"
                #expect(program.isReturnAddress(next.address) == isCall, "after \(before.text)")
                if isCall { calls += 1 }
            }
            #expect(calls >= 3)
        }
    }

    @Test("decodes a crash of RISC-V from registers and stack")
    func crash() async throws {
        try await withProgram(.riscv) { path in
            let program = try ELFProgram(path: path, home: nil)
            let code = try instructions(.riscv, path)
            let returns = code.map(\.address).filter { program.isReturnAddress($0) }
            let store = try #require(code.first { $0.text.hasPrefix("sw") && $0.text.contains("0(") }).address
            func hex(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }
            var crashes = CrashLines(symbols: ELFPrograms([program]))
            var found: [String] = []
            let last = try #require(returns.last)
            for line in [
                "MEPC    : \(hex(store))  RA      : \(hex(returns[0]))  SP      : 0x3fc91d50", "Stack memory:",
                "3fc91d50: 0x00000000 \(hex(store)) \(hex(last)) 0xa5a5a5a5", "", "ELF file SHA256: 00000000aa",
            ] {
                found += await crashes.lines(below: line)
            }
            #expect(found.first == "--- (inlined): store at crash.c:3")
            #expect(found.contains { $0.hasPrefix("--- \(hex(returns[0])): outer at crash.c:9") }, "\(found)")
            let end = "--- the backtrace ends here: the return address 0xa5a5a5a5 is not in the program"
            let callers = found.drop { $0 != end }.dropFirst(2)
            #expect(callers.first?.hasPrefix("--- maybe \(hex(last)): app_main at crash.c:12") == true, "\(found)")
            #expect(found.last == "--- the board runs another program than \(path): the places above may be wrong")
        }
    }

    @Test("refuses files that are no programs, or are truncated, with a reason, and never traps")
    func malformed() async throws {
        try await withProgram(.xtensa) { path in
            let file = try Data(contentsOf: URL(filePath: path))
            let damaged = path + ".damaged"
            func fault(_ bytes: Data) throws -> String? {
                try bytes.write(to: URL(filePath: damaged))
                do {
                    _ = try ELFProgram(path: damaged, home: nil)
                    return nil
                } catch {
                    return error.description
                }
            }
            let text = try fault(Data("hello".utf8)) ?? ""
            #expect(text.contains("ELF file: expected it to begin with 7f 45 4c 46, got 68"), "\(text)")
            for length in stride(from: 0, to: file.count - 1, by: 97) {
                #expect(try fault(file.prefix(length)) != nil, "the first \(length) bytes")
            }
            // Each byte of the header and of the section headers, with its extremes.
            let sections = Int(file[32]) | Int(file[33]) << 8 | Int(file[34]) << 16
            for index in Array(4..<52) + Array(sections..<min(sections + 400, file.count)) {
                for value: UInt8 in [0, 0x7F, 0xFF] {
                    var bytes = file
                    bytes[index] = value
                    if let text = try fault(bytes) { #expect(text.hasPrefix(damaged)) }
                }
            }
            #expect(throws: FirmwareBuildError.self) { try ELFProgram(path: path + ".missing", home: nil) }
        }
    }
}
